// Code that the declarations must accept. It is compiled, never run.

import { account, clock, connection, control, faults, fork, hold, measure, pattern, requests, reset, restore, snapshot, start } from '@hashrange/testing'
import type { Account, Fault, FaultRule, Time } from '@hashrange/testing'
import { globalSetup, globalTeardown, hashrange as jest } from '@hashrange/testing/jest'
import { checkLab, explainLab, LabError, labSchema, labStarter, runLab } from '@hashrange/testing/lab'
import { openDatabase } from '@hashrange/testing/module'
import { hashrange as vitest } from '@hashrange/testing/vitest'

reset(); reset('app'); reset({ table: 'app' })
snapshot('a'); restore('a'); fork(); connection().credentials.accessKeyId

hold('app', { PK: { S: '1' } }).then(({ id, release }) => [id.toFixed(), release()])
hold('app', {}, '5s'); hold('app', {}, '500ms'); hold('app', {}, { timeout: '5m' })
const days = 2
const time: Time = `${days}d`
clock.advance('2d'); clock.advance(time); clock.advance('2h')
clock.freeze(); clock.freeze(new Date(0)); clock.freeze(0); clock.freeze('2026-01-01T00:00:00Z'); clock.freeze(new Date(0).toISOString())
clock.scale(2).then(({ mode, epoch_ms }) => mode === 'scaled' && epoch_ms.toFixed())

faults.add({ match: { operation: 'PutItem', times: 2 }, do: { status: 503 } }).then(([rule]) => rule && rule.hits + rule.matches)
const rule: Fault = { match: { key: { PK: { S: '1' } } }, do: { drop: 'before', latency: '5ms' } }
faults.add(rule, [rule, rule]); faults.add({ do: { latency: { min: '10ms', max: '90ms' } } })
faults.add({ match: { operation: ['GetItem', 'Query'], key_prefix: { PK: 'USER#' }, skip: 1, every: 2, probability: 0.5 }, do: { latency: '1s' } })
faults.add({ do: { throttle: 'TableWriteKeyRangeThroughputExceeded' } }, { do: { throttle: 'IndexReadAccountLimitExceeded' } })
faults.add({ do: { throttle: { reason: 'TableReadMaxOnDemandThroughputExceeded', exception: 'ThrottlingException', message: 'Slow down' } } })
faults.add({ do: { error: { type: 'InternalServerError' } } }, { do: { error: { type: 'ThrottlingException', message: 'Rate exceeded' } } })
faults.add({ do: { error: { type: 'TransactionCanceledException', reasons: ['None', 'TransactionConflict'] } } })
faults.add({ do: { drop: 'after' } }, { do: { unprocessed: 2 } }, { do: { conflict: true } }, { do: { in_progress: true } })
faults.add({ do: { collection_full: true, latency: '50ms' } }, { do: { status: 500 } })
faults.list().then((rules: FaultRule[]) => rules.map(({ do: { throttle, drop } }) => throttle === 'TableReadAccountLimitExceeded' || drop === 'after'))

requests.record(); requests.record(10); requests.record({ limit: 10 }); requests.stop(); requests.clear()
requests.list({ table: 'app', operation: 'Query', region: 'us-east-1', since: 7 })
requests.list().then(([request]) => request?.accesses[0]?.sort_key === 'begins_with' && request.dropped)

measure('checkout'); measure('checkout', { tables: ['app'], region: 'us-east-1', separators: '#', window: '10s', type_attribute: 'type' })
measure('checkout').then(async (measured) => {
  const [first] = (await measured.read()).patterns
  measured.name + first?.units[0]?.read_units.toFixed() + first?.call.read_units.p99
  measured.check({ patterns: { 'orders of a customer': { read_units: { p99: 1 }, examined_per_returned: 1.5 }, '*': { errors: 0 } }, no_scans: true })
  measured.check('budgets.json', { names: [{ name: 'a user', operation: 'GetItem', partition_key: 'USER#*' }] }).then(({ passed }) => passed)
  measured.check({ tables: { app: { usd_per_month: 40 } }, first_limit: 500, findings: { severe: 0 }, rates: { 'a user': 7 } }, { profile: 'aws' })
  measured.compare(await measured.read()).then((answer) => answer?.regressions[0]?.sentence)
  measured.compare('baseline.json'); measured.compare('baseline.json', { update: true, rates: { 'a user': 7 } })
  const text: string = (await measured.report()) + (await measured.report({ format: 'html', options: { profile: 'single-table' } }))
  const json: object = await measured.report({ format: 'json', against: [await measured.stop()] })
  return [text, json]
})
declare const client: { middlewareStack: { add(middleware: () => number, options?: { step: 'build' }): void } }
pattern('a user', client, async () => 7).then((seven) => seven.toFixed()); pattern('a user', client, () => 7).then((seven) => seven.toFixed())

const mine = { account: account().id }
const own = { ...mine, table: 'app' }
control('GET', '').then(({ pid }) => pid.toFixed())
control('POST', 'throughput', { ...mine, enforce: true }).then(({ rules, tables }) => [rules[0]?.enforce, tables[0]?.write?.units_left])
control('DELETE', 'throughput'); control('DELETE', 'throughput', own)
control('POST', 'partitions', { ...mine, mode: 'watch' }).then(({ tables }) => tables[0]?.resources[0]?.partitions[0]?.write_heat.toFixed())
control('POST', 'partitions', { ...own, mode: 'enforce', seed: 7, parameters: { write_units: 5, burst: '1s', split_heat: 0.5, split_delay: { max: '2m' },
  key_range_error: 'ThrottlingException' } }).then(({ rules }) => [rules[0]?.parameters.burst?.toFixed(), rules[0]?.parameters.split_delay?.max.toFixed()])
