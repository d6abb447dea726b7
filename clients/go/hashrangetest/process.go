package hashrangetest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

const (
	startTimeout = 10 * time.Second
	stopTimeout  = 3 * time.Second
	logTimeout   = 200 * time.Millisecond // for the rest of the log of a program that has ended
)

// A process is the server as a child: it listens on a free port, is ready when it says so, and ends with this process at the latest.
type process struct {
	command *exec.Cmd
	ended   chan struct{} // closed when the program has ended
}

// startProcess starts a program with args in addition to those of this package. It returns the address of the server, which is ready.
// The error's text has what the program wrote to stderr.
func startProcess(program string, args []string, token string) (*process, string, error) {
	ready, readyEnd, err := os.Pipe()
	if err != nil {
		return nil, "", fmt.Errorf("hashrange: %w", err)
	}
	defer ready.Close()
	stderr, stderrEnd, err := os.Pipe()
	if err != nil {
		readyEnd.Close()
		return nil, "", fmt.Errorf("hashrange: %w", err)
	}
	log := &serverLog{}
	own := []string{"serve", "--port", "0", "--ready-fd", "3", fmt.Sprintf("--exit-with-parent=%d", os.Getpid())}
	command := exec.Command(program, append(own, args...)...)
	command.Env = append(os.Environ(), "HASHRANGE_TOKEN="+token) // other users could see an argument; "" means no token
	command.Stderr = stderrEnd
	command.ExtraFiles = []*os.File{readyEnd} // descriptor 3
	err = command.Start()
	readyEnd.Close()
	stderrEnd.Close()
	if err != nil {
		stderr.Close()
		return nil, "", fmt.Errorf("hashrange: %s did not start: %w", program, err)
	}
	p := &process{command, make(chan struct{})}
	go p.wait(stderr, log)
	ready.SetReadDeadline(time.Now().Add(startTimeout))
	line, err := bufio.NewReader(ready).ReadString('\n')
	var listens struct{ Endpoint string }
	if err == nil {
		err = json.Unmarshal([]byte(line), &listens)
	}
	if err != nil {
		problem := p.whyNotReady()
		return nil, "", fmt.Errorf("hashrange: %s %s.%s", program, problem, log.tail())
	}
	return p, listens.Endpoint, nil
}

// wait reads the log until the program has ended. It does not wait for a process that the program has started: if the program is a
// launcher and was killed, the server may have stderr still open.
func (p *process) wait(stderr *os.File, log *serverLog) {
	complete := make(chan struct{})
	go func() {
		io.Copy(log, stderr)
		close(complete)
	}()
	p.command.Wait()
	select {
	case <-complete:
	case <-time.After(logTimeout):
	}
	stderr.Close()
	close(p.ended)
}

func (p *process) whyNotReady() string {
	select {
	case <-p.ended:
		return fmt.Sprintf("ended with %d before it was ready", p.command.ProcessState.ExitCode())
	case <-time.After(time.Second):
		p.stop()
		return fmt.Sprintf("was not ready within %v", startTimeout)
	}
}

func (p *process) stop() {
	p.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(stopTimeout):
		p.command.Process.Kill()
		<-p.ended
	}
}

// findBinary returns the program at a path, or the one that HASHRANGE_BINARY names, or `hashrange` on PATH.
func findBinary(path string) (string, error) {
	for _, named := range []struct{ path, source string }{{path, "the option Binary"}, {os.Getenv("HASHRANGE_BINARY"), "HASHRANGE_BINARY"}} {
		if named.path == "" {
			continue
		}
		program, err := filepath.Abs(named.path)
		if err == nil {
			_, err = exec.LookPath(program)
		}
		if err != nil {
			return "", fmt.Errorf("hashrange: %s names %s, which is no program.", named.source, program)
		}
		return program, nil
	}
	program, err := exec.LookPath("hashrange")
	if err != nil {
		return "", fmt.Errorf("hashrange: no server to start. Put `hashrange` on PATH, or its path into HASHRANGE_BINARY or the option " +
			"Binary. In a checkout, `scripts/build release hashrange` builds it as build/release/hashrange.")
	}
	return program, nil
}
