package hashrangetest

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
)

const tailBytes = 4096

// warningLine matches a line of the server's log: "2026-01-31 12:00:00.000 warning table app not found for …".
var warningLine = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (warning|error|critical) (.*)$`)

// A serverLog receives what a server writes to stderr. It shows each warning once, and keeps the end for messages.
type serverLog struct {
	mutex sync.Mutex
	last  []byte
	line  []byte // the line that is not complete yet
}

func (l *serverLog) Write(text []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.last = append(l.last, text...)
	if len(l.last) > tailBytes {
		l.last = append([]byte(nil), l.last[len(l.last)-tailBytes:]...)
	}
	l.line = append(l.line, text...)
	for {
		line, rest, complete := bytes.Cut(l.line, []byte("\n"))
		if !complete {
			return len(text), nil
		}
		if found := warningLine.FindSubmatch(line); found != nil {
			warn(fmt.Sprintf("hashrange server %s: %s", found[1], found[2]))
		}
		l.line = rest
	}
}

// tail returns the end of the log, after a line break; "" if the log is empty.
func (l *serverLog) tail() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	text := strings.TrimSpace(string(l.last))
	if text == "" {
		return ""
	}
	return "\n" + text
}

var warned sync.Map

// warn writes a sentence to the output of the tests, unless it has been written before.
func warn(sentence string) {
	if _, is := warned.LoadOrStore(sentence, true); !is {
		fmt.Fprintln(os.Stderr, sentence)
	}
}
