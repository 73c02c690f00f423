// Package mcpclient talks to one connector: an MCP session over the two ends
// of a pipe.
//
//	Session   handshake, tool list, calls          (mcp-go's client does the handshake)
//	   │
//	Conn      ids, deadlines, requests both ways   (mcp-go's transport.BidirectionalInterface)
//	   │
//	frame     one line, one message, whatever else the connector prints
//	   │
//	stdin/stdout of the process
//
// What is on the other side is hostile or sloppy: nothing it sends or fails to
// send may block a caller past its deadline, take unbounded memory, or reach
// another connector. Arguments and results pass as raw bytes and are never
// rebuilt from typed copies.
//
// The package never starts, signals or waits for a process: who owns the
// process tells the Conn with Exited. Every goroutine belongs to a Conn and has
// ended when Conn.Wait returns.
package mcpclient
