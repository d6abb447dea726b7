// A global index has partitions of its own. When they cannot take a write, the write to the table is throttled; reads of the index hold back nothing else.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasControl } from '../../support/control.js'
import { advance, mapOf, model, SMALL, throttlingOf, untilThrottled, useStoppedClock } from '../../support/partitions.js'
import { definition } from '../../support/tables.js'

const TableName = 'states'

describe.skipIf(!hasControl)('the partitions of an index', () => {
  const { account, arn, db, doc } = useStoppedClock()
  const held = { error: 'ThrottlingException', reason: 'IndexWriteKeyRangeThroughputExceeded', resource: arn(TableName, 'byState') }
  let next = 0
  const put = (state, PK = `item#${next++}`) => doc.put({ TableName, Item: { PK, ...(state && { state }) } })
  const change = (PK, UpdateExpression, ExpressionAttributeValues) => doc.update({ TableName, Key: { PK }, UpdateExpression, ExpressionAttributeValues,
    ...(UpdateExpression.includes('#state') && { ExpressionAttributeNames: { '#state': 'state' } }) })
  const writtenToIndex = async () => (await mapOf(account, TableName, 'byState')).partitions.reduce((sum, { write_units }) => sum + write_units, 0)

  beforeAll(async () => {
    await db.createTable({ ...definition({ key: ['PK:S'], gsi: { byState: ['state:S'] } }), TableName })
    // The table has many partitions, so that it is the index that throttles.
    await model(account, 'enforce', { ...SMALL, new_table_write_units: 1000 })
  })
  beforeEach(() => advance('1h'))

  it('hold back the writes of items that are in the index, and no others', async () => {
    await put('open', 'first')
    await put(undefined, 'absent')
    await advance('1s')
    expect(await untilThrottled(() => put('open'))).toEqual({ served: 5, ...held })
    expect(await throttlingOf(doc.delete({ TableName, Key: { PK: 'first' } }))).toEqual(held)
    expect(await throttlingOf(change('first', 'SET size_bytes = :n', { ':n': 1 }))).toEqual(held)
    expect(await throttlingOf(put('closed', 'first'))).toEqual(held) // its entry is taken away
    expect(await throttlingOf(put('closed'))).toBeNull()
    expect(await throttlingOf(put())).toBeNull()
    expect(await throttlingOf(change('absent', 'SET size_bytes = :n', { ':n': 1 }))).toBeNull()
  })

  it('have a debt after an update that puts an item there, which the next write pays', async () => {
    for (let n = 0; n < 8; ++n) await put(undefined, `late#${n}`)
    await advance('1s')
    for (let n = 0; n < 8; ++n) expect(await throttlingOf(change(`late#${n}`, 'SET #state = :s', { ':s': 'open' }))).toBeNull()
    expect(await throttlingOf(put('open'))).toEqual(held)
    await advance('300ms') // 8 units of 5 were taken
    expect(await throttlingOf(put('open'))).toEqual(held)
    await advance('100ms')
    expect(await throttlingOf(put('open'))).toBeNull()
  })

  it('leave a part of a batch unprocessed, and cancel a transaction', async () => {
    await untilThrottled(() => put('open'))
    const before = await writtenToIndex()
    const RequestItems = { [TableName]: [{ PutRequest: { Item: { PK: 'a', state: 'open' } } }, { PutRequest: { Item: { PK: 'b' } } }] }
    expect((await doc.batchWrite({ RequestItems })).UnprocessedItems).toEqual({ [TableName]: [RequestItems[TableName][0]] })
    const Put = (Item) => ({ Put: { TableName, Item } })
    const cancelled = await doc.transactWrite({ TransactItems: [Put({ PK: 'c' }), Put({ PK: 'd', state: 'open' })] }).catch((error) => error)
    expect(cancelled.CancellationReasons).toEqual([{ Code: 'None' }, { Code: 'ThrottlingError',
      Message: 'Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically scaling your index so please try again shortly.' }])
    expect(await writtenToIndex()).toBe(before)
  })

  it('are read until they throttle, which holds back neither writes nor reads of the table', async () => {
    await put('read')
    const query = () => doc.query({ TableName, IndexName: 'byState', KeyConditionExpression: '#state = :s',
      ExpressionAttributeNames: { '#state': 'state' }, ExpressionAttributeValues: { ':s': 'read' } })
    expect(await untilThrottled(query)).toEqual({ served: 15, error: 'ThrottlingException', reason: 'IndexReadKeyRangeThroughputExceeded', resource: held.resource })
    expect(await throttlingOf(put('read'))).toBeNull()
    expect(await throttlingOf(doc.get({ TableName, Key: { PK: 'first' }, ConsistentRead: true }))).toBeNull()
    expect(await throttlingOf(doc.scan({ TableName, Limit: 1 }))).toBeNull()
  })
})
