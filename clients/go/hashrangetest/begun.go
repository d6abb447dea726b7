package hashrangetest

import (
	"encoding/json"
	"fmt"
	"sync"
)

// begun lists what a test has started, each with the call that ends it.
type begun struct {
	mutex   sync.Mutex
	endings []call
}

type call struct {
	method, path string
	body         any
}

// note remembers what a successful call has started.
func (b *begun) note(account *Account, method, path string, body any, answer string) {
	ending := endings[path]
	if method != "POST" || ending == nil {
		return
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.endings = append(b.endings, ending(objectOf(body), decoded(answer), account)...)
}

// end makes the calls in reverse order. A thing that has ended by itself is no error. It returns the other errors.
func (b *begun) end(connection Connection) []error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	var problems []error
	for last := len(b.endings) - 1; last >= 0; last-- {
		ending := b.endings[last]
		if err := connection.Control(ending.method, ending.path, ending.body, nil); err != nil && !isGone(err) {
			problems = append(problems, err)
		}
	}
	b.endings = nil
	return problems
}

// endings has, for the path of a POST, the calls that end what it starts: a function of its body, its answer, and the calling account.
var endings = map[string]func(body, answer object, account *Account) []call{
	"clock": func(body, answer object, account *Account) []call {
		return []call{{"POST", "clock", object{"mode": "real"}}}
	},
	"consistency": func(body, answer object, account *Account) []call {
		place := object{"account": "000000000000", "region": "us-east-1"}
		for name, value := range scopeOf(body) {
			place[name] = value
		}
		return []call{{"DELETE", "consistency", place}}
	},
	"faults": func(body, answer object, account *Account) []call {
		var calls []call
		rules, _ := answer["rules"].([]any)
		for _, rule := range rules {
			calls = append(calls, call{"DELETE", "faults/" + idOf(rule), nil})
		}
		return calls
	},
	"holds": func(body, answer object, account *Account) []call {
		return []call{{"DELETE", "holds/" + idOf(answer), nil}}
	},
	"measurements": func(body, answer object, account *Account) []call {
		return []call{{"DELETE", fmt.Sprintf("measurements/%v", answer["name"]), nil}}
	},
	"partitions": func(body, answer object, account *Account) []call {
		return []call{{"DELETE", "partitions", scopeOf(body)}}
	},
	// The recorder itself stays on: another test may use it.
	"requests": func(body, answer object, account *Account) []call {
		return []call{{"DELETE", "requests?account=" + account.AccessKey, nil}}
	},
	"snapshots": func(body, answer object, account *Account) []call {
		return []call{{"DELETE", fmt.Sprintf("snapshots/%v", answer["name"]), nil}}
	},
	"status": func(body, answer object, account *Account) []call {
		body["status"] = "ACTIVE"
		return []call{{"POST", "status", body}}
	},
	"throughput": func(body, answer object, account *Account) []call {
		return []call{{"DELETE", "throughput", scopeOf(body)}}
	},
}

func scopeOf(body object) object {
	scope := object{}
	for _, name := range []string{"account", "region", "table"} {
		if value, is := body[name]; is {
			scope[name] = value
		}
	}
	return scope
}

// idOf returns the id of a rule or a hold; ids are whole numbers.
func idOf(value any) string {
	members, _ := value.(object)
	id, _ := members["id"].(float64)
	return fmt.Sprintf("%.0f", id)
}

// objectOf returns the members of a body as JSON has them.
func objectOf(body any) object {
	text, _ := json.Marshal(body) // it was sent, so it is JSON
	return decoded(string(text))
}

func decoded(text string) object {
	members := object{}
	json.Unmarshal([]byte(text), &members) // an answer that is no object has no members
	if members == nil {
		return object{}
	}
	return members
}
