package hashrangetest_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hashrange/hashrange/clients/go/hashrangetest"
)

// A failing has the methods of a test that the package calls, and keeps the message with which it ends.
type failing struct {
	testing.TB
	message  string
	cleanups []func()
}

type ended struct{}

func (f *failing) Helper()             {}
func (f *failing) Cleanup(c func())    { f.cleanups = append(f.cleanups, c) }
func (f *failing) Error(values ...any) { f.message += fmt.Sprintln(values...) }
func (f *failing) Fatalf(format string, values ...any) {
	f.Fatal(fmt.Sprintf(format, values...))
}
func (f *failing) Fatal(values ...any) {
	f.message = fmt.Sprint(values...)
	panic(ended{})
}

// failureOf returns the message with which a test ends.
func failureOf(test func(t testing.TB)) (message string) {
	f := &failing{}
	defer func() {
		if problem := recover(); problem != nil && problem != (ended{}) {
			panic(problem)
		}
		for last := len(f.cleanups) - 1; last >= 0; last-- {
			f.cleanups[last]()
		}
		message = f.message
	}()
	test(f)
	return
}

func start(options hashrangetest.Options) func(testing.TB) {
	return func(t testing.TB) { hashrangetest.Start(t, options) }
}

// program writes a shell script, and returns its path.
func program(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "hashrange")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhyThereIsNoServer(t *testing.T) {
	broken := program(t, "echo it is broken >&2; exit 7")
	for _, each := range []struct {
		options hashrangetest.Options
		message string
	}{
		{hashrangetest.Options{Binary: "/nowhere/hashrange"}, "hashrange: the option Binary names /nowhere/hashrange, which is no program."},
		{hashrangetest.Options{Binary: "/etc"}, "hashrange: the option Binary names /etc, which is no program."},
		{hashrangetest.Options{Binary: broken}, "hashrange: " + broken + " ended with 7 before it was ready.\nit is broken"},
		{hashrangetest.Options{Seed: func(hashrangetest.Connection) error { return errors.New("there is no file") }},
			"hashrange: Seed failed: there is no file"},
	} {
		if message := failureOf(start(each.options)); message != each.message {
			t.Errorf("%q instead of %q", message, each.message)
		}
	}
}

func TestAProgramThatTheVariableNames(t *testing.T) {
	t.Setenv("HASHRANGE_BINARY", "/nowhere/hashrange")
	message := failureOf(start(hashrangetest.Options{}))
	if message != "hashrange: HASHRANGE_BINARY names /nowhere/hashrange, which is no program." {
		t.Error(message)
	}
	t.Setenv("HASHRANGE_BINARY", "")
	t.Setenv("PATH", "/nowhere")
	message = failureOf(start(hashrangetest.Options{}))
	if !strings.HasPrefix(message, "hashrange: no server to start. Put `hashrange` on PATH") {
		t.Error(message)
	}
}

func TestAProgramOnPath(t *testing.T) {
	binary, err := filepath.Abs(os.Getenv("HASHRANGE_BINARY"))
	if err != nil {
		t.Fatal(err)
	}
	path := program(t, `exec "`+binary+`" "$@"`)
	t.Setenv("HASHRANGE_BINARY", "")
	t.Setenv("PATH", filepath.Dir(path))
	hashrangetest.Start(t, hashrangetest.Options{}).Fork(t)
}

// A Seed that panics or ends its test leaves no server that looks as if it were seeded.
func TestASeedThatDoesNotReturn(t *testing.T) {
	server := hashrangetest.New(hashrangetest.Options{Seed: func(hashrangetest.Connection) error { panic(ended{}) }})
	fork := func(t testing.TB) { server.Fork(t) }
	failureOf(fork)
	if message := failureOf(fork); message != "hashrange: Seed did not return." {
		t.Error(message)
	}
}

func TestAServerThatHasEndedIsSaid(t *testing.T) {
	message := failureOf(func(t testing.TB) {
		account := hashrangetest.Start(t, hashrangetest.Options{}).Fork(t)
		t.(*failing).cleanups[0]() // stops the server
		account.Reset()
	})
	if !strings.Contains(message, " does not answer: ") {
		t.Error(message)
	}
}

func TestAServerThatRunsAlready(t *testing.T) {
	running := hashrangetest.Start(t, hashrangetest.Options{Token: "secret"})
	t.Setenv("HASHRANGE_ENDPOINT", running.Endpoint(t)+"/")
	t.Setenv("HASHRANGE_TOKEN", "secret")
	t.Setenv("HASHRANGE_BINARY", "/nowhere/hashrange")
	account := hashrangetest.New(hashrangetest.Options{Seed: createTable}).Fork(t)
	if account.Endpoint != running.Endpoint(t) || count(t, account) != 1 {
		t.Error(account.Endpoint)
	}
	t.Setenv("HASHRANGE_TOKEN", "wrong")
	message := failureOf(func(t testing.TB) { hashrangetest.New(hashrangetest.Options{}).Fork(t) })
	if !strings.HasPrefix(message, "hashrange: POST fork: ") {
		t.Error(message)
	}
}

// TestServerOfAKilledRun runs this test binary once more, which is killed, and waits for the end of its server.
func TestServerOfAKilledRun(t *testing.T) {
	if os.Getenv("HASHRANGE_TEST_IS_KILLED") != "" {
		var info struct{ PID int }
		if err := tables.Fork(t).Control("GET", "", nil, &info); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("server %d\n", info.PID)
		select {}
	}
	command := exec.Command(os.Args[0], "-test.run=^TestServerOfAKilledRun$")
	command.Env = append(os.Environ(), "HASHRANGE_TEST_IS_KILLED=yes")
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	_, err = fmt.Fscanf(output, "server %d\n", &pid)
	if err != nil || !runs(pid) {
		t.Errorf("server %d: %v", pid, err)
	}
	command.Process.Kill()
	command.Wait()
	for deadline := time.Now().Add(time.Minute); runs(pid); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the server %d still runs", pid)
		}
	}
}

// The launcher of the npm package is such a program: killed, it leaves a server that has stderr open.
func TestAProgramWhoseServerOutlivesIt(t *testing.T) {
	binary, err := filepath.Abs(os.Getenv("HASHRANGE_BINARY"))
	if err != nil {
		t.Fatal(err)
	}
	launcher := program(t, `trap "" TERM; "`+binary+`" "$@" & wait`)
	var info struct{ PID int }
	stopped := make(chan string)
	go func() {
		stopped <- failureOf(func(t testing.TB) {
			server := hashrangetest.Start(t, hashrangetest.Options{Binary: launcher})
			if err := server.Fork(t).Control("GET", "", nil, &info); err != nil {
				t.Fatal(err)
			}
		})
	}()
	select {
	case message := <-stopped:
		if message != "" || !runs(info.PID) {
			t.Errorf("%q, server %d", message, info.PID)
		}
	case <-time.After(time.Minute):
		t.Error("the launcher was killed, and the test waits for its server")
	}
	if info.PID != 0 {
		syscall.Kill(info.PID, syscall.SIGKILL)
	}
}

// runs returns whether a process runs. A process that has ended exists until its parent waits for it.
func runs(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	state := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))[0]
	return state != "Z" && state != "X"
}
