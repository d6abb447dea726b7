// Orders: users by email, orders by id and by status, stock that a transaction takes.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, cancelled, expectAnswer, failure, page } from '../support/answers.js'
import { useApplication } from '../support/application.js'

const { db, doc } = connect()
const { TableName, at, key } = useApplication('orders', { db, doc })

const queryIndex = (IndexName, partition, options) => doc.query({
  TableName, IndexName, KeyConditionExpression: `${IndexName}PK = :pk`, ExpressionAttributeValues: { ':pk': partition }, ...options,
})

const product = async (id) => (await doc.get({ TableName, Key: { PK: `PRODUCT#${id}`, SK: 'METADATA' }, ConsistentRead: true })).Item

describe('reading', () => {
  it('finds a user by id and by email', async () => {
    expect(await answer(doc.get({ TableName, Key: { PK: 'USER#1', SK: 'PROFILE' } }))).toEqual({ Item: at('USER#1 PROFILE')[0] })
    await expectAnswer(() => queryIndex('GSI1', 'EMAIL#fay@example.com'), page(at('USER#2 PROFILE')))
  })

  it('finds an order by its id', async () => {
    await expectAnswer(() => queryIndex('GSI1', 'ORDER#10'), page(at('USER#1 ORDER#2024-01-02T00:00:00Z#00000010')))
  })

  const newestFirst = ['USER#1 ORDER#2024-01-03T00:00:00Z#00000003', 'USER#1 ORDER#2024-01-02T00:00:00Z#00000010',
    'USER#1 ORDER#2024-01-02T00:00:00Z#00000002', 'USER#1 ORDER#2024-01-01T00:00:00Z#00000001']

  it.each([1, 2, 3, 4, 5])('lists the orders of a user newest first, in pages of %i', async (Limit) => {
    const pages = []
    let ExclusiveStartKey
    do {
      const read = await answer(doc.query({ TableName, ConsistentRead: true, KeyConditionExpression: 'PK = :pk AND begins_with(SK, :sk)',
        ExpressionAttributeValues: { ':pk': 'USER#1', ':sk': 'ORDER#' }, ScanIndexForward: false, Limit, ExclusiveStartKey }))
      pages.push(read)
      ExclusiveStartKey = read.LastEvaluatedKey
    } while (ExclusiveStartKey)
    const expected = []
    for (let first = 0; first <= newestFirst.length; first += Limit) {
      const addresses = newestFirst.slice(first, first + Limit)
      expected.push(page(at(...addresses), addresses.length === Limit ? key(addresses.at(-1)) : undefined))
    }
    expect(pages).toEqual(expected)
  })

  it('lists pending orders of all users by date', async () => {
    await expectAnswer(() => queryIndex('GSI2', 'STATUS#pending'), page(at('USER#1 ORDER#2024-01-02T00:00:00Z#00000002',
      'USER#1 ORDER#2024-01-02T00:00:00Z#00000010', 'USER#1 ORDER#2024-01-03T00:00:00Z#00000003')))
  })
})

describe('placing an order', () => {
  const order = (id) => ({ PK: 'USER#7', SK: `ORDER#2024-06-01T00:00:00Z#${String(id).padStart(8, '0')}`, orderId: id,
    GSI1PK: `ORDER#${id}`, GSI1SK: 'METADATA', GSI2PK: 'STATUS#fresh', GSI2SK: `2024-06-01T00:00:00Z#${String(id).padStart(8, '0')}` })
  const place = (id, productId, quantity) => doc.transactWrite({ TransactItems: [
    { Put: { TableName, Item: order(id), ConditionExpression: 'attribute_not_exists(PK)' } },
    { Update: { TableName, Key: { PK: `PRODUCT#${productId}`, SK: 'METADATA' }, UpdateExpression: 'SET stock = stock - :q',
      ConditionExpression: 'stock >= :q', ExpressionAttributeValues: { ':q': quantity }, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
  ] })

  it('takes the stock and stores the order', async () => {
    expect(await answer(place(101, '1', 2))).toEqual({})
    expect(await product('1')).toEqual({ ...at('PRODUCT#1 METADATA')[0], stock: 3 })
    await expectAnswer(() => queryIndex('GSI1', 'ORDER#101'), page([order(101)]))
  })

  it('is cancelled whole when the stock runs out', async () => {
    const [{ PK, SK, entityType, stock, price }] = at('PRODUCT#2 METADATA')
    const Item = { PK: { S: PK }, SK: { S: SK }, entityType: { S: entityType }, stock: { N: String(stock) }, price: { N: String(price) } }
    const seen = await failure(place(102, '2', 2))
    expect(seen).toEqual(cancelled('None', { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', Item }))
    expect(await product('2')).toEqual(at('PRODUCT#2 METADATA')[0])
    await expectAnswer(() => queryIndex('GSI1', 'ORDER#102'), page([]))
  })

  it('takes nothing when the order is there already', async () => {
    await doc.put({ TableName, Item: order(103) })
    const before = await product('1')
    expect(await failure(place(103, '1', 1))).toEqual(cancelled('ConditionalCheckFailed', 'None'))
    expect(await product('1')).toEqual(before)
  })

  it('never sells more than there is, however many buy at once', async () => {
    await doc.put({ TableName, Item: { PK: 'PRODUCT#rare', SK: 'METADATA', stock: 4 } })
    const sold = await Promise.all(Array.from({ length: 12 }, async (_, n) => {
      for (;;) {
        try {
          await place(200 + n, 'rare', 1)
          return true
        } catch (error) {
          if (!error.CancellationReasons?.some(({ Code }) => Code === 'TransactionConflict')) return false
        }
      }
    }))
    expect(sold.filter(Boolean).length).toBe(4)
    expect(await product('rare')).toEqual({ PK: 'PRODUCT#rare', SK: 'METADATA', stock: 0 })
    const { Count } = await doc.query({ TableName, ConsistentRead: true, Select: 'COUNT', KeyConditionExpression: 'PK = :pk AND SK >= :sk',
      ExpressionAttributeValues: { ':pk': 'USER#7', ':sk': 'ORDER#2024-06-01T00:00:00Z#00000200' } })
    expect(Count).toBe(4)
  })
})
