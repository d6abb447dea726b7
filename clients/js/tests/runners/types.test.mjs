// index.d.ts says what the server answers and what the functions take.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as testing from '../../index.mjs'
import { project } from '../support/project.mjs'
import setup, { ADA, ada } from '../support/tables.cjs'

const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const OPTIONS = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: [], exactOptionalPropertyTypes: true }

let own
let made
beforeAll(async () => {
  own = await testing.start({ setup })
})
afterEach(() => made.remove())
afterAll(() => own.stop())

/** What the compiler says of a text, 'status 0' where it says nothing. */
async function compile(text) {
  const config = JSON.stringify({ compilerOptions: OPTIONS, files: ['text.ts'] })
  made = project({ 'tsconfig.json': config, 'text.ts': text, 'package.json': '{"type":"module"}' })
  const done = await promisify(execFile)(process.execPath, [TSC, '--project', made.folder]).catch((error) => error)
  return `${done.stdout}status ${done.code ?? 0}`
}

/** Of each line behind a head of one line, whether the compiler has something against it. */
async function refused(head, lines) {
  const output = await compile([head, ...lines].join('\n'))
  return lines.filter((_, number) => output.includes(`text.ts(${number + 2},`))
}

const HEAD = [
  "import { account, clock, connection, control, faults, fork, hold, requests, reset, restore, snapshot, start } from '@hashrange/testing'",
  "import type { Account, ClockState, FaultRule, RecordedRequest } from '@hashrange/testing'",
  "import { hashrange as vitest } from '@hashrange/testing/vitest'",
  "import { hashrange as jest, globalSetup, globalTeardown } from '@hashrange/testing/jest'",
].join('; ')

test('the answers of the server are of the types', async () => {
  const client = new DynamoDB({ ...own.connection(), maxAttempts: 1 })
  const quietly = (promise) => promise.catch(() => {})
  await own.requests.record()
  for (const condition of ['', ' AND SK = :SK', ' AND SK < :SK', ' AND SK <= :SK', ' AND SK > :SK', ' AND SK >= :SK',
    ' AND SK BETWEEN :SK AND :SK', ' AND begins_with(SK, :SK)']) {
    await client.query({ TableName: 'app', KeyConditionExpression: `PK = :PK${condition}`,
      ExpressionAttributeValues: { ':PK': ada.PK, ...(condition && { ':SK': ada.SK }) } })
  }
  await client.scan({ TableName: 'app' })
  await client.getItem({ TableName: 'app', Key: ada })
  await client.transactWriteItems({ TransactItems: [{ Put: { TableName: 'app', Item: { ...ADA, SK: { S: 'OTHER' } } } },
    { ConditionCheck: { TableName: 'app', Key: ada, ConditionExpression: 'attribute_exists(PK)' } }] })
  await client.updateTable({ TableName: 'app', AttributeDefinitions: [{ AttributeName: 'SK', AttributeType: 'S' }],
    GlobalSecondaryIndexUpdates: [{ Create: { IndexName: 'GSI1', Projection: { ProjectionType: 'ALL' },
      KeySchema: [{ AttributeName: 'SK', KeyType: 'HASH' }] } }] })
  await client.putItem({ TableName: 'app', Item: { ...ADA, SK: { S: 'THIRD' } } })
  await client.query({ TableName: 'app', IndexName: 'GSI1', KeyConditionExpression: 'SK = :SK',
    ExpressionAttributeValues: { ':SK': ada.SK } })
  const rules = await own.faults.add(
    { name: 'all of it', match: { operation: ['PutItem', 'UpdateItem'], table: 'app', region: 'us-east-1', key_prefix: { PK: 'NOBODY' }, skip: 1,
      every: 2, times: 3, probability: 0.5 }, do: { error: { type: 'InternalServerError' }, latency: { min: '1ms', max: '2ms' } } },
    { match: { operation: 'Scan' }, do: { status: 503 } },
    { match: { operation: 'GetItem', key: ada }, do: { drop: 'after', latency: '1ms' } },
  )
  await quietly(client.scan({ TableName: 'app' }))
  await quietly(client.getItem({ TableName: 'app', Key: ada }))
  const recorded = await own.requests.list()
  const members = new Set(recorded.flatMap((each) => [...Object.keys(each), ...each.accesses.flatMap(Object.keys)]))
  expect([...members]).toEqual(expect.arrayContaining(['error', 'delay_ms', 'dropped', 'sort_key', 'index', 'index_units', 'examined']))
  const clocks = [await own.clock.now(), await own.clock.freeze(), await own.clock.scale(2), await own.clock.real()]
  const output = await compile(`${HEAD}
    export const recorded: RecordedRequest[] = ${JSON.stringify(recorded)}
    export const rules: FaultRule[] = ${JSON.stringify([...rules, ...(await own.faults.list())])}
    export const clocks: ClockState[] = ${JSON.stringify(clocks)}`)
  expect(output).toBe('status 0')
}, 60_000)