control('GET', 'partitions').then(({ rules }) => rules[0]?.mode === 'watch'); control('GET', 'partitions?table=app').then(({ tables }) => tables[0]?.seed.toFixed()); control('DELETE', 'partitions'); control('DELETE', 'partitions', own)
control('POST', 'collections', { ...own, at: 0.5, items: 3 }).then(({ collections }) => collections[0]?.first_page?.Items[0]); control('POST', 'collections', { ...own, order: 'key', prefix: 'USER#', entity: 1, directory: 'd1' })
  .then((found) => found.order === 'key' ? found.entities[0]?.attributes : found.collections[0]?.has_more_items)
control('POST', 'places', { ...own, key: { PK: { S: 'a' } } }).then(({ absent }) => absent[0]?.reason)
control('POST', 'changes', { ...own, limit: 10 }).then(({ last_id }) => control('GET', `changes?table=app&since=${last_id}`)).then(({ changes }) => changes[0]?.new)
control('POST', 'consistency', { ...own, index_lag: '200ms', stale_reads: { min: '1s', max: '3s' }, seed: 7 })
control('GET', 'consistency').then(({ tables }) => tables[0]?.waiting.index_lag)
control('POST', 'status', { ...own, index: 'GSI1', status: 'UPDATING' }).then(({ status }) => status === 'CREATING')
control('POST', 'clock', { mode: 'real' }); control('POST', 'clock', { frozen: true, advance: '2d' }); control('POST', 'clock', { scale: 60 })
control('POST', 'clock', { advance: '2d' }); control('POST', 'clock', { frozen: '2026-01-31T12:00:00Z' }).then(({ now }) => now)
control('POST', 'seed', { path: './folder' }); control('POST', 'seed', { data: 'PK\n1\n', format: 'csv', table: 'app', definition: {} })
control('POST', 'dump', { path: '/tmp/dump', gzip: true, overwrite: true }).then((dumped) => typeof dumped === 'object' && dumped.tables['app'])
control('POST', 'dump', { table: 'app', format: 'json' }).then((text) => typeof text === 'string' && text.split('\n'))
control('POST', 'fork', { from: '111122223333', to: '444455556666' }); control('POST', 'fork', { from: '111122223333', to: '444455556666', durable: true }); control('POST', 'reset'); control('POST', 'reset', { simulation: true })
control('POST', 'snapshots', { name: 'a' }).then(({ items }) => control('POST', `snapshots/${items}/restore`))
control('DELETE', 'snapshots/a'); control('GET', 'snapshots').then(({ snapshots }) => snapshots[0]?.size_bytes)
control('POST', 'holds', { ...own, key: { PK: { N: '1' } }, timeout: '5m' }).then(({ id }) => control('DELETE', `holds/${id}`))
control('GET', 'holds').then(({ holds }) => holds[0]?.until)
control('POST', 'faults', { seed: 7, rules: [{ match: mine, do: { status: 503 } }] }).then(({ rules }) => control('GET', `faults/${rules[0]!.id}`))
control('POST', 'measurements', { name: 'checkout', ...mine, tables: ['app'] }).then(({ began }) => began)
control('GET', 'measurements').then(({ measurements }) => control('GET', `measurements/${measurements[0]!.name}`)).then(({ time }) => time.buckets[0]?.calls)
control('POST', 'measurements/a/report', { format: 'text' }); control('POST', 'measurements/a/report')
control('POST', 'measurements/a/check', { budgets: { no_scans: true } }).then(({ violations }) => violations[0]?.allowed)
control('DELETE', 'measurements/a').then((against) => control('POST', 'measurements/b/compare', { against, options: { rates: {} } }))
control('DELETE', 'measurements').then(({ measurements }) => measurements.toFixed())
control('DELETE', 'faults'); control('DELETE', 'faults/1'); control('GET', 'metrics').then((text) => text.split('\n'))
control('POST', 'metrics').then(({ enabled }) => enabled === true); control('POST', 'metrics', { enabled: true })
control('POST', 'requests', { enabled: true, limit: 10 }).then(({ last_id }) => control('GET', `requests?since=${last_id}`))
control('GET', 'requests').then(({ requests: [first] }) => first?.operation?.length); control('DELETE', `requests?account=${account().id}`)
const path: string = ['holds', 'faults'][0]!
control('GET', path).then((answer) => answer.holds)

start({ setup: (seed) => seed.control('GET', ''), args: ['--shared'] }).then((server: Account) => server.seed)
start({ setup: './tables.mjs', fork: false }).then((server) => server.stop())
vitest({ setup: () => 1, fork: 'test' }).name; vitest()
jest({ setup: './tables.mjs' }).globalSetup; globalSetup({}, {}); globalTeardown()

openDatabase().then((db) => [db.connection().requestHandler.metadata, db.account('111122223333').fork(), db.clock.advance('2d'), db.close()])
openDatabase({ setup: async (seed) => seed.reset(), transitionMs: 50, sharedTables: true, region: 'eu-west-1', maxMemoryBytes: 1e9 })

runLab('lab: 1', { scale: [1, 10], thin: 2, vary: ['rates.a=1/s..2/s'], html: true, seconds: 5, noConfirm: true, onProgress: (done) => done.toFixed() })
  .then(({ stopped, html, messages }) => [stopped === true, html?.length, messages[0]?.length])
checkLab(new Uint8Array(), { layout: 'plain', signal: new AbortController().signal }).then(({ holds }) => holds === true)
explainLab('lab: 1', { columns: 90, json: true }).then(({ json }) => json?.length); labSchema().then((text) => text.length); labStarter()
new LabError('no').message.length
