package hashrangetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// A Connection is what an AWS SDK needs to connect as an account. An access key of 12 digits is the account's id.
type Connection struct {
	Endpoint  string
	Region    string
	AccessKey string
	SecretKey string
	token     string
}

// Environment returns the same as variables for SDKs, such as exec.Cmd.Env has them: "AWS_REGION=us-east-1".
func (c Connection) Environment() []string {
	return []string{
		"AWS_ENDPOINT_URL_DYNAMODB=" + c.Endpoint, "AWS_ENDPOINT_URL_DYNAMODB_STREAMS=" + c.Endpoint,
		"AWS_REGION=" + c.Region, "AWS_DEFAULT_REGION=" + c.Region,
		"AWS_ACCESS_KEY_ID=" + c.AccessKey, "AWS_SECRET_ACCESS_KEY=" + c.SecretKey,
		"AWS_SESSION_TOKEN=", "AWS_PROFILE=", // these would take precedence
	}
}

// A ControlError is the server's refusal of a call of the control API.
type ControlError struct {
	Status  int    // the HTTP status
	Message string // the server's sentence, after the call: "hashrange: POST clock: …"
}

func (e *ControlError) Error() string { return e.Message }

// Control makes a call of the control API: Control("POST", "clock", map[string]any{"advance": "2d"}, nil). A body or an answer may be
// nil. The answer is decoded from JSON; a *string gets it as text. It adds no account to the call.
//
// Errors: a *ControlError when the server refuses the call.
func (c Connection) Control(method, path string, body, answer any) error {
	text, err := c.exchange(method, path, body)
	if err != nil {
		return err
	}
	if err := decode(text, answer); err != nil {
		return fmt.Errorf("hashrange: %s %s: the answer is not as expected: %w", method, path, err)
	}
	return nil
}

// decode stores an answer: in a *string as text, in anything else from JSON, in nil not at all.
func decode(text string, answer any) error {
	if whole, is := answer.(*string); is {
		*whole = text
		return nil
	}
	if answer == nil || text == "" {
		return nil
	}
	return json.Unmarshal([]byte(text), answer)
}

// direct ignores proxies in the environment. It keeps no connection: a server may close one at the moment at which it is used again.
var direct = &http.Client{Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true}}

func (c Connection) exchange(method, path string, body any) (string, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return "", fmt.Errorf("hashrange: %s %s: the body is no JSON: %w", method, path, err)
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, c.Endpoint+"/_hashrange/"+path, content)
	if err != nil {
		return "", fmt.Errorf("hashrange: %s %s: %w", method, path, err)
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := direct.Do(request)
	if err != nil {
		return "", fmt.Errorf("hashrange: %s does not answer: %w", c.Endpoint, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return "", fmt.Errorf("hashrange: %s does not answer: %w", c.Endpoint, err)
	}
	if response.StatusCode >= 300 {
		return "", &ControlError{response.StatusCode, fmt.Sprintf("hashrange: %s %s: %s", method, path, sentenceOf(response.Status, text))}
	}
	return string(text), nil
}

func sentenceOf(status string, text []byte) string {
	var refusal struct{ Error string }
	if json.Unmarshal(text, &refusal) == nil && refusal.Error != "" {
		return refusal.Error
	}
	return status
}
