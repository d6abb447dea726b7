package hashrangetest

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// An Account is a test's own: no other test sees its tables. Its methods end the test when the server refuses a call, so they are for
// the goroutine that runs the test. Control returns an error instead, and is for any goroutine.
type Account struct {
	Connection
	t     testing.TB
	seed  string // the id of the account that Fork copies
	begun begun
}

// Control makes a call as Connection.Control does. What the call starts ends with the test.
func (a *Account) Control(method, path string, body, answer any) error {
	var text string
	if err := a.Connection.Control(method, path, body, &text); err != nil {
		return err
	}
	a.begun.note(a, method, path, body, text)
	if err := decode(text, answer); err != nil {
		return fmt.Errorf("hashrange: %s %s: the answer is not as expected: %w", method, path, err)
	}
	return nil
}

// Fork replaces the account's tables by those of the seeded account, and ends the fault rules of this account.
func (a *Account) Fork() {
	a.t.Helper()
	a.ClearFaults()
	a.copySeed()
}

func (a *Account) copySeed() {
	a.t.Helper()
	a.must("POST", "fork", object{"from": a.seed, "to": a.AccessKey}, nil)
}

// Reset deletes all tables of the account.
func (a *Account) Reset() {
	a.t.Helper()
	a.must("POST", "reset", object{"account": a.AccessKey}, nil)
}

// ResetTable deletes the items of one table.
func (a *Account) ResetTable(table string) {
	a.t.Helper()
	a.must("POST", "reset", object{"account": a.AccessKey, "table": table}, nil)
}

// Snapshot saves the account's tables as they are now, for Restore. The name has a-z, A-Z, 0-9, "-", "_" and ".".
func (a *Account) Snapshot(name string) {
	a.t.Helper()
	a.must("POST", "snapshots", object{"name": a.AccessKey + "-" + name, "account": a.AccessKey}, nil)
}

// Restore replaces the account's tables by those of a snapshot.
func (a *Account) Restore(name string) {
	a.t.Helper()
	a.must("POST", "snapshots/"+a.AccessKey+"-"+name+"/restore", nil, nil)
}

// A Fault is a rule that makes requests of the account fail, with the members that docs/control-api.md describes:
// Fault{Match: map[string]any{"operation": "PutItem", "times": 1}, Do: map[string]any{"status": 503}}.
type Fault struct {
	Name  string         `json:"name,omitempty"`
	Match map[string]any `json:"match"`
	Do    map[string]any `json:"do"`

	// The server sets these.
	ID      int `json:"id,omitempty"`
	Matches int `json:"matches,omitempty"` // how many requests the rule has matched
	Hits    int `json:"hits,omitempty"`    // how often the rule has fired
}

// AddFaults adds rules for requests of this account. Returns them with their ids. The rules end with the test.
func (a *Account) AddFaults(faults ...Fault) []Fault {
	a.t.Helper()
	var own []object
	for _, fault := range faults {
		match := object{}
		for name, value := range fault.Match {
			match[name] = value
		}
		match["account"] = a.AccessKey
		rule := object{"match": match, "do": fault.Do}
		if fault.Name != "" {
			rule["name"] = fault.Name
		}
		own = append(own, rule)
	}
	var answer struct{ Rules []Fault }
	a.must("POST", "faults", object{"rules": own}, &answer)
	return answer.Rules
}

// Faults returns the rules of this account, with how often each has fired.
func (a *Account) Faults() []Fault {
	a.t.Helper()
	var answer struct{ Rules []Fault }
	a.must("GET", "faults", nil, &answer)
	var own []Fault
	for _, rule := range answer.Rules {
		if rule.Match["account"] == a.AccessKey {
			own = append(own, rule)
		}
	}
	return own
}

// ClearFaults ends the rules of this account.
func (a *Account) ClearFaults() {
	a.t.Helper()
	for _, rule := range a.Faults() {
		err := a.Control("DELETE", fmt.Sprintf("faults/%d", rule.ID), nil, nil)
		if err != nil && !isGone(err) {
			a.t.Fatal(err)
		}
	}
}

// A Clock is the state of the server's clock, which all its accounts share: a test that changes it should Start a server of its own.
// The clock is the machine's again when the test ends.
type Clock struct {
	Mode  string // "real", "frozen" or "scaled"
	Now   time.Time
	Scale float64
}

// Clock returns the state of the clock.
func (a *Account) Clock() Clock {
	a.t.Helper()
	var clock Clock
	a.must("GET", "clock", nil, &clock)
	return clock
}

// FreezeClock stops the clock at an instant, or now if the instant is the zero Time.
func (a *Account) FreezeClock(at time.Time) Clock {
	a.t.Helper()
	if at.IsZero() {
		return a.setClock(object{"frozen": true})
	}
	return a.setClock(object{"frozen": float64(at.UnixMilli()) / 1000})
}

// AdvanceClock moves the clock forward, and deletes the items that have expired by then. The time is rounded down to milliseconds.
func (a *Account) AdvanceClock(by time.Duration) Clock {
	a.t.Helper()
	return a.setClock(object{"advance": fmt.Sprintf("%dms", by.Milliseconds())})
}

// ScaleClock makes the clock run faster or slower than the machine's.
func (a *Account) ScaleClock(factor float64) Clock {
	a.t.Helper()
	return a.setClock(object{"scale": factor})
}

// RealClock sets the clock back to the machine's.
func (a *Account) RealClock() Clock {
	a.t.Helper()
	return a.setClock(object{"mode": "real"})
}

func (a *Account) setClock(change object) Clock {
	a.t.Helper()
	var clock Clock
	a.must("POST", "clock", change, &clock)
	return clock
}

// end is called when the test has ended.
func (a *Account) end() {
	problems := a.begun.end(a.Connection)
	if err := a.Connection.Control("POST", "reset", object{"account": a.AccessKey}, nil); err != nil {
		problems = append(problems, err)
	}
	for _, problem := range problems {
		a.t.Error(problem)
	}
}

func (a *Account) must(method, path string, body, answer any) {
	a.t.Helper()
	if err := a.Control(method, path, body, answer); err != nil {
		a.t.Fatal(err)
	}
}

// object is a JSON object.
type object = map[string]any

func isGone(err error) bool {
	var refusal *ControlError
	return errors.As(err, &refusal) && refusal.Status == 404
}
