// Tests that index.d.ts declares the server's answers and the functions' arguments correctly.

import { readFileSync } from 'node:fs'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as testing from '../../index.mjs'
import { compile } from '../support/compile.mjs'
import { read } from '../support/samples.mjs'
import setup, { ADA, ada } from '../support/tables.cjs'

const textOf = (name) => readFileSync(new URL(`../types/${name}`, import.meta.url), 'utf8')

let own
beforeAll(async () => {
  own = await testing.start({ setup })
})
afterAll(() => own.stop())

test('the answers of the server are of the types', async () => {
  const client = new DynamoDB({ ...own.connection(), maxAttempts: 1 })
  const quietly = (promise) => promise.catch(() => {})
  await own.requests.record()
  const empty = await (await own.measure('empty')).stop()
  const measured = await own.measure('all')
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
  const mine = { account: own.id, table: 'app' }
  const snapshot = await own.control('POST', 'snapshots', { name: 'now', account: own.id })
  await own.control('POST', 'consistency', { ...mine, index_lag: '1ms', stale_reads: { max: '2ms' } })
  await own.hold('app', ada, '5s')
  const refused = await measured.check({ patterns: { GetItem: { read_units: { max: 0.1 } } }, no_scans: true }).catch((error) => error)
  const values = [
    ['RecordedRequest[]', recorded],
    ['FaultRule[]', [...rules, ...(await own.faults.list())]],
    ['ClockState[]', clocks],
    ['Snapshot[]', [snapshot, ...(await own.control('GET', 'snapshots')).snapshots]],
    ['Hold[]', (await own.control('GET', 'holds')).holds],
    ['LaggingTable[]', (await own.control('GET', 'consistency')).tables],
    ['PartitionState', await own.control('POST', 'partitions', { ...mine, mode: 'enforce', seed: 7, parameters: { read_units: 2000, burst: '1s', split_heat: 0.8,
      split_delay: '2m', key_range_error: 'RequestLimitExceeded' } })],
    ['ThroughputState', await own.control('POST', 'throughput', { ...mine, enforce: true })],
    ['RecorderState & { requests: AnyRequest[] }', await own.control('GET', 'requests')],
    ['CollectionsByHash', await own.control('POST', 'collections', mine)],
    ['CollectionsByKey', await own.control('POST', 'collections', { ...mine, order: 'key' })],
    ['Places', await own.control('POST', 'places', { ...mine, key: ada })],
    ['MeasurementSummary[]', (await own.control('GET', 'measurements')).measurements],
    ['Violation[]', refused.violations],
    ['CompareAnswer', await measured.compare(empty)],
    ['Measurement', await measured.stop()],
    ['ItemsOfTables & { warnings?: string[] }', await own.control('POST', 'seed', { data: JSON.stringify(ADA), table: 'app', account: own.id })],
  ]
  expect(values.filter(([, value]) => Array.isArray(value) && value.length === 0)).toEqual([])
  const output = await compile({ 'values.ts': values.map(([type, value], number) => {
    const names = type.match(/[A-Z]\w+/g).filter((name) => name !== 'Record').join(', ')
    return `import type { ${names} } from '@hashrange/testing'\nexport const value${number}: ${type} = ${JSON.stringify(value)}\n`
  }).join('') })
  expect(output).toBe('status 0')
}, 60_000)

test.each(['accepted.ts', 'refused.ts'])('%s compiles: what the functions take, and nothing else', async (name) => {
  expect(await compile({ [name]: textOf(name) })).toBe('status 0')
}, 60_000)

// The declarations of the SDK need those of Node.js, which are not here.
test('client.ts compiles: the functions take clients of the SDK', async () => {
  expect(await compile({ 'client.ts': textOf('client.ts') }, { skipLibCheck: true })).toBe('status 0')
}, 60_000)

// Returns a value of a schema, in which every list has one element, or the least number of them.
function sampleOf({ $ref, type, properties, items, minItems = 1 }, definitions) {
  if ($ref) return sampleOf(definitions[$ref.replace('#/definitions/', '')], definitions)
  if (type === 'array') return Array.from({ length: minItems }, () => sampleOf(items, definitions))
  if (type === 'object') return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, sampleOf(each, definitions)]))
  return { string: 'text', integer: 7, number: 0.5, boolean: true }[type]
}

test('the members of a measurement are those of its schema', async () => {
  const schema = JSON.parse(read('docs/measurement.schema.json'))
  const sample = sampleOf(schema, schema.definitions)
  expect(sample.patterns[0].call.read_units.buckets).toEqual([[0.5, 0.5]])
  const output = await compile({ 'measurement.ts':
    `import type { Measurement } from '@hashrange/testing'\nexport const sample: Measurement = ${JSON.stringify(sample)}\n` })
  expect(output).toBe('status 0')
}, 60_000)

// Returns the names of the rows in one of the tables in the server's sources.
const rowsOf = (path, macro) => [...read(path).matchAll(new RegExp(`^${macro}\\((\\w+)`, 'gm'))].map(([, name]) => name)
const product = (...parts) => parts.reduce((texts, endings) => texts.flatMap((text) => endings.map((ending) => text + ending)), [''])

test('the names of operations, errors and reasons are those of the server', async () => {
  const reasons = product(['Table', 'Index'], ['Read', 'Write'],
    ['ProvisionedThroughputExceeded', 'KeyRangeThroughputExceeded', 'MaxOnDemandThroughputExceeded', 'AccountLimitExceeded'])
  await own.faults.add(reasons.map((throttle) => ({ do: { throttle } })))
  await own.faults.clear()
  const unions = { Operation: rowsOf('src/operation/call/operations.def', 'HR_OPERATION'), ErrorType: rowsOf('src/base/errors.def', 'HR_ERROR'),
    ThrottlingReason: reasons }
  expect(Object.values(unions).map(({ length }) => length > 10)).toEqual([true, true, true])
  const checks = Object.entries(unions).map(([type, names]) =>
    `export const is${type}: Same<${type}, ${names.map((name) => `'${name}'`).join(' | ')}> = true\n`)
  expect(await compile({ 'unions.ts': `import type { ${Object.keys(unions).join(', ')} } from '@hashrange/testing'
    type Same<A, B> = [A, B] extends [B, A] ? true : [Exclude<A, B>, Exclude<B, A>]
    ${checks.join('')}` })).toBe('status 0')
}, 60_000)

test('the package exports what the types declare', () => {
  const text = ['index.d.ts', 'account.d.ts'].map((name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')).join('')
  const declared = [...text.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name)
  expect(Object.keys(testing).sort()).toEqual(declared.sort())
})
