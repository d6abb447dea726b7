// ConsumedCapacity by TOTAL and INDEXES, and ItemCollectionMetrics.

import { describe, expect, it } from 'vitest'
import { connect, isAws } from '../support/endpoint.js'
import { answer } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { N, S } from '../support/values.js'

const { db } = connect()

// An item is in `global` when it has `g`, in `local` when it has `l`; `global` shows `shown` besides the keys.
const TableName = useTable(db, definition({
  key: ['pk:S', 'sk:N'], gsi: { global: ['g:S'] }, lsi: { local: ['pk:S', 'l:S'] },
  projections: { global: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['shown'] } },
}))
const Plain = useTable(db, definition({ key: ['pk:S'] }))

let last = 0
const freshKey = () => ({ pk: S('k'), sk: N(++last) })
const INDEXES = { ReturnConsumedCapacity: 'INDEXES' }
const consumed = async (promise) => (await answer(promise)).ConsumedCapacity

/** The ConsumedCapacity of a write: `units(table, global, local)`; an index without units is left out. */
function units(table, global = 0, local = 0, name = TableName) {
  return {
    TableName: name, CapacityUnits: table + global + local, Table: { CapacityUnits: table },
    ...(global && { GlobalSecondaryIndexes: { global: { CapacityUnits: global } } }),
    ...(local && { LocalSecondaryIndexes: { local: { CapacityUnits: local } } }),
  }
}

describe('a write', () => {
  const both = { g: S('g'), l: S('l'), shown: S('s'), unseen: S('h') }
  const put = (Item) => consumed(db.putItem({ TableName, Item, ...INDEXES }))
  const update = (Key, UpdateExpression, values) => consumed(db.updateItem({ TableName, Key, UpdateExpression, ExpressionAttributeValues: values, ...INDEXES }))
  const v = { ':v': S('new') }

  it.each([
    ['a put in neither index', null, (Key) => put(Key), units(1)],
    ['a put in the global index', null, (Key) => put({ ...Key, g: S('g') }), units(1, 1)],
    ['a put in both indexes', null, (Key) => put({ ...Key, ...both }), units(1, 1, 1)],
    ['the same put again', both, (Key) => put({ ...Key, ...both }), units(1)],
    ['an attribute the global index does not show', both, (Key) => update(Key, 'SET unseen = :v', v), units(1, 0, 1)],
    ['an attribute both indexes show', both, (Key) => update(Key, 'SET shown = :v', v), units(1, 1, 1)],
    ['a changed key of the global index', both, (Key) => update(Key, 'SET g = :v', v), units(1, 2, 1)],
    ['a removed key of the global index', both, (Key) => update(Key, 'REMOVE g'), units(1, 1, 1)],
    ['a changed key of the local index', both, (Key) => update(Key, 'SET l = :v', v), units(1, 0, 2)],
    ['a delete from both indexes', both, (Key) => consumed(db.deleteItem({ TableName, Key, ...INDEXES })), units(1, 1, 1)],
    ['a delete of nothing', null, (Key) => consumed(db.deleteItem({ TableName, Key, ...INDEXES })), units(1)],
  ])('%s', async (_, before, write, expected) => {
    const Key = freshKey()
    if (before) await db.putItem({ TableName, Item: { ...Key, ...before } })
    expect(await write(Key)).toEqual(expected)
  })

  it('costs what the larger image costs', async () => {
    const Key = { pk: S('size') }
    // name and value of `pk` are 6 bytes, the name `a` is 1
    const item = (bytes) => ({ ...Key, a: S('x'.repeat(bytes - 7)) })
    const total = async (Item) => (await consumed(db.putItem({ TableName: Plain, Item, ReturnConsumedCapacity: 'TOTAL' }))).CapacityUnits
    expect([await total(item(1024)), await total(item(1025)), await total(item(9000)), await total(item(100))]).toEqual([1, 2, 9, 9])
  })
})

