// Requests of several items of which one is throttled: a transaction is cancelled, and a batch answers the throttled items as unprocessed.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answer, cancelled, failure } from '../../support/answers.js'
import { hasControl } from '../../support/control.js'
import { advance, mapOf, model, throttlingOf, untilThrottled, useStoppedClock } from '../../support/partitions.js'
import { definition } from '../../support/tables.js'

const TableName = 'together'
const onDemand = { Code: 'ThrottlingError', Message: 'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your ' +
  'table or index so please try again shortly. If exceptions persist, check if you have a hot key: ' +
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html' }
const provisioned = { Code: 'ProvisionedThroughputExceeded', Message: 'The level of configured provisioned throughput for the table was exceeded. ' +
  'Consider increasing your provisioning level with the UpdateTable API.' }

describe.skipIf(!hasControl)('when a partition has no units left', () => {
  const { account, arn, db, doc } = useStoppedClock()
  const HOT = 'HOT'
  let cool // a partition key of another partition
  const item = (PK, SK) => ({ PK, SK: String(SK) })
  const put = (PK, SK, table = TableName) => doc.put({ TableName: table, Item: item(PK, SK) })
  const get = (Key, table = TableName) => doc.get({ TableName: table, Key, ConsistentRead: true })
  const saturateWrites = (table) => untilThrottled((n) => put(HOT, n, table))
  const saturateReads = () => untilThrottled(() => get(item(HOT, 0)))
  const isStored = async (Key, table) => 'Item' in await get(Key, table)
  const Put = (PK, SK, table = TableName) => ({ Put: { TableName: table, Item: item(PK, SK) } })

  beforeAll(async () => {
    const keys = definition({ key: ['PK:S', 'SK:S'] })
    await db.createTable({ ...keys, TableName })
    await db.createTable({ ...keys, TableName: 'provisioned', BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 20, WriteCapacityUnits: 20 } })
    await model(account, 'enforce')
    await saturateWrites()
    for (let n = 0; cool === undefined; ++n) {
      if (!await throttlingOf(put(`COOL#${n}`, 0))) cool = `COOL#${n}`
    }
  })
  beforeEach(() => advance('1h'))

  it.each([[TableName, onDemand], ['provisioned', provisioned]])('a transaction in the table "%s" is cancelled, and writes nothing', async (table, reason) => {
    await saturateWrites(table)
    expect(await failure(doc.transactWrite({ TransactItems: [Put(cool, 'order', table), Put(HOT, 'order', table)] })))
      .toEqual(cancelled('None', reason))
    const check = { ConditionCheck: { TableName: table, Key: item(HOT, 0), ConditionExpression: 'attribute_exists(PK)' } }
    expect(await failure(doc.transactWrite({ TransactItems: [check, Put(cool, 'order', table)] }))).toEqual(cancelled(reason, 'None'))
    expect([await isStored(item(cool, 'order'), table), await isStored(item(HOT, 'order'), table)]).toEqual([false, false])
    await advance('1s')
    await doc.transactWrite({ TransactItems: [Put(cool, 'order', table), Put(HOT, 'order', table)] })
    expect([await isStored(item(cool, 'order'), table), await isStored(item(HOT, 'order'), table)]).toEqual([true, true])
  })

  it('a transaction of PartiQL is cancelled', async () => {
    await saturateWrites()
    const insert = (PK) => ({ Statement: `INSERT INTO "${TableName}" VALUE {'PK':'${PK}','SK':'partiql'}` })
    expect(await failure(doc.executeTransaction({ TransactStatements: [insert(cool), insert(HOT)] }))).toEqual(cancelled('None', onDemand))
    expect(await isStored(item(cool, 'partiql'))).toBe(false)
  })

  it('a transaction that reads is cancelled', async () => {
    await saturateReads()
    const Get = (PK) => ({ Get: { TableName, Key: item(PK, 0) } })
    expect(await failure(doc.transactGet({ TransactItems: [Get(HOT), Get(cool)] }))).toEqual(cancelled(onDemand, 'None'))
    await advance('1s')
    expect(await answer(doc.transactGet({ TransactItems: [Get(HOT), Get(cool)] }))).toEqual({ Responses: [{ Item: item(HOT, 0) }, { Item: item(cool, 0) }] })
  })

  it('a batch of writes drains in a loop, five items in half a second', async () => {
    const items = Array.from({ length: 24 }, (_, n) => item(HOT, `batch#${String(n).padStart(2, '0')}`))
    let RequestItems = { [TableName]: [...items, item(cool, 'batch')].map((Item) => ({ PutRequest: { Item } })) }
    const left = []
    while (Object.keys(RequestItems).length) {
      ({ UnprocessedItems: RequestItems } = await doc.batchWrite({ RequestItems }))
      left.push((RequestItems[TableName] ?? []).length)
      await advance('500ms')
    }
    expect(left).toEqual([19, 14, 9, 4, 0])
    const { Items } = await doc.query({ TableName, KeyConditionExpression: 'PK = :hot AND begins_with(SK, :batch)',
      ExpressionAttributeValues: { ':hot': HOT, ':batch': 'batch#' } })
    expect(Items).toEqual(items)
    expect(await isStored(item(cool, 'batch'))).toBe(true)
  })

  it('a batch of reads drains in a loop, fifteen eventually consistent ones in half a second', async () => {
    const keys = Array.from({ length: 40 }, (_, n) => item(HOT, n))
    let RequestItems = { [TableName]: { Keys: [...keys, item(cool, 0)] } }
    const left = []
    while (Object.keys(RequestItems).length) {
      ({ UnprocessedKeys: RequestItems } = await doc.batchGet({ RequestItems }))
      left.push(RequestItems[TableName]?.Keys.length ?? 0)
      await advance('500ms')
    }
    expect(left).toEqual([25, 10, 0])
  })

  it.each([TableName, 'provisioned'])('a batch of writes to the table "%s", all of them throttled, is an error', async (table) => {
    await saturateWrites(table)
    const RequestItems = { [table]: [{ PutRequest: { Item: item(HOT, 'a') } }, { DeleteRequest: { Key: item(HOT, 'b') } }] }
    expect(await throttlingOf(doc.batchWrite({ RequestItems }))).toEqual({ error: 'ThrottlingException', reason: 'TableWriteKeyRangeThroughputExceeded', resource: arn(table) })
  })

  it('a batch of reads, all of them throttled, is an error', async () => {
    await saturateReads()
    const RequestItems = { [TableName]: { Keys: [item(HOT, 0), item(HOT, 1)], ConsistentRead: true } }
    expect(await throttlingOf(doc.batchGet({ RequestItems }))).toEqual({ error: 'ThrottlingException', reason: 'TableReadKeyRangeThroughputExceeded', resource: arn(TableName) })
  })

  it('a batch of PartiQL answers an error for each throttled statement', async () => {
    await saturateWrites()
    const insert = (PK) => ({ Statement: `INSERT INTO "${TableName}" VALUE {'PK':'${PK}','SK':'statement'}` })
    expect(await answer(doc.batchExecuteStatement({ Statements: [insert(HOT), insert(cool)] }))).toEqual({ Responses: [
      { Error: onDemand, TableName }, { TableName }] })
    expect([await isStored(item(HOT, 'statement')), await isStored(item(cool, 'statement'))]).toEqual([false, true])
  })

  it('an update and a delete are throttled as a put is, and a condition that fails takes units', async () => {
    const failing = () => doc.put({ TableName, Item: item(HOT, 0), ConditionExpression: 'attribute_not_exists(PK)' })
      .catch((error) => { if (error.name !== 'ConditionalCheckFailedException') throw error })
    const throttled = { error: 'ThrottlingException', reason: 'TableWriteKeyRangeThroughputExceeded', resource: arn(TableName) }
    expect(await untilThrottled(failing)).toEqual({ served: 5, ...throttled })
    const update = () => doc.update({ TableName, Key: item(HOT, 0), UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': 1 } })
    expect(await throttlingOf(update())).toEqual(throttled)
    expect(await throttlingOf(doc.delete({ TableName, Key: item(HOT, 0) }))).toEqual(throttled)
    const throttles = async () => (await mapOf(account, TableName)).throttles.find(({ reason }) => reason === throttled.reason).count
    const before = await throttles()
    await throttlingOf(update())
    expect(await throttles()).toBe(before + 1)
  })
})
