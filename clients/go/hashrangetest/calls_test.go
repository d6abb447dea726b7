package hashrangetest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashrange/hashrange/clients/go/hashrangetest"
)

// call makes a call of DynamoDB, as an SDK does, and returns the status and the answer. The signature is not verified.
func call(connection hashrangetest.Connection, operation string, body any) (int, map[string]any, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequest("POST", connection.Endpoint, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	request.Header.Set("X-Amz-Date", "20260101T000000Z")
	request.Header.Set("Authorization", fmt.Sprintf("AWS4-HMAC-SHA256 Credential=%s/20260101/%s/dynamodb/aws4_request, "+
		"SignedHeaders=host;x-amz-date, Signature=00", connection.AccessKey, connection.Region))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer := map[string]any{}
	return response.StatusCode, answer, json.NewDecoder(response.Body).Decode(&answer)
}

// ok makes a call that succeeds.
func ok(t *testing.T, account *hashrangetest.Account, operation string, body any) map[string]any {
	t.Helper()
	status, answer, err := call(account.Connection, operation, body)
	if err != nil || status != 200 {
		t.Fatalf("%s: %d %v %v", operation, status, answer, err)
	}
	return answer
}

// fails makes a call that fails, and returns the type of the error.
func fails(t *testing.T, account *hashrangetest.Account, operation string, body any) string {
	t.Helper()
	status, answer, err := call(account.Connection, operation, body)
	if err != nil || status == 200 {
		t.Fatalf("%s: %d %v %v", operation, status, answer, err)
	}
	kind := fmt.Sprint(answer["__type"])
	return kind[strings.LastIndex(kind, "#")+1:]
}

type object = map[string]any

func item(name string) object { return object{"PK": object{"S": "USER#" + name}} }

func put(name string) object { return object{"TableName": "app", "Item": item(name)} }

// count returns how many items there are.
func count(t *testing.T, account *hashrangetest.Account) float64 {
	t.Helper()
	return ok(t, account, "Scan", object{"TableName": "app"})["Count"].(float64)
}

func createTable(seed hashrangetest.Connection) error {
	for _, each := range []struct {
		operation string
		body      any
	}{
		{"CreateTable", object{"TableName": "app", "BillingMode": "PAY_PER_REQUEST",
			"KeySchema":            []object{{"AttributeName": "PK", "KeyType": "HASH"}},
			"AttributeDefinitions": []object{{"AttributeName": "PK", "AttributeType": "S"}}}},
		{"PutItem", put("ada")},
	} {
		status, answer, err := call(seed, each.operation, each.body)
		if err != nil {
			return err
		}
		if status != 200 {
			return fmt.Errorf("%s: %v", each.operation, answer)
		}
	}
	return nil
}