describe('a read', () => {
  const item = (bytes) => ({ pk: S(`read-${bytes}`), a: S('x'.repeat(bytes - `pkread-${bytes}a`.length)) })
  const get = async (bytes, ConsistentRead) => consumed(db.getItem({ TableName: Plain, Key: { pk: item(bytes).pk }, ConsistentRead, ReturnConsumedCapacity: 'TOTAL' }))

  it.each([[100, 0.5, 1], [4096, 0.5, 1], [4097, 1, 2], [20000, 2.5, 5]])('of %i bytes costs %f or %f', async (bytes, eventual, strong) => {
    await db.putItem({ TableName: Plain, Item: item(bytes) })
    expect([await get(bytes, false), await get(bytes, true)]).toEqual([eventual, strong].map((CapacityUnits) => ({ TableName: Plain, CapacityUnits })))
  })

  it('of nothing costs what a small item costs', async () => {
    expect([await get(50, false), await get(50, true)]).toEqual([0.5, 1].map((CapacityUnits) => ({ TableName: Plain, CapacityUnits })))
  })

  it('of a query is rounded once, over what was read', async () => {
    const Items = Array.from({ length: 10 }, (_, n) => ({ pk: S('query'), sk: N(n), a: S('x'.repeat(1000)) }))
    await db.batchWriteItem({ RequestItems: { [TableName]: Items.map((Item) => ({ PutRequest: { Item } })) } })
    const query = (options) => consumed(db.query({ TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S('query') }, ...INDEXES, ...options }))
    expect(await query()).toEqual(units(1.5))
    expect(await query({ ConsistentRead: true })).toEqual(units(3))
    expect(await query({ Select: 'COUNT', Limit: 1 })).toEqual(units(0.5))
  })

  it.skipIf(isAws)('of an index is charged to the index', async () => {
    await db.putItem({ TableName, Item: { ...freshKey(), g: S('charged') } })
    expect(await consumed(db.query({ TableName, IndexName: 'global', KeyConditionExpression: 'g = :g', ExpressionAttributeValues: { ':g': S('charged') }, ...INDEXES })))
      .toEqual({ TableName, CapacityUnits: 0.5, Table: { CapacityUnits: 0 }, GlobalSecondaryIndexes: { global: { CapacityUnits: 0.5 } } })
  })
})

describe('many at once', () => {
  it('are summed for each table by a batch', async () => {
    const [a, b] = [freshKey(), freshKey()]
    expect(await consumed(db.batchWriteItem({ ...INDEXES, RequestItems: { [TableName]: [{ PutRequest: { Item: { ...a, g: S('x') } } }, { PutRequest: { Item: b } }] } })))
      .toEqual([units(2, 1)])
    expect(await consumed(db.batchGetItem({ ReturnConsumedCapacity: 'TOTAL', RequestItems: { [TableName]: { Keys: [a, b, freshKey()] } } })))
      .toEqual([{ TableName, CapacityUnits: 1.5 }])
  })

  it('cost double in a transaction, but not in an index', async () => {
    const a = freshKey()
    const write = { CapacityUnits: 2, WriteCapacityUnits: 2 }
    expect(await consumed(db.transactWriteItems({ ...INDEXES, TransactItems: [{ Put: { TableName, Item: { ...a, g: S('x') } } }] }))).toEqual([{
      TableName, CapacityUnits: 3, WriteCapacityUnits: 3, Table: write, GlobalSecondaryIndexes: { global: { CapacityUnits: 1, WriteCapacityUnits: 1 } } }])
    expect(await consumed(db.transactGetItems({ ReturnConsumedCapacity: 'TOTAL', TransactItems: [{ Get: { TableName, Key: a } }, { Get: { TableName, Key: freshKey() } }] })))
      .toEqual([{ TableName, CapacityUnits: 4, ReadCapacityUnits: 4 }])
  })
})

describe('ItemCollectionMetrics', () => {
  const SIZE = { ReturnItemCollectionMetrics: 'SIZE' }
  const metrics = (pk) => ({ ItemCollectionKey: { pk: S(pk) }, SizeEstimateRangeGB: [0, 1] })

  it('come for a table with a local index, from every write', async () => {
    const Key = freshKey()
    expect(await answer(db.putItem({ TableName, Item: Key, ...SIZE }))).toEqual({ ItemCollectionMetrics: metrics('k') })
    expect(await answer(db.updateItem({ TableName, Key, ...SIZE }))).toEqual({ ItemCollectionMetrics: metrics('k') })
    expect(await answer(db.deleteItem({ TableName, Key, ...SIZE }))).toEqual({ ItemCollectionMetrics: metrics('k') })
    expect(await answer(db.batchWriteItem({ RequestItems: { [TableName]: [{ PutRequest: { Item: Key } }] }, ...SIZE })))
      .toEqual({ UnprocessedItems: {}, ItemCollectionMetrics: { [TableName]: [metrics('k')] } })
    expect(await answer(db.transactWriteItems({ TransactItems: [{ Put: { TableName, Item: Key } }], ...SIZE })))
      .toEqual({ ItemCollectionMetrics: { [TableName]: [metrics('k')] } })
  })

  it('do not come for a table without one', async () => {
    expect(await answer(db.putItem({ TableName: Plain, Item: { pk: S('m') }, ...SIZE }))).toEqual({})
  })
})
