// Command echo is the connector that scripts/benchmark starts: static, and as quick as can be, so that what is measured is
// the way to it. It answers every request; a call of its tool, with as many bytes of text as its argument says. It must
// never be used for anything else: it believes whatever it is sent.
package main

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
)

const (
	hello = `{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}`
	tools = `{"tools":[{"name":"echo","description":"Answers.","inputSchema":{"type":"object"}}]}`
)

func main() {
	size := 2
	if len(os.Args) > 1 {
		size, _ = strconv.Atoi(os.Args[1])
	}
	said := `{"content":[{"type":"text","text":"` + string(bytes.Repeat([]byte("x"), size)) + `"}]}`
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	var reply []byte
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		id, ok := field(line, `"id":`)
		if !ok {
			continue // a notification
		}
		method, _ := field(line, `"method":`)
		result := map[string]string{`"initialize"`: hello, `"tools/list"`: tools, `"tools/call"`: said}[string(method)]
		reply = append(append(reply[:0], `{"jsonrpc":"2.0","id":`...), id...)
		reply = append(append(append(reply, `,"result":`...), result...), "}\n"...)
		if _, err := os.Stdout.Write(reply); err != nil {
			return
		}
	}
}

// field finds a value that is a word or a number.
func field(line []byte, name string) ([]byte, bool) {
	_, value, ok := bytes.Cut(line, []byte(name))
	end := bytes.IndexAny(value, ",}")
	if !ok || end < 0 {
		return nil, false
	}
	return value[:end], true
}
