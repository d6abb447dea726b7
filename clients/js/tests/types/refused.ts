// Code that the declarations must refuse: the compiler reports each comment below that is not followed by an error.

import { clock, connection, control, faults, fork, hold, measure, pattern, requests, reset, snapshot, start } from '@hashrange/testing'
import { hashrange as jest } from '@hashrange/testing/jest'
import { checkLab, runLab } from '@hashrange/testing/lab'
import { hashrange as vitest } from '@hashrange/testing/vitest'

// @ts-expect-error
reset({ tabel: 'app' })
// @ts-expect-error
reset({})
// @ts-expect-error
reset(7)
// @ts-expect-error
fork('app')
// @ts-expect-error
connection({})
// @ts-expect-error
snapshot()
// @ts-expect-error
requests.list('app')
// @ts-expect-error
requests.list({ name: 'app' })
// @ts-expect-error
start({ seeds: '.' })
// @ts-expect-error
start('./tables.mjs')
// @ts-expect-error
vitest({ forks: 'test' })
// @ts-expect-error
jest({ setup: () => 1 })

// @ts-expect-error
hold('app', 'USER#1')
// @ts-expect-error
hold('app', { PK: 'USER#1' })
// @ts-expect-error
hold('app', {}, 5000)
// @ts-expect-error
hold('app', {}, '5')
// @ts-expect-error
hold('app', {}, 'soon')
// @ts-expect-error
hold('app', {}, '5w')
// @ts-expect-error
hold('app', {}, { timeout: 5000 })
// @ts-expect-error
hold('app', {}, { until: '5s' })
// @ts-expect-error
clock.advance()
// @ts-expect-error
clock.advance(5000)
// @ts-expect-error
clock.advance('2 days')
// @ts-expect-error
clock.freeze({ at: 0 })

// @ts-expect-error
faults.add({ operation: 'PutItem', do: { status: 503 } })
// @ts-expect-error
faults.add({ match: {} })
// @ts-expect-error
faults.add({ match: { operation: 'PutItems' }, do: { status: 503 } })
// @ts-expect-error
faults.add({ match: { operation: ['GetItem', 'Get'] }, do: { status: 503 } })
// @ts-expect-error
faults.add({ match: { key: { PK: { S: '1' } }, key_prefix: { PK: 'U' } }, do: { status: 503 } })
// @ts-expect-error
faults.add({ match: { key_prefix: { PK: { S: 'U' } } }, do: { status: 503 } })
// @ts-expect-error
faults.add({ do: {} })
// @ts-expect-error
faults.add({ do: { stauts: 503 } })
// @ts-expect-error
faults.add({ do: { status: 504 } })
// @ts-expect-error
faults.add({ do: { status: 503, drop: 'after' } })
// @ts-expect-error
faults.add({ do: { drop: true } })
// @ts-expect-error
faults.add({ do: { drop: 'during' } })
// @ts-expect-error
faults.add({ do: { throttle: 'TableWriteThroughputExceeded' } })
// @ts-expect-error
faults.add({ do: { throttle: true } })
// @ts-expect-error
faults.add({ do: { throttle: { exception: 'ThrottlingException' } } })
// @ts-expect-error
faults.add({ do: { throttle: { reason: 'TableReadAccountLimitExceeded', exception: 'ValidationException' } } })
// @ts-expect-error
faults.add({ do: { error: 'InternalServerError' } })
// @ts-expect-error
faults.add({ do: { error: { type: 'InternalError' } } })
// @ts-expect-error
faults.add({ do: { error: { message: 'Rate exceeded' } } })
// @ts-expect-error
faults.add({ do: { error: { type: 'ValidationException', reasons: ['None'] } } })
// @ts-expect-error
faults.add({ do: { conflict: false } })
// @ts-expect-error
faults.add({ do: { in_progress: 'true' } })
// @ts-expect-error
faults.add({ do: { collection_full: 1 } })
// @ts-expect-error
faults.add({ do: { unprocessed: '2' } })
// @ts-expect-error
faults.add({ do: { latency: 50 } })
// @ts-expect-error
faults.add({ do: { latency: { min: '1ms' } } })
// @ts-expect-error
faults.add({ do: { latency: { min: 1, max: 2 } } })

