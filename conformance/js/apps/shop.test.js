// A shop of thirteen rows: six access patterns with one overloaded index.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, expectAnswer, failure, page, validation } from '../support/answers.js'
import { useApplication } from '../support/application.js'

const { db, doc } = connect()
const { TableName, at, key, items } = useApplication('shop', { db, doc })

const queryIndex = (partition, options) => doc.query({
  TableName, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :pk', ExpressionAttributeValues: { ':pk': partition }, ...options,
})

describe('the six access patterns', () => {
  it('finds a customer by id', async () => {
    expect(await answer(doc.get({ TableName, Key: { PK: 'CUST#c1', SK: 'METADATA' } }))).toEqual({ Item: at('CUST#c1 METADATA')[0] })
  })

  it('lists the orders of a customer, newest first', async () => {
    await expectAnswer(() => doc.query({ TableName, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :pk AND begins_with(GSI1SK, :sk)',
      ExpressionAttributeValues: { ':pk': 'CUST#c1', ':sk': 'ORDER#' }, ScanIndexForward: false }),
    page(at('ORDER#o2 METADATA', 'ORDER#o1 METADATA')))
  })

  it('reads an order with its items', async () => {
    expect(await answer(doc.query({ TableName, KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': 'ORDER#o1' } })))
      .toEqual(page(at('ORDER#o1 ITEM#s1', 'ORDER#o1 ITEM#s2', 'ORDER#o1 METADATA')))
  })

  it('finds a product by SKU', async () => {
    expect(await answer(doc.get({ TableName, Key: { PK: 'PRODUCT#s2', SK: 'METADATA' }, ConsistentRead: true })))
      .toEqual({ Item: at('PRODUCT#s2 METADATA')[0] })
  })

  it('lists every order that contains a SKU', async () => {
    await expectAnswer(() => queryIndex('PRODUCT#s1'), page(at('ORDER#o1 ITEM#s1', 'ORDER#o2 ITEM#s1', 'ORDER#o3 ITEM#s1')))
  })

  it('lists all customers by date', async () => {
    await expectAnswer(() => queryIndex('CUSTOMER'), page(at('CUST#c1 METADATA', 'CUST#c2 METADATA')))
    await expectAnswer(() => queryIndex('CUSTOMER', { ScanIndexForward: false }), page(at('CUST#c2 METADATA', 'CUST#c1 METADATA')))
  })
})

describe('the table', () => {
  const byAddress = (a, b) => (`${a.PK} ${a.SK}` < `${b.PK} ${b.SK}` ? -1 : 1)

  it('holds thirteen rows', async () => {
    const { Items, ...counts } = await answer(doc.scan({ TableName, ConsistentRead: true }))
    expect(Items.toSorted(byAddress)).toEqual(items.toSorted(byAddress))
    expect(counts).toEqual({ Count: 13, ScannedCount: 13 })
  })

  it('shows the index every row but the products', async () => {
    const scan = () => doc.scan({ TableName, IndexName: 'GSI1', Select: 'COUNT' })
    await expectAnswer(scan, { Count: 10, ScannedCount: 10 })
  })

  it('pages through every order with a SKU, one at a time', async () => {
    const found = ['ORDER#o1 ITEM#s1', 'ORDER#o2 ITEM#s1', 'ORDER#o3 ITEM#s1']
    let ExclusiveStartKey
    for (const address of found) {
      await expectAnswer(() => queryIndex('PRODUCT#s1', { Limit: 1, ExclusiveStartKey }), page(at(address), key(address, 'GSI1')))
      ExclusiveStartKey = key(address, 'GSI1')
    }
    await expectAnswer(() => queryIndex('PRODUCT#s1', { Limit: 1, ExclusiveStartKey }), page([]))
  })

  it('reads customers and a product at once', async () => {
    const wanted = at('CUST#c1 METADATA', 'CUST#c2 METADATA', 'PRODUCT#s3 METADATA')
    const { Responses, UnprocessedKeys } = await answer(doc.batchGet({ RequestItems: { [TableName]: {
      Keys: [...wanted.map(({ PK, SK }) => ({ PK, SK })), { PK: 'CUST#none', SK: 'METADATA' }] } } }))
    expect(Responses[TableName].toSorted(byAddress)).toEqual(wanted)
    expect(UnprocessedKeys).toEqual({})
  })
})

describe('pitfalls', () => {
  const refused = [
    ['a query of the index without its partition key', { IndexName: 'GSI1', KeyConditionExpression: 'GSI1SK = :v', ExpressionAttributeValues: { ':v': 'x' } },
      'Query condition missed key schema element: GSI1PK'],
    ['a range of partition keys', { KeyConditionExpression: 'PK > :v', ExpressionAttributeValues: { ':v': 'CUST#' } },
      'Query key condition not supported'],
    ['a prefix of partition keys', { KeyConditionExpression: 'begins_with(PK, :v)', ExpressionAttributeValues: { ':v': 'CUST#' } },
      'Query key condition not supported'],
    ['two customers in one query', { KeyConditionExpression: 'PK = :v OR PK = :w', ExpressionAttributeValues: { ':v': 'CUST#c1', ':w': 'CUST#c2' } },
      'Invalid operator used in KeyConditionExpression: OR'],
    ['a filter on the sort key', { KeyConditionExpression: 'PK = :v', FilterExpression: 'SK = :v', ExpressionAttributeValues: { ':v': 'x' } },
      'Filter Expression can only contain non-primary key attributes: Primary key attribute: SK'],
    ['an index that does not exist', { IndexName: 'GSI9', KeyConditionExpression: 'GSI9PK = :v', ExpressionAttributeValues: { ':v': 'x' } },
      'The table does not have the specified index: GSI9'],
    ['a consistent read of the index', { IndexName: 'GSI1', ConsistentRead: true, KeyConditionExpression: 'GSI1PK = :v', ExpressionAttributeValues: { ':v': 'x' } },
      'Consistent reads are not supported on global secondary indexes'],
    ['a reserved word in a filter', { KeyConditionExpression: 'PK = :v', FilterExpression: 'name = :v', ExpressionAttributeValues: { ':v': 'x' } },
      'Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: name'],
  ]

  it.each(refused)('refuses %s', async (_, request, message) => {
    expect(await failure(doc.query({ TableName, ...request }))).toEqual(validation(message))
  })

  it('refuses an order header whose index key is a number', async () => {
    expect(await failure(doc.put({ TableName, Item: { PK: 'ORDER#bad', SK: 'METADATA', GSI1PK: 'CUST#c1', GSI1SK: 20240301 } })))
      .toEqual(validation('One or more parameter values were invalid: Type mismatch for Index Key GSI1SK Expected: S Actual: N IndexName: GSI1'))
    expect(await answer(doc.get({ TableName, Key: { PK: 'ORDER#bad', SK: 'METADATA' }, ConsistentRead: true }))).toEqual({})
  })

  it('refuses an order header whose index key is empty', async () => {
    expect(await failure(doc.put({ TableName, Item: { PK: 'ORDER#bad', SK: 'METADATA', GSI1PK: '', GSI1SK: 'x' } })))
      .toEqual(validation('One or more parameter values are not valid. A value specified for a secondary index key is not supported. '
        + 'The AttributeValue for a key attribute cannot contain an empty string value. IndexName: GSI1, IndexKey: GSI1PK'))
  })
})
