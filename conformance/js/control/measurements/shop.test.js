// The shop, measured: customers under one key of the index, orders that are placed in transactions, and a Scan. An item takes less than
// 1 KB, so a write takes 1 unit of the table (2 in a transaction) and 1 of the index if the item is in it. A page of a read takes 0.5 units.

import { describe, expect, it } from 'vitest'
import { hasControl } from '../../support/control.js'
import { failure } from '../../support/answers.js'
import {
  createApplication, createApplicationTable, entitiesOf, findingsOf, firstLimitOf, measure, NEW, patternsOf, queryAll, times, unitsOf, useAccount,
} from '../../support/measurement.js'

const TableName = 'shop'

describe.skipIf(!hasControl)('sign-ups of the shop', () => {
  const signUp = (doc, n, GSI1PK) => doc.put({ TableName, ...NEW,
    Item: { PK: `CUST#${1000 + n}`, SK: 'METADATA', entityType: 'Customer', name: 'Pat', GSI1PK, GSI1SK: `2024-04-01T10:00:${10 + n}Z` } })

  describe('with all customers under one key of the index', () => {
    const { account, db, doc } = useAccount()

    it('are limited by that key to 1,000 a second', async () => {
      await createApplicationTable('shop', { db })
      const { measurement, report } = await measure(account, async () => {
        await times(30, (n) => signUp(doc, n, 'CUSTOMER'))
        await times(5, (n) => failure(signUp(doc, n, 'CUSTOMER')))
      })
      // 30 sign-ups: 1 unit of the table + 1 of GSI1 each = 60. 5 that failed: 1 unit for the stored item that was read.
      expect(patternsOf(measurement)).toEqual([{
        text: 'PutItem shop where PK = CUST#{digits} and SK = METADATA, if attribute_not_exists(PK)',
        calls: 35, written: { table: 30, GSI1: 30 }, writeP99: 2, inserted: 30,
        errors: { ConditionalCheckFailedException: 5 }, failedConditions: 5, failedWritten: 5,
      }])
      expect(unitsOf(measurement)).toEqual({ table: { written: 30, failedWritten: 5 }, GSI1: { written: 30 } })
      expect(entitiesOf(measurement)).toEqual([
        { text: 'Customer: CUST#{digits}, METADATA', items: 30, in: { GSI1: '30: CUSTOMER, {date}' }, inserted: 30, written: { table: 30, GSI1: 30 } },
      ])
      expect(findingsOf(report)).toEqual([{
        rule: 'constant-partition-key', severity: 'warning', where: 'shop/GSI1, Customer (CUST#{digits}, METADATA), GSI1PK=CUSTOMER',
        evidence: '30 items of the entity, all that the index has, are under this one key; writing them took 30 write units.',
      }])
      // Each call that succeeds writes 1 unit to the key, which takes 1,000 a second.
      expect(firstLimitOf(report)).toEqual({
        table: 'shop', index: 'GSI1', key: 'GSI1PK=CUSTOMER', direction: 'write', limit_units_per_second: 1000,
        least_calls_per_second: 1000, most_calls_per_second: 1000,
        sentence: 'at 1,000 calls/s of this mix: GSI1, key GSI1PK=CUSTOMER, writes',
      })
    })
  })

  describe('with customers under ten keys of the index', () => {
    const { account, db, doc } = useAccount()

    it('are limited to ten times as many, and cost what is declared for a month', async () => {
      await createApplicationTable('shop', { db })
      const { measurement, report } = await measure(account, () => times(30, (n) => signUp(doc, n, `CUSTOMER#${n % 10}`)),
        { names: [{ name: 'sign up', operation: 'PutItem', partition_key: 'CUST#*' }], rates: { 'sign up': 2 } })
      expect(unitsOf(measurement)).toEqual({ table: { written: 30 }, GSI1: { written: 30 } })
      expect(findingsOf(report)).toEqual([])
      // 3 of 30 calls write to each key: 1,000 × 30 ÷ 3.
      const { key, ...limit } = firstLimitOf(report)
      expect(key).toMatch(/^GSI1PK=CUSTOMER#[0-9]$/)
      expect(limit).toEqual({
        table: 'shop', index: 'GSI1', direction: 'write', limit_units_per_second: 1000, least_calls_per_second: 10_000, most_calls_per_second: 10_000,
        sentence: `at 10,000 calls/s of this mix: GSI1, key ${key}, writes (5,000 × the declared rates)`,
      })
      // 2 units of 1 call at US$ 0.625 a million. A month of 730 hours has 2 × 2,628,000 calls, with 1 unit of the table and 1 of the index each.
      expect(report.patterns.map(({ name, usd_per_million }) => ({ name, usd_per_million }))).toEqual([{ name: 'sign up', usd_per_million: 1.25 }])
      expect(report.month.lines.filter(({ what }) => what !== 'storage').map(({ what, index, quantity, usd }) => ({ what, index, quantity, usd }))).toEqual([
        { what: 'writes', index: '', quantity: 5_256_000, usd: 3.285 }, { what: 'writes', index: 'GSI1', quantity: 5_256_000, usd: 3.285 },
      ])
    })
  })
})

describe.skipIf(!hasControl)('the six access patterns of the shop', () => {
  const { account, db, doc } = useAccount()
  // There are 40 of each, more than the 32 texts in one place of a key that are taken for words.
  const customer = (n) => `CUST#c${100 + n}`
  const order = (n) => `ORDER#o${100 + n}`
  const product = (n) => `PRODUCT#s${100 + n % 40}`
  const put = (Item) => ({ Put: { TableName, Item, ...NEW } })
  const queryIndex = (GSI1PK, more = {}) => doc.query({ TableName, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :pk',
    ExpressionAttributeValues: { ':pk': GSI1PK }, ...more })
  const line = (n, sku) => ({ PK: order(n), SK: sku.replace('PRODUCT', 'ITEM'), entityType: 'OrderItem', quantity: 1, GSI1PK: sku, GSI1SK: order(n) })
  const header = (n) => ({ PK: order(n), SK: 'METADATA', entityType: 'Order', customerId: `c${100 + n}`, createdAt: '2024-05-01T10:00:00Z', amount: 12,
    GSI1PK: customer(n), GSI1SK: `ORDER#2024-05-01T10:00:00Z#o${100 + n}` })

  const traffic = async () => {
    await times(40, (n) => doc.put({ TableName, ...NEW, Item: { PK: customer(n), SK: 'METADATA', entityType: 'Customer', name: 'Pat',
      GSI1PK: 'CUSTOMER', GSI1SK: `2024-04-01T10:00:${10 + n}Z` } }))
    await times(40, (n) => doc.put({ TableName, ...NEW, Item: { PK: product(n), SK: 'METADATA', entityType: 'Product', name: 'Bowl', price: 6 } }))
    await times(40, (n) => doc.transactWrite({ TransactItems: [put(header(n)), put(line(n, product(n))), put(line(n, product(n + 1)))] }))
    await times(20, (n) => doc.get({ TableName, Key: { PK: customer(n), SK: 'METADATA' } }))
    await times(2, (n) => doc.get({ TableName, Key: { PK: customer(1000 + n), SK: 'METADATA' } }))
    await times(25, (n) => queryIndex(customer(n), { KeyConditionExpression: 'GSI1PK = :pk AND begins_with(GSI1SK, :sk)',
      ExpressionAttributeValues: { ':pk': customer(n), ':sk': 'ORDER#' }, ScanIndexForward: false, Limit: 20 }))
    await times(30, (n) => doc.query({ TableName, KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': order(n) } }))
    await times(15, (n) => doc.get({ TableName, Key: { PK: product(n), SK: 'METADATA' }, ConsistentRead: true }))
    await times(10, (n) => queryIndex(product(n)))
    await times(3, () => queryAll(doc, { TableName, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :pk',
      ExpressionAttributeValues: { ':pk': 'CUSTOMER' }, Limit: 10 }))
  }

  it('cost what is counted by hand', async () => {
    await createApplication('shop', { db, doc })
    const { measurement, report } = await measure(account, traffic)
    expect(patternsOf(measurement)).toEqual([
      // 20 that are there and 2 that are not, at 0.5 each
      { text: 'GetItem shop where PK = CUST#{…} and SK = METADATA', calls: 22, read: { table: 11 }, readP99: 0.5, examined: 20, returned: 20, missing: 2 },
      { text: 'GetItem shop where PK = PRODUCT#{…} and SK = METADATA, consistent', calls: 15, read: { table: 15 }, readP99: 1, examined: 15, returned: 15 },
      { text: 'PutItem shop where PK = CUST#{…} and SK = METADATA, if attribute_not_exists(PK)', calls: 40, written: { table: 40, GSI1: 40 }, writeP99: 2, inserted: 40 },
      { text: 'PutItem shop where PK = PRODUCT#{…} and SK = METADATA, if attribute_not_exists(PK)', calls: 40, written: { table: 40 }, writeP99: 1, inserted: 40 },
      // an order has a header and two lines: 3 items
      { text: 'Query shop where PK = ORDER#{…}', calls: 30, read: { table: 15 }, readP99: 0.5, examined: 90, returned: 90 },
      { text: 'Query shop/GSI1 where GSI1PK = CUST#{customerId} and GSI1SK begins_with ORDER#, backward, limit 20',
        calls: 25, read: { GSI1: 12.5 }, readP99: 0.5, examined: 25, returned: 25 },
      // 2 customers from the start and 40 new ones, by 10: 5 pages of 0.5 units for each of the 3 calls
      { text: 'Query shop/GSI1 where GSI1PK = CUSTOMER, limit 10', calls: 3, requests: 15, pagesP99: 5, read: { GSI1: 7.5 }, readP99: 2.5, examined: 126, returned: 126 },
      // each product is in two orders
      { text: 'Query shop/GSI1 where GSI1PK = PRODUCT#{…}', calls: 10, read: { GSI1: 5 }, readP99: 0.5, examined: 20, returned: 20 },
      // 3 items: 2 units of the table each, and 1 of the index, which a transaction does not double
      { text: 'TransactWriteItems put shop where PK = ORDER#{…} and SK = ITEM#{…}, if attribute_not_exists(PK); '
        + 'put shop where PK = ORDER#{…} and SK = METADATA, if attribute_not_exists(PK)',
      calls: 40, written: { table: 240, GSI1: 120 }, writeP99: 9, inserted: 120 },
    ])
    expect(unitsOf(measurement)).toEqual({ table: { read: 41, written: 320 }, GSI1: { read: 25, written: 160 } })
    // 13 items from the start: 2 customers, 3 orders, 5 lines, 3 products
    expect(entitiesOf(measurement)).toEqual([
      { text: 'Customer: CUST#{…}, METADATA', items: 42, in: { GSI1: '42: CUSTOMER, {date}' }, inserted: 40, written: { table: 40, GSI1: 40 } },
      { text: 'Order: ORDER#{…}, METADATA', items: 43, in: { GSI1: '43: CUST#{customerId}, ORDER#{createdAt}#{…}' }, inserted: 40, written: { table: 80, GSI1: 40 } },
      { text: 'OrderItem: ORDER#{…}, ITEM#{…}', items: 85, in: { GSI1: '85: PRODUCT#{…}, ORDER#{…}' }, inserted: 80, written: { table: 160, GSI1: 80 } },
      { text: 'Product: PRODUCT#{…}, METADATA', items: 43, inserted: 40, written: { table: 40 } },
    ])
    expect(findingsOf(report)).toEqual([{
      rule: 'constant-partition-key', severity: 'warning', where: 'shop/GSI1, Customer (CUST#{…}, METADATA), GSI1PK=CUSTOMER',
      evidence: '42 items of the entity, all that the index has, are under this one key; writing them took 40 write units.',
    }])
    // 225 calls, of which 40 write 1 unit to the key of all customers: 1,000 × 225 ÷ 40
    expect(firstLimitOf(report)).toEqual({
      table: 'shop', index: 'GSI1', key: 'GSI1PK=CUSTOMER', direction: 'write', limit_units_per_second: 1000,
      least_calls_per_second: 5625, most_calls_per_second: 5625, sentence: 'at 5,625 calls/s of this mix: GSI1, key GSI1PK=CUSTOMER, writes',
    })
  })
})

describe.skipIf(!hasControl)('a Scan of the shop', () => {
  const { account, db, doc } = useAccount()

  it('is found, with what it costs', async () => {
    await createApplication('shop', { db, doc })
    const { measurement, report } = await measure(account, () => times(10, () => doc.scan({ TableName,
      FilterExpression: 'amount > :amount', ExpressionAttributeValues: { ':amount': 20 } })))
    const scan = 'Scan shop, filter amount > ?'
    // Thirteen items have less than 4 KB together: 0.5 units. Two orders have an amount above 20.
    expect(patternsOf(measurement)).toEqual([{ text: scan, calls: 10, read: { table: 5 }, readP99: 0.5, examined: 130, returned: 20 }])
    // 5 read units in 10 calls, at US$ 0.125 a million: 0.0625. The filter drops 110 of 130 items: 0.0625 × 110 ÷ 130 = 0.0529.
    expect(findingsOf(report)).toEqual([
      { rule: 'scan', severity: 'warning', where: `shop: ${scan}`, evidence: '10 calls scanned 130 items and took 5 read units.',
        cost: 'US$ 0.0625 per million calls of this mix, the scan' },
      { rule: 'examined-per-returned', severity: 'warning', where: `shop: ${scan}`, evidence: '10 calls examined 130 items to return 20: 6.5 for one.',
        cost: 'US$ 0.0529 per million calls of this mix, reading what the filter drops' },
    ])
  })
})
