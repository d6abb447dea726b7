// Things that a test starts, and a check that the next test finds none of them; used with both runners.

'use strict'

const { DynamoDB } = require('@aws-sdk/client-dynamodb')
const { account, clock, control, faults, fork, hold, measure, requests } = require('@hashrange/testing')
const { ada } = require('./tables.cjs')

const MINUTE_MS = 60_000
const nothing = { faults: 0, holds: 0, consistency: 0, throughput: 0, partitions: 0, measurements: 0, requests: 0, status: 'ACTIVE', isNow: true }

/** Returns the simulations of this worker's account. */
async function simulated() {
  const own = async (path, name) => (await control('GET', path))[name].filter((each) => each.account === account().id).length
  const isNow = Math.abs((await clock.now()).epoch_ms - Date.now()) < MINUTE_MS
  const requested = (await requests.list({ operation: 'ListTables' })).length
  const { Table } = await new DynamoDB().describeTable({ TableName: 'app' })
  return { faults: (await faults.list()).length, holds: await own('holds', 'holds'), consistency: await own('consistency', 'tables'),
    throughput: await own('throughput', 'rules'), partitions: await own('partitions', 'rules'),
    measurements: await own('measurements', 'measurements'), requests: requested, status: Table.TableStatus, isNow }
}

async function startAll() {
  const mine = { account: account().id }
  await requests.record({ limit: 100_000 }) // the limit is for the requests of all workers
  await new DynamoDB().listTables()
  await faults.add({ match: { operation: 'GetItem' }, do: { status: 503 } })
  await hold('app', ada)
  await measure('all')
  await control('POST', 'throughput', { ...mine, enforce: true })
  await control('POST', 'partitions', { ...mine, mode: 'watch' })
  await control('POST', 'consistency', { ...mine, table: 'app', stale_reads: '1h' })
  await control('POST', 'status', { ...mine, table: 'app', status: 'UPDATING' })
  await clock.advance('2d')
}

const ANOTHER = { account: '424242424242' } // no test uses this account, and its calls are not ended with a test

async function ofAnother(method, path, body) {
  const answer = await fetch(`${account().endpoint}/_hashrange/${path}`, { method, ...(body && { body: JSON.stringify({ ...ANOTHER, ...body }) }) })
  return answer.json()
}

async function startForAnother() {
  await ofAnother('POST', 'reset', {})
  await ofAnother('POST', 'fork', { account: undefined, from: account().seed, to: ANOTHER.account })
  await ofAnother('POST', 'throughput', { enforce: true })
  await ofAnother('POST', 'partitions', { mode: 'watch' })
  await ofAnother('POST', 'consistency', { table: 'app', stale_reads: '1h' })
}

/** Returns the simulations of another account. */
async function simulatedForAnother() {
  const count = async (path, name) => (await ofAnother('GET', path))[name].filter((each) => each.account === ANOTHER.account).length
  return { throughput: await count('throughput', 'rules'), partitions: await count('partitions', 'rules'), consistency: await count('consistency', 'tables') }
}

async function endForAnother() {
  await ofAnother('DELETE', 'throughput', {})
  await ofAnother('DELETE', 'partitions', {})
  await ofAnother('DELETE', 'consistency', {})
}

module.exports = { endForAnother, fork, nothing, simulated, simulatedForAnother, startAll, startForAnother }
