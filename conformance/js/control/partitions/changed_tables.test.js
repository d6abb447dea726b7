// What happens to the model when a table is changed, emptied, replaced, or made again: the partitions of new data begin anew, and those of a table
// that is only changed go on.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientsOf, control, hasControl, newAccount } from '../../support/control.js'
import { advance, mapOf, model, present, throttlingOf, untilThrottled, useStoppedClock } from '../../support/partitions.js'
import { definition } from '../../support/tables.js'

const TableName = 'changed'
const BEGIN_MS = Date.parse('2026-01-31T12:00:00Z')
const HOUR_MS = 3_600_000
const HOT = { error: 'ThrottlingException', reason: 'TableWriteKeyRangeThroughputExceeded' }

describe.skipIf(!hasControl)('the partitions of a table', () => {
  const { account, arn, db, doc } = useStoppedClock()
  const create = (documents = db) => documents.createTable({ ...definition({ key: ['PK:S'], gsi: { byState: ['state:S'] } }), TableName })
  const putTo = (documents) => (n) => documents.put({ TableName, Item: { PK: 'hot', n } })
  const put = putTo(doc)
  const saturate = () => untilThrottled(put)
  const past = ({ began_epoch_ms, throttles, slices, partitions }) => ({ began: (began_epoch_ms - BEGIN_MS) / HOUR_MS,
    throttled: throttles.reduce((sum, { count }) => sum + count, 0), slices: slices.length, written: partitions.reduce((sum, { write_units }) => sum + write_units, 0) })
  const NEW = { throttled: 0, slices: 0, written: 0 }

  beforeEach(async () => {
    await control('POST', 'clock', { frozen: BEGIN_MS / 1000 })
    await create()
    await model(account, 'enforce')
    expect((await saturate()).served).toBe(5)
    expect(past(await mapOf(account, TableName))).toEqual({ began: 0, throttled: 1, slices: 1, written: 5 })
  })
  afterEach(() => control('POST', 'reset', { account }))

  it('begin anew when it is deleted and made again', async () => {
    await db.deleteTable({ TableName })
    expect(await mapOf(account, TableName)).toBeUndefined()
    await create()
    expect(past(await mapOf(account, TableName))).toEqual({ began: 0, ...NEW })
    expect((await saturate()).served).toBe(5)
  })

  it('begin anew when it is emptied', async () => {
    await advance('1h')
    expect(await control('POST', 'reset', { account, table: TableName })).toEqual({ tables: 1 })
    expect(past(await mapOf(account, TableName))).toEqual({ began: 1, ...NEW })
    expect((await saturate()).served).toBe(5)
  })

  it('begin anew when a snapshot is restored', async () => {
    await control('POST', 'snapshots', { name: account, account })
    await advance('1h')
    await control('POST', `snapshots/${account}/restore`)
    await control('DELETE', `snapshots/${account}`)
    expect(past(await mapOf(account, TableName))).toEqual({ began: 1, ...NEW })
  })

  it('go on when it is forked, and are not those of the fork', async () => {
    const other = newAccount()
    await model(other, 'enforce')
    await advance('1h')
    await control('POST', 'fork', { from: account, to: other })
    expect(past(await mapOf(other, TableName))).toEqual({ began: 1, ...NEW })
    const { doc: forked } = clientsOf(other)
    expect((await untilThrottled(putTo(forked))).served).toBe(5)
    expect(past(await mapOf(account, TableName))).toEqual({ began: 0, throttled: 1, slices: 1, written: 5 })
    await control('DELETE', 'partitions', { account: other })
    await control('POST', 'reset', { account: other })
  })

  it('are not used by a seed', async () => {
    const data = Array.from({ length: 100 }, (_, n) => JSON.stringify({ PK: `item#${n}`, state: 'open' })).join('\n')
    expect(await control('POST', 'seed', { account, table: TableName, format: 'json', data })).toEqual({ tables: { [TableName]: 100 } })
    expect(past(await mapOf(account, TableName))).toEqual({ began: 0, throttled: 1, slices: 1, written: 5 })
  })

  it('end with their rules', async () => {
    expect(await control('DELETE', 'partitions', { account })).toEqual({ rules: [], tables: [] })
    for (let n = 0; n < 10; ++n) await put(n)
    await model(account, 'enforce')
    expect(past(await mapOf(account, TableName))).toEqual({ began: 0, ...NEW })
    expect(await control('POST', 'reset', { account, simulation: true })).toEqual({ tables: 1 })
    expect((await control('GET', 'partitions')).rules).toEqual([])
  })

  it('are joined by those of an index that is made later', async () => {
    await advance('1h')
    const [byDate] = definition({ key: ['PK:S'], gsi: { byDate: ['date:S'] } }).GlobalSecondaryIndexes
    await db.updateTable({ TableName, AttributeDefinitions: [{ AttributeName: 'date', AttributeType: 'S' }], GlobalSecondaryIndexUpdates: [{ Create: byDate }] })
    expect(past(await mapOf(account, TableName, 'byDate'))).toEqual({ began: 1, ...NEW })
    expect(past(await mapOf(account, TableName))).toEqual({ began: 0, throttled: 1, slices: 1, written: 5 })
    expect(await untilThrottled((n) => doc.put({ TableName, Item: { PK: `item#${n}`, date: '2026-01-31' } })))
      .toEqual({ served: 5, ...HOT, reason: 'IndexWriteKeyRangeThroughputExceeded', resource: arn(TableName, 'byDate') })
    await db.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byDate' } }] })
    expect(await mapOf(account, TableName, 'byDate')).toBeUndefined()
    await advance('1s')
    expect(await throttlingOf(doc.put({ TableName, Item: { PK: 'item', date: '2026-01-31' } }))).toBeNull()
  })

  it('go on when its billing mode changes', async () => {
    await advance('500ms')
    const units = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 }
    await db.updateTable({ TableName, BillingMode: 'PROVISIONED', ProvisionedThroughput: units,
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'byState', ProvisionedThroughput: units } }] })
    const map = await mapOf(account, TableName)
    expect(past(map)).toEqual({ began: 0, throttled: 1, slices: 1, written: 5 })
    expect([present(map).length, map.read_limit, map.write_limit]).toEqual([4, 1, 1])
    expect(await saturate()).toEqual({ served: expect.any(Number), error: 'ProvisionedThroughputExceededException', reason: 'TableWriteProvisionedThroughputExceeded', resource: arn(TableName) })
    await advance('25h')
    await db.updateTable({ TableName, BillingMode: 'PAY_PER_REQUEST' })
    expect([present(await mapOf(account, TableName)).length, (await mapOf(account, TableName)).write_limit]).toEqual([4, 40])
    expect(await saturate()).toEqual({ served: 5, ...HOT, resource: arn(TableName) })
  })

  it('throttle as before when the clock is set back, and go on from there', async () => {
    await control('POST', 'clock', { frozen: BEGIN_MS / 1000 - 86_400 })
    expect(await throttlingOf(put(0))).toEqual({ ...HOT, resource: arn(TableName) })
    await advance('500ms')
    expect((await saturate()).served).toBe(5)
  })
})
