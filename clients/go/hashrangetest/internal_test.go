package hashrangetest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

func TestWhichVersionsFit(t *testing.T) {
	for _, each := range []struct {
		server, module string
		fit            bool
	}{
		{"0.3.0", "0.3.0", true},
		{"0.3.9", "0.3.0", true},
		{"0.4.0", "0.3.0", false},
		{"0.30.0", "0.3.0", false},
		{"1.3.0", "0.3.0", false},
		{"1.9.2", "1.4.0", true},
		{"2.4.0", "1.4.0", false},
		{"0.9.0", "1.0.0", false},
		{"10.0.0", "1.0.0", false},
	} {
		if got := fits(each.server, each.module); got != each.fit {
			t.Errorf("fits(%s, %s) is %v", each.server, each.module, got)
		}
	}
}

// The server of another version is only its answers: there is no program of another version.
func TestAVersionThatDoesNotFitIsSaidOnce(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		fmt.Fprint(answer, `{"version":"0.99.0"}`)
	}))
	defer other.Close()
	t.Setenv("HASHRANGE_ENDPOINT", other.URL)
	shown := stderrOf(t, func() {
		for range [2]int{} {
			New(Options{}).Endpoint(t)
		}
	})
	sentence := "hashrange: the server has version 0.99.0, and the Go module " + Version +
		": use the same version of both, or some calls may fail.\n"
	if shown != sentence {
		t.Errorf("%q", shown)
	}
}

func TestAServerThatDoesNotTellItsVersion(t *testing.T) {
	for _, each := range []struct {
		status int
		text   string
	}{
		{200, `{}`}, {200, `{"version":null}`}, {200, `{"version":""}`}, {200, `{"version":7}`}, {200, `[]`}, {200, `no JSON`}, {200, ``},
		{404, `{"error":"there is no such call"}`},
	} {
		other := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
			answer.WriteHeader(each.status)
			fmt.Fprint(answer, each.text)
		}))
		t.Setenv("HASHRANGE_ENDPOINT", other.URL)
		var err error
		shown := stderrOf(t, func() { err = New(Options{}).start() })
		other.Close()
		if shown != "" || err != nil {
			t.Errorf("%d %s: %q %v", each.status, each.text, shown, err)
		}
	}
}

// stderrOf returns what a function writes to stderr, where no sentence was written before.
func stderrOf(t *testing.T, f func()) string {
	t.Helper()
	warned.Range(func(sentence, _ any) bool {
		warned.Delete(sentence)
		return true
	})
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stderr
	os.Stderr = write
	f()
	os.Stderr = before
	write.Close()
	text, err := io.ReadAll(read)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWarningsAreShownOnce(t *testing.T) {
	log := &serverLog{}
	shown := stderrOf(t, func() {
		for _, part := range []string{
			"2026-01-31 12:00:00.000 warning ta", "ble app not found\n2026-01-31 12:00:00.001 info a line\n",
			"2026-01-31 12:00:01.000 warning table app not found\nno line of the log\n2026-01-31 12:00:01.000 error it ends",
			"\n2026-01-31 12:00:01.000 warning not complete",
		} {
			if _, err := io.WriteString(log, part); err != nil {
				t.Error(err)
			}
		}
	})
	if shown != "hashrange server warning: table app not found\nhashrange server error: it ends\n" {
		t.Errorf("%q", shown)
	}
}

func TestTheEndOfALogIsKept(t *testing.T) {
	log := &serverLog{}
	if log.tail() != "" {
		t.Errorf("%q", log.tail())
	}
	io.WriteString(log, strings.Repeat("a line\n", 10_000)+"the end\n")
	if tail := log.tail(); len(tail) > tailBytes+1 || !strings.HasSuffix(tail, "a line\nthe end") {
		t.Errorf("%d bytes: %q", len(tail), tail)
	}
}