// @ts-expect-error
measure()
// @ts-expect-error
measure('a', { table: 'app' })
// @ts-expect-error
measure('a', { account: '111122223333' })
// @ts-expect-error
measure('a', { window: 60 })
// @ts-expect-error
measure('a').then((measured) => measured.check())
// @ts-expect-error
measure('a').then((measured) => measured.check({ pattern: {} }))
// @ts-expect-error
measure('a').then((measured) => measured.check({ patterns: { a: { read_unit: 1 } } }))
// @ts-expect-error
measure('a').then((measured) => measured.check({ patterns: { a: { read_units: { p90: 1 } } } }))
// @ts-expect-error
measure('a').then((measured) => measured.check({}, { names: [{ operation: 'GetItem' }] }))
// @ts-expect-error
measure('a').then((measured) => measured.compare())
// @ts-expect-error
measure('a').then((measured) => measured.compare('a.json', { update: 1 }))
// @ts-expect-error
measure('a').then((measured) => measured.report('html'))
// @ts-expect-error
measure('a').then((measured) => measured.report({ format: 'pdf' }))
// @ts-expect-error
pattern('a', {}, () => 1)
// @ts-expect-error
pattern('a', { middlewareStack: { add: () => {} } })

// @ts-expect-error
control('POST', 'measurements', {})
// @ts-expect-error
control('POST', 'measurements/a/check', {})
// @ts-expect-error
control('POST', 'measurements/a/compare', { against: {} })
// @ts-expect-error
control('throughput', { enforce: true })
// @ts-expect-error
control('POST', 'throughputs', { enforce: true })
// @ts-expect-error
control('POST', 'throughput', {})
// @ts-expect-error
control('POST', 'partitions', {})
// @ts-expect-error
control('POST', 'partitions', { mode: 'watch', parameters: { burst: 500 } })
// @ts-expect-error
control('POST', 'partitions', { mode: 'watch', parameters: { key_range_error: 'InternalServerError' } })
// @ts-expect-error
control('PUT', 'clock', { advance: '2d' })
// @ts-expect-error
control('POST', 'clock', {})
// @ts-expect-error
control('POST', 'clock', { advance: 5000 })
// @ts-expect-error
control('POST', 'clock', { advnce: '2d' })
// @ts-expect-error
control('POST', 'clock', { frozen: false })
// @ts-expect-error
control('POST', 'clock', { mode: 'frozen' })
// @ts-expect-error
control('POST', 'clock', { frozen: true, scale: 2 })
// @ts-expect-error
control('POST', 'status', { table: 'app', status: 'DELETING' })
// @ts-expect-error
control('POST', 'status', { status: 'ACTIVE' })
// @ts-expect-error
control('POST', 'consistency', { table: 'app', index_lag: 200 })
// @ts-expect-error
control('POST', 'consistency', { table: 'app', stale_reads: { min: '1s' } })
// @ts-expect-error
control('POST', 'holds', { table: 'app' })
// @ts-expect-error
control('POST', 'holds', { table: 'app', key: {}, timeout: 5000 })
// @ts-expect-error
control('POST', 'faults', { rules: [{ do: { status: 503 } }] })
// @ts-expect-error
control('POST', 'faults', { rules: [{ match: {}, do: { status: 504 } }] })
// @ts-expect-error
control('POST', 'fork', { from: '111122223333' })
// @ts-expect-error
control('POST', 'seed', { path: '.', data: '' })
// @ts-expect-error
control('POST', 'seed', { data: '', format: 'xml' })
// @ts-expect-error
control('POST', 'dump', { format: 'json' })
// @ts-expect-error
control('POST', 'dump', { path: '.', format: 'csv' })
// @ts-expect-error
control('GET', 'requests').then(({ request }) => request)
// @ts-expect-error
runLab()
// @ts-expect-error
runLab('lab: 1', { scales: [1] })
// @ts-expect-error
checkLab('lab: 1', { vary: 'rates.a=1/s..2/s' })
