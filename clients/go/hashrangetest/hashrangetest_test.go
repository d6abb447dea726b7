package hashrangetest_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashrange/hashrange/clients/go/hashrangetest"
)

var seeds atomic.Int64

var tables = hashrangetest.New(hashrangetest.Options{Seed: func(seed hashrangetest.Connection) error {
	seeds.Add(1)
	return createTable(seed)
}})

func TestParallelTestsDoNotMeet(t *testing.T) {
	for number := 0; number < 8; number++ {
		name := fmt.Sprint("test ", number)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			account := tables.Fork(t)
			if got := count(t, account); got != 1 {
				t.Fatalf("%v items at the beginning", got)
			}
			for round := 0; round < 20; round++ {
				ok(t, account, "PutItem", put(fmt.Sprint(name, round)))
			}
			if got := count(t, account); got != 21 {
				t.Fatalf("%v items at the end", got)
			}
		})
	}
}

func TestOneServerIsSeededOnce(t *testing.T) {
	one, two := tables.Fork(t), tables.Fork(t)
	if one.Endpoint != two.Endpoint || one.Endpoint != tables.Endpoint(t) {
		t.Errorf("endpoints %s and %s", one.Endpoint, two.Endpoint)
	}
	if one.AccessKey == two.AccessKey || len(one.AccessKey) != 12 {
		t.Errorf("accounts %s and %s", one.AccessKey, two.AccessKey)
	}
	if seeds.Load() != 1 {
		t.Errorf("seeded %d times", seeds.Load())
	}
}

func TestForkResetAndSnapshot(t *testing.T) {
	t.Parallel()
	account := tables.Fork(t)
	ok(t, account, "PutItem", put("grace"))
	account.Snapshot("two")
	account.ResetTable("app")
	if got := count(t, account); got != 0 {
		t.Errorf("%v items after ResetTable", got)
	}
	account.Restore("two")
	if got := count(t, account); got != 2 {
		t.Errorf("%v items after Restore", got)
	}
	account.Fork()
	if got := count(t, account); got != 1 {
		t.Errorf("%v items after Fork", got)
	}
	account.Reset()
	if got := fails(t, account, "Scan", object{"TableName": "app"}); got != "ResourceNotFoundException" {
		t.Errorf("%s after Reset", got)
	}
}

