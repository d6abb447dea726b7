// The units of a measurement are those that the client saw: random calls, many at once, whose ConsumedCapacity is summed up beside the server.

import { beforeAll, describe, expect, it } from 'vitest'
import { halves } from '../../support/consumed_units.js'
import { hasControl } from '../../support/control.js'
import { measure, unitsOf, useAccount } from '../../support/measurement.js'
import { createTable } from '../../support/tables.js'
import { randomNumbers } from '../../support/random_numbers.js'
import { RandomTraffic, tables } from './random_traffic.js'

const CALLS = 800
const AT_ONCE = 16

/** Returns half units by resource, without those that took none. */
function sums(list) {
  const sums = {}
  for (const { table, index, read_units, write_units } of list) {
    const resource = index ? `${table}/${index}` : table
    sums[resource] ??= { read: 0, written: 0 }
    sums[resource].read += halves(read_units)
    sums[resource].written += halves(write_units)
  }
  return Object.fromEntries(Object.entries(sums).filter(([, { read, written }]) => read || written))
}

describe.skipIf(!hasControl)('the units of random calls, many at once', () => {
  const { account, db, doc } = useAccount()
  // A failure shows the seed. The variable makes the same calls again, in the same order.
  const seed = Number(process.env.CONFORMANCE_SEED ?? Date.now() % 1_000_000)
  const traffic = new RandomTraffic(doc, randomNumbers(seed))
  const note = `CONFORMANCE_SEED=${seed}`
  let measurement

  async function makeCalls() {
    let left = CALLS
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await traffic.next()
    }))
  }

  beforeAll(async () => {
    for (const [TableName, table] of Object.entries(tables)) await createTable(db, { ...table, TableName })
    await traffic.begin();
    ({ measurement } = await measure(account, () => makeCalls().catch((error) => {
      throw new Error(note, { cause: error })
    })))
  })

  it('are those of the answers, by table and index', () => {
    expect(Object.keys(traffic.seen.sums).sort(), note).toEqual(['plain', 'units', 'units/GSI1', 'units/GSI2', 'units/LSI'])
    expect(sums(measurement.resources), note).toEqual(traffic.seen.sums)
  })

  it('are the sums of the patterns', () => {
    expect(sums(measurement.patterns.flatMap(({ units }) => units)), note).toEqual(traffic.seen.sums)
  })

  it('are the sums of the calls of each pattern', () => {
    const ofCalls = measurement.patterns.map(({ text, call }) => [text, call.read_units.sum, call.write_units.sum])
    const sum = (units, member) => units.reduce((all, each) => all + each[member], 0)
    expect(ofCalls, note).toEqual(measurement.patterns.map(({ text, units }) => [text, sum(units, 'read_units'), sum(units, 'write_units')]))
  })

  it('are the sums of the times', () => {
    const sum = (list, member) => list.reduce((all, each) => all + each[member], 0)
    const all = Object.values(traffic.seen.sums)
    expect(sums(measurement.time.buckets.map((bucket) => ({ ...bucket, table: 'all' }))), note).toEqual({ all: { read: sum(all, 'read'), written: sum(all, 'written') } })
  })

  it('stand apart where calls failed', () => {
    const failed = measurement.resources.filter(({ index }) => !index)
    expect(Object.fromEntries(failed.map(({ table, failed_write_units }) => [table, halves(failed_write_units)])), note).toEqual(traffic.failedWritten)
    expect(measurement.resources.filter(({ failed_read_units, index, failed_write_units }) => failed_read_units || (index && failed_write_units)), note).toEqual([])
  })
})

describe.skipIf(!hasControl)('the units of a batch of statements none of which succeeded', () => {
  const { account, db, doc } = useAccount()
  let answer, measurement

  beforeAll(async () => {
    await createTable(db, { ...tables.plain, TableName: 'plain' })
    await doc.put({ TableName: 'plain', Item: { PK: 'A', SK: '1', text: 'x'.repeat(3000) } });
    ({ measurement } = await measure(account, async () => {
      answer = await doc.batchExecuteStatement({ ReturnConsumedCapacity: 'INDEXES', Statements: [
        { Statement: "INSERT INTO plain VALUE {'PK': 'A', 'SK': '1'}" }, { Statement: "UPDATE plain SET n = 1 WHERE PK = 'A' AND SK = 'none'" }] })
    }))
  })

  it('are not in the answer', () => {
    expect(answer.Responses.map(({ Error }) => Error.Code)).toEqual(['DuplicateItem', 'ConditionalCheckFailed'])
    expect(answer.ConsumedCapacity).toBeUndefined()
  })

  // The stored item takes 3 units and the one that is not there takes 1.
  it('stand apart', () => {
    expect(unitsOf(measurement)).toEqual({ table: { failedWritten: 4 } })
  })
})
