# type into somebody's terminal
# held by: session
# control: none, tests have no terminal
import fcntl, termios
fcntl.ioctl(open("/dev/tty"), termios.TIOCSTI, b"x")