func TestFaultsAreOfOneAccount(t *testing.T) {
	t.Parallel()
	one, two := tables.Fork(t), tables.Fork(t)
	added := one.AddFaults(hashrangetest.Fault{Name: "hot", Match: object{"operation": "PutItem", "times": 1},
		Do: object{"throttle": "TableWriteKeyRangeThroughputExceeded"}})
	if len(added) != 1 || added[0].Name != "hot" || added[0].ID == 0 {
		t.Fatalf("added %v", added)
	}
	ok(t, two, "PutItem", put("grace"))
	if got := fails(t, one, "PutItem", put("grace")); got != "ThrottlingException" {
		t.Errorf("%s", got)
	}
	ok(t, one, "PutItem", put("grace"))
	if rules := one.Faults(); len(rules) != 1 || rules[0].Hits != 1 {
		t.Errorf("rules %v", rules)
	}
	if rules := two.Faults(); len(rules) != 0 {
		t.Errorf("rules of another account %v", rules)
	}
	one.ClearFaults()
	if rules := one.Faults(); len(rules) != 0 {
		t.Errorf("rules after ClearFaults %v", rules)
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	account := hashrangetest.Start(t, hashrangetest.Options{}).Fork(t)
	at := time.Date(2026, 1, 31, 12, 0, 0, 500_000_000, time.UTC)
	if clock := account.FreezeClock(at); clock.Mode != "frozen" || !clock.Now.Equal(at) {
		t.Errorf("frozen: %v", clock)
	}
	if clock := account.AdvanceClock(48*time.Hour + 1500*time.Microsecond); !clock.Now.Equal(at.Add(48*time.Hour + time.Millisecond)) {
		t.Errorf("advanced: %v", clock)
	}
	if clock := account.ScaleClock(60); clock.Mode != "scaled" || clock.Scale != 60 {
		t.Errorf("scaled: %v", clock)
	}
	if clock := account.FreezeClock(time.Time{}); clock.Mode != "frozen" || clock.Now.Before(at) {
		t.Errorf("frozen now: %v", clock)
	}
	if clock := account.RealClock(); clock.Mode != "real" || account.Clock().Mode != "real" {
		t.Errorf("real: %v", clock)
	}
}

func TestARefusalIsItsSentence(t *testing.T) {
	t.Parallel()
	account := tables.Fork(t)
	err := account.Control("POST", "clock", object{"fast": true}, nil)
	var refusal *hashrangetest.ControlError
	if !errors.As(err, &refusal) || refusal.Status != 400 || !strings.HasPrefix(err.Error(), "hashrange: POST clock: ") ||
		!strings.Contains(err.Error(), "fast") {
		t.Errorf("%v", err)
	}
	if err := account.Control("POST", "clock", make(chan int), nil); err == nil || !strings.Contains(err.Error(), "the body is no JSON") {
		t.Errorf("%v", err)
	}
	var text string
	if err := account.Control("GET", "metrics", nil, &text); err != nil || !strings.Contains(text, "# TYPE") {
		t.Errorf("%v %q", err, text)
	}
	var number int
	if err := account.Control("GET", "clock", nil, &number); err == nil || !strings.Contains(err.Error(), "the answer is not as expected") {
		t.Errorf("%v", err)
	}
}

const kinds = ", 0 faults, 0 snapshots, 0 throughput, 0 partitions, 0 consistency, 0 holds, 0 measurements"

// What a test starts ends with it, whether it was started by a method or by Control.
func TestEverythingEnds(t *testing.T) {
	t.Parallel()
	server := hashrangetest.Start(t, hashrangetest.Options{Seed: createTable})
	watch := server.Fork(t)
	var gone hashrangetest.Connection
	t.Run("starts", func(t *testing.T) {
		account := server.Fork(t)
		gone = account.Connection
		account.AddFaults(hashrangetest.Fault{Do: object{"status": 503}, Match: object{"operation": "GetItem"}})
		account.FreezeClock(time.Time{})
		account.Snapshot("own")
		for _, each := range []struct {
			path string
			body object
		}{
			{"throughput", object{"account": account.AccessKey, "enforce": true}},
			{"partitions", object{"account": account.AccessKey, "mode": "watch"}},
			{"consistency", object{"account": account.AccessKey, "table": "app", "index_lag": "1s"}},
			{"holds", object{"account": account.AccessKey, "table": "app", "key": item("ada")}},
			{"measurements", object{"account": account.AccessKey, "name": "own"}},
			{"status", object{"account": account.AccessKey, "table": "app", "status": "UPDATING"}},
		} {
			if err := account.Control("POST", each.path, each.body, nil); err != nil {
				t.Error(err)
			}
		}
		if now := state(t, watch); now != "clock frozen"+strings.ReplaceAll(kinds, "0", "1") {
			t.Error(now)
		}
	})
	if now := state(t, watch); now != "clock real"+kinds {
		t.Error(now)
	}
	status, answer, err := call(gone, "ListTables", object{})
	if err != nil || status != 200 || len(answer["TableNames"].([]any)) != 0 {
		t.Errorf("tables of the account: %d %v %v", status, answer, err)
	}
}

// state returns how many simulations of each kind the server has.
func state(t *testing.T, account *hashrangetest.Account) string {
	t.Helper()
	var clock struct{ Mode string }
	if err := account.Control("GET", "clock", nil, &clock); err != nil {
		t.Fatal(err)
	}
	text := "clock " + clock.Mode
	for _, kind := range [][2]string{{"faults", "rules"}, {"snapshots", "snapshots"}, {"throughput", "rules"}, {"partitions", "rules"},
		{"consistency", "tables"}, {"holds", "holds"}, {"measurements", "measurements"}} {
		var answer map[string]any
		if err := account.Control("GET", kind[0], nil, &answer); err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf(", %d %s", len(answer[kind[1]].([]any)), kind[0])
	}
	return text
}

func TestEnvironment(t *testing.T) {
	account := tables.Fork(t)
	command := exec.Command("env")
	command.Env = append(os.Environ(), account.Environment()...)
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"AWS_ENDPOINT_URL_DYNAMODB=" + account.Endpoint, "AWS_ACCESS_KEY_ID=" + account.AccessKey,
		"AWS_REGION=" + account.Region, "AWS_SECRET_ACCESS_KEY=hashrange", "AWS_SESSION_TOKEN="} {
		if !strings.Contains("\n"+string(output), "\n"+line+"\n") {
			t.Errorf("no line %s in\n%s", line, output)
		}
	}
}

func TestAToken(t *testing.T) {
	t.Parallel()
	account := hashrangetest.Start(t, hashrangetest.Options{Token: "secret"}).Fork(t)
	stranger := hashrangetest.Connection{Endpoint: account.Endpoint}
	var refusal *hashrangetest.ControlError
	if err := stranger.Control("GET", "clock", nil, nil); !errors.As(err, &refusal) || refusal.Status != 401 {
		t.Errorf("%v", err)
	}
	account.Reset()
}

func TestArgumentsAndRegion(t *testing.T) {
	account := hashrangetest.Start(t, hashrangetest.Options{Args: []string{"--metrics"}, Region: "eu-west-1"}).Fork(t)
	if account.Region != "eu-west-1" {
		t.Error(account.Region)
	}
	t.Setenv("AWS_REGION", "ap-south-1")
	if region := hashrangetest.Start(t, hashrangetest.Options{}).Fork(t).Region; region != "ap-south-1" {
		t.Error(region)
	}
}

func TestMoreForksThanAccounts(t *testing.T) {
	server := hashrangetest.Start(t, hashrangetest.Options{})
	hashrangetest.SetForks(server, 999_998)
	if account := server.Fork(t); account.AccessKey != "100000999999" {
		t.Error(account.AccessKey)
	}
	message := failureOf(func(t testing.TB) { server.Fork(t) })
	if message != "hashrange: a server has accounts for 999999 forks, and all are used: Start another server." {
		t.Error(message)
	}
}