test('what the functions take compiles, and nothing else', async () => {
  const right = [
    "reset(); reset('app'); reset({ table: 'app' })",
    "hold('app', { PK: { S: '1' } }).then(({ id, release }) => [id.toFixed(), release()])",
    "hold('app', {}, '5s'); hold('app', {}, { timeout: '5s' })",
    "faults.add({ match: { operation: 'PutItem', times: 2 }, do: { status: 503 } }).then(([{ hits, matches }]) => hits + matches)",
    "const rule = { match: { key: { PK: { S: '1' } } }, do: { drop: 'before', latency: '5ms' } }; faults.add(rule, [rule])",
    "requests.record(); requests.record(10); requests.record({ limit: 10 }); requests.stop(); requests.clear()",
    "requests.list({ table: 'app', operation: 'Query', region: 'us-east-1', since: 7 })",
    "requests.list().then(([{ accesses }]) => accesses[0].sort_key === 'begins_with')",
    "clock.freeze(); clock.freeze(new Date(0)); clock.freeze(0); clock.freeze('2026-01-01T00:00:00Z'); clock.advance('2d'); clock.scale(2)",
    "snapshot('a'); restore('a'); fork(); connection().credentials.accessKeyId",
    "control('POST', 'throughput', { account: account().id, enforce: true }).then(({ rules }) => rules)",
    "start({ setup: (seed) => seed.control('GET', ''), args: ['--shared'] }).then((own: Account) => own.seed)",
    "start({ setup: './tables.mjs', fork: false }).then((own) => own.stop())",
    "vitest({ setup: () => 1, fork: 'test' }).name; vitest()",
    "jest({ setup: './tables.mjs' }).globalSetup; globalSetup({}, {}); globalTeardown()",
  ]
  const wrong = [
    "reset({ tabel: 'app' })", 'reset({})', "reset(7)", "fork('app')", "connection({})", "snapshot()", "hold('app', 'USER#1')",
    "hold('app', {}, { until: '5s' })", "faults.add({ operation: 'PutItem', do: { status: 503 } })", "faults.add({ match: {} })",
    "faults.add({ do: { stauts: 503 } })", "requests.list('app')", "requests.list({ name: 'app' })", "clock.advance()",
    "clock.freeze({ at: 0 })", "control('throughput', { enforce: true })", "start({ seeds: '.' })", "start('./tables.mjs')",
    "vitest({ forks: 'test' })", "jest({ setup: () => 1 })",
  ]
  expect(await refused(HEAD, [...right, ...wrong])).toEqual(wrong)
}, 60_000)

test('the package exports what the types declare', () => {
  const text = readFileSync(new URL('../../index.d.ts', import.meta.url), 'utf8')
  const declared = [...text.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name)
  expect(Object.keys(testing).sort()).toEqual(declared.sort())
  made = project({})
})
