// Package hashrangetest runs Hashrange, an in-memory, DynamoDB-compatible server, for the tests of a Go package.
//
// One server serves all tests of a package. It is seeded once, and each test gets an account with a copy of the seeded
// tables, so tests may change their tables at the same time:
//
//	var tables = hashrangetest.New(hashrangetest.Options{Seed: createTables})
//
//	func TestOrders(t *testing.T) {
//		t.Parallel()
//		account := tables.Fork(t)
//		// Connect an AWS SDK to account.Endpoint, with account.Region, account.AccessKey and account.SecretKey.
//	}
//
// Whatever a test starts with its account (fault rules, a changed clock, limits, snapshots) ends with the test.
package hashrangetest

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Version is the version of this module. Before 1.0, a server fits if it has the same minor version.
const Version = "0.1.0"

// Options say which program is started, and what the seeded account has. The zero value is valid.
type Options struct {
	// Binary is the path of the server's program: without it, HASHRANGE_BINARY, and else `hashrange` on PATH.
	Binary string
	// Args are further arguments for `hashrange serve`.
	Args []string
	// Region is the Region of the accounts: without it, AWS_REGION or AWS_DEFAULT_REGION, and else us-east-1.
	Region string
	// Token makes the server answer the control API only to callers that send it.
	Token string
	// Seed fills the account that all tests begin with. It is called once, before the first fork.
	Seed func(seed Connection) error
}

// A Server has the seeded account and those of the tests. Its methods may be called from any goroutine.
type Server struct {
	options  Options
	mustOwn  bool // whether HASHRANGE_ENDPOINT is ignored
	once     sync.Once
	err      error // why there is no server
	process  *process
	endpoint string
	token    string
	run      int          // the first six digits of the accounts
	forks    atomic.Int64 // how many accounts the tests have got
}

const maxForks = 999_999 // an account's id has six digits for the fork

// New returns a server for a package's variable. The first Fork starts it, and it ends with the test binary, also when that is
// killed. If HASHRANGE_ENDPOINT is set, the server that is running there is used, with HASHRANGE_TOKEN.
func New(options Options) *Server {
	return &Server{options: options}
}

// Start starts a server for one test, for example one that moves the clock, which all accounts of a server share. The server ends
// with the test.
func Start(t testing.TB, options Options) *Server {
	t.Helper()
	server := &Server{options: options, mustOwn: true}
	t.Cleanup(server.stop)
	server.require(t)
	return server
}

// Fork returns a new account that has the tables of the seeded account. The account is for this test, and is emptied at its end.
func (s *Server) Fork(t testing.TB) *Account {
	t.Helper()
	s.require(t)
	number := s.forks.Add(1)
	if number > maxForks {
		t.Fatalf("hashrange: a server has accounts for %d forks, and all are used: Start another server.", maxForks)
	}
	account := &Account{Connection: s.connection(number), t: t, seed: s.connection(0).AccessKey}
	t.Cleanup(account.end)
	account.copySeed()
	return account
}

// Endpoint returns the address at which the server listens, such as "http://127.0.0.1:49153".
func (s *Server) Endpoint(t testing.TB) string {
	t.Helper()
	s.require(t)
	return s.endpoint
}

// require starts the server if nobody has. It ends the test if there is no server.
func (s *Server) require(t testing.TB) {
	t.Helper()
	s.once.Do(func() {
		s.err = errors.New("hashrange: Seed did not return.") // so it is if Seed panics or ends the test
		s.err = s.start()
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
}

func (s *Server) start() error {
	if err := s.find(); err != nil {
		return err
	}
	seed := s.connection(0)
	checkVersion(seed)
	if s.options.Seed == nil {
		return nil
	}
	if err := s.options.Seed(seed); err != nil {
		return fmt.Errorf("hashrange: Seed failed: %w", err)
	}
	return nil
}

// checkVersion warns if the server's version does not fit this module. A server that does not tell its version is left to the calls
// that follow, whose errors say more.
func checkVersion(server Connection) {
	var info struct{ Version string }
	err := server.Control("GET", "", nil, &info)
	if err != nil || info.Version == "" || fits(info.Version, Version) {
		return
	}
	warn(fmt.Sprintf("hashrange: the server has version %s, and the Go module %s: use the same version of both, or some calls "+
		"may fail.", info.Version, Version))
}

// find starts the program, or uses the server that HASHRANGE_ENDPOINT names.
func (s *Server) find() error {
	if endpoint := os.Getenv("HASHRANGE_ENDPOINT"); endpoint != "" && !s.mustOwn {
		s.endpoint, s.token = strings.TrimRight(endpoint, "/"), os.Getenv("HASHRANGE_TOKEN")
		// The server may have accounts of other runs.
		s.run = 100_000 + rand.New(rand.NewSource(time.Now().UnixNano())).Intn(900_000)
		return nil
	}
	program, err := findBinary(s.options.Binary)
	if err != nil {
		return err
	}
	s.process, s.endpoint, err = startProcess(program, s.options.Args, s.options.Token)
	s.token, s.run = s.options.Token, 100_000
	return err
}

func (s *Server) stop() {
	if s.process != nil {
		s.process.stop()
	}
}

// connection returns the connection of an account: number 0 is the seeded one.
func (s *Server) connection(number int64) Connection {
	return Connection{Endpoint: s.endpoint, Region: s.region(), AccessKey: fmt.Sprintf("%d%06d", s.run, number), SecretKey: "hashrange",
		token: s.token}
}

func (s *Server) region() string {
	for _, region := range []string{s.options.Region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")} {
		if region != "" {
			return region
		}
	}
	return "us-east-1"
}

// fits returns whether a server and this module may have different versions: before 1.0 only if the minor version is the same,
// afterwards if the major version is.
func fits(server, module string) bool {
	return series(server) == series(module)
}

// series returns the part of a version that must be the same: "0.1" of "0.1.7", and "2" of "2.3.0".
func series(version string) string {
	parts := strings.SplitN(version, ".", 3)
	if parts[0] == "0" && len(parts) > 1 {
		return "0." + parts[1]
	}
	return parts[0]
}
