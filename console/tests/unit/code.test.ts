import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { codeOf, type CodePlace, type CodeRequest } from '../../src/model/code'

const kPlace: CodePlace = { endpoint: 'http://127.0.0.1:8000', account: '000000000000', region: 'us-east-1' }
const kQuery: CodeRequest = {
  operation: 'Query',
  input: {
    TableName: 'app', KeyConditionExpression: '#PK = :PK', ExpressionAttributeNames: { '#PK': 'PK' },
    ExpressionAttributeValues: { ':PK': { S: 'USER#ada' }, ':b': { B: 'AA==' } }, ScanIndexForward: false, Limit: 50
  }
}
const kHostileTexts = [
  `'`, `"`, '\\', `\\'`, '`${process.exit(1)}`', '$(touch /tmp/x)', '`id`', '$HOME', '!!', '\n', '\r', '\t\u0000\u0001\u007f', '\u2028\u2029', '\ud800', '😀',
  '-- ', '*/', '#', '%s', '{0}', '</script>', 'None', '{}', `'''`, `"""`, '\\u0041', '\\N{DIGIT ONE}', ''
]
const kHostile: CodeRequest = {
  operation: 'TransactWriteItems',
  input: {
    TransactItems: [
      { Put: { TableName: 'a', Item: Object.fromEntries([...kHostileTexts, '__proto__', 'constructor', 'S'].map((text) => [text, { S: text }])) } },
      { Delete: { TableName: 'a', Key: {
        l: { L: [{ B: 'AQID' }, { M: { ['__proto__']: { N: '12345678901234567890123456789012345678' } } }, { BS: ['AQ==', 'Ag=='] }, { NULL: true }, { BOOL: false }] }
      } } }
    ],
    ClientRequestToken: kHostileTexts.join('')
  }
}
// Base64 as the languages give it to the stub: bytes are printed as their numbers.
// Another program takes long to start while others build.
const kForeignProgramMs = 60_000
const kHostileBytes = JSON.stringify(kHostile.input)
  .replace('"AQID"', '[1,2,3]').replace('"AQ==","Ag=="', '[1],[2]')

it('writes a Query in JavaScript', () => {
  expect(codeOf('javascript', kQuery, kPlace)).toBe(`import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'

const client = new DynamoDBClient({
  endpoint: 'http://127.0.0.1:8000',
  region: 'us-east-1',
  credentials: { accessKeyId: '000000000000', secretAccessKey: 'hashrange' },
})
const answer = await client.send(new QueryCommand({
  TableName: 'app',
  KeyConditionExpression: '#PK = :PK',
  ExpressionAttributeNames: { '#PK': 'PK' },
  ExpressionAttributeValues: { ':PK': { S: 'USER#ada' }, ':b': { B: Buffer.from('AA==', 'base64') } },
  ScanIndexForward: false,
  Limit: 50,
}))
console.log(answer)
`)
})

it('writes a Query in Python', () => {
  expect(codeOf('python', kQuery, kPlace)).toBe(`import base64

import boto3

client = boto3.client(
    "dynamodb",
    endpoint_url="http://127.0.0.1:8000",
    region_name="us-east-1",
    aws_access_key_id="000000000000",
    aws_secret_access_key="hashrange",
)
answer = client.query(
    TableName="app",
    KeyConditionExpression="#PK = :PK",
    ExpressionAttributeNames={"#PK": "PK"},
    ExpressionAttributeValues={":PK": {"S": "USER#ada"}, ":b": {"B": base64.b64decode("AA==")}},
    ScanIndexForward=False,
    Limit=50,
)
print(answer)
`)
})

it('writes a Query for the command line', () => {
  expect(codeOf('cli', kQuery, kPlace)).toBe(`export AWS_ACCESS_KEY_ID=000000000000 AWS_SECRET_ACCESS_KEY=hashrange
aws dynamodb query \\
  --table-name app \\
  --key-condition-expression '#PK = :PK' \\
  --expression-attribute-names '{"#PK":"PK"}' \\
  --expression-attribute-values '{":PK":{"S":"USER#ada"},":b":{"B":"AA=="}}' \\
  --no-scan-index-forward \\
  --limit 50 \\
  --endpoint-url http://127.0.0.1:8000 \\
  --region us-east-1
`)
})

describe('hostile texts arrive as they are', () => {
  // Runs the code with a stub in the place of the SDK, and returns the JSON of what the stub was given.
  it('in JavaScript', () => {
    const code = codeOf('javascript', kHostile, kPlace).replace(/^import .*$/m, `
class DynamoDBClient { async send(command) { return command } }
class TransactWriteItemsCommand { constructor(input) { this.input = input } }
const bytes = (name, value) => value?.type === 'Buffer' ? value.data : value`).replace('console.log(answer)', 'console.log(JSON.stringify(answer.input, bytes))')
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
    expect(printed.trim()).toBe(kHostileBytes)
    expect(Object.hasOwn(JSON.parse(printed).TransactItems[0].Put.Item, '__proto__')).toBe(true)
  })

  it('in Python', () => {
    const stub = `
import json, sys
class Client:
    def transact_write_items(self, **given):
        return json.dumps(given, separators=(",", ":"), ensure_ascii=True, default=list)
class boto3:
    client = staticmethod(lambda *all, **named: Client())
`
    const code = codeOf('python', kHostile, kPlace).replace('import boto3', stub)
    const printed = execFileSync('python3', ['-'], { input: code, encoding: 'utf8' })
    expect(JSON.stringify(JSON.parse(printed))).toBe(kHostileBytes)
  }, kForeignProgramMs)

  it('on the command line', () => {
    // A word of a shell has no NUL byte, and UTF-8 no half of a character; JSON escapes both.
    const request = { ...kHostile, input: { ...kHostile.input, ClientRequestToken: kHostileTexts.join('').replace(/[\u0000\ud800]/g, '') } }
    const code = `aws() { printf '%s\\0' "$@"; }\n${codeOf('cli', request, kPlace)}`
    execFileSync('bash', ['-n'], { input: code })
    const words = execFileSync('bash', ['-s'], { input: code, encoding: 'utf8' }).split('\0').slice(0, -1)
    expect(words.slice(0, 3)).toEqual(['dynamodb', 'transact-write-items', '--transact-items'])
    const { TransactItems, ClientRequestToken } = request.input as { TransactItems?: unknown; ClientRequestToken: string }
    expect(words[3]).toBe(JSON.stringify(TransactItems))
    expect(words.slice(4, 6)).toEqual(['--client-request-token', ClientRequestToken])
  }, kForeignProgramMs)
})

it('quotes what a shell would read', () => {
  const command = codeOf('cli', { operation: 'Query', input: { TableName: `it's`, KeyConditionExpression: '$(id) `id` "x" \\' } }, kPlace)
  expect(command).toContain(`--table-name 'it'\\''s'`)
  const words = execFileSync('bash', ['-s'], { input: `aws() { printf '%s\\0' "$@"; }\n${command}`, encoding: 'utf8' }).split('\0')
  expect(words.slice(0, 6)).toEqual(['dynamodb', 'query', '--table-name', `it's`, '--key-condition-expression', '$(id) `id` "x" \\'])
})
