// Orders, measured: transactions that take stock, are cancelled, and are sent twice; orders whose status moves them within an index.
// An item takes less than 1 KB, so a write takes 1 unit of the table (2 in a transaction) and 1 of each index that the item is in.

import { beforeAll, describe, expect, it } from 'vitest'
import { hasControl } from '../../support/control.js'
import { failure } from '../../support/answers.js'
import {
  createApplication, createApplicationTable, entitiesOf, findingsOf, firstLimitOf, measure, NEW, patternsOf, queryAll, times, unitsOf, useAccount,
} from '../../support/measurement.js'

const TableName = 'orders'

/** The calls of the application. */
function orders(doc) {
  const user = (n) => `USER#${501 + n}`
  const at = '2024-06-01T10:00:00Z'
  const padded = (n) => String(101 + n).padStart(8, '0')
  const order = (n) => ({ PK: user(n), SK: `ORDER#${at}#${padded(n)}`, entityType: 'Order', orderId: 101 + n, status: 'pending', amount: 8,
    GSI1PK: `ORDER#${101 + n}`, GSI1SK: 'METADATA', GSI2PK: 'STATUS#pending', GSI2SK: `${at}#${padded(n)}` })
  const product = (n) => `PRODUCT#${11 + n}`
  return {
    signUp: (n) => doc.put({ TableName, ...NEW, Item: { PK: user(n), SK: 'PROFILE', entityType: 'User', email: `kim${n}@example.com`,
      GSI1PK: `EMAIL#kim${n}@example.com`, GSI1SK: 'PROFILE' } }),
    addProduct: (n) => doc.put({ TableName, ...NEW, Item: { PK: product(n), SK: 'METADATA', entityType: 'Product', stock: 20, price: 4 } }),
    place: (n, productNumber, quantity, token) => doc.transactWrite({ ClientRequestToken: token, TransactItems: [
      { Put: { TableName, Item: order(n), ...NEW } },
      { Update: { TableName, Key: { PK: product(productNumber), SK: 'METADATA' }, UpdateExpression: 'SET stock = stock - :q',
        ConditionExpression: 'stock >= :q', ExpressionAttributeValues: { ':q': quantity } } },
    ] }),
    ship: (n) => doc.update({ TableName, Key: { PK: user(n), SK: order(n).SK }, UpdateExpression: 'SET #status = :s, GSI2PK = :pk',
      ConditionExpression: '#status = :was', ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':s': 'shipped', ':pk': 'STATUS#shipped', ':was': 'pending' } }),
    stock: (n) => doc.get({ TableName, Key: { PK: product(n), SK: 'METADATA' }, ConsistentRead: true }),
    queryIndex: (IndexName, PK, more = {}) => doc.query({ TableName, IndexName, KeyConditionExpression: `${IndexName}PK = :pk`,
      ExpressionAttributeValues: { ':pk': PK }, ...more }),
  }
}

describe.skipIf(!hasControl)('the access patterns of orders', () => {
  const { account, db, doc } = useAccount()
  const { signUp, addProduct, place, ship, stock, queryIndex } = orders(doc)

  const traffic = async () => {
    await times(20, signUp)
    await times(4, addProduct)
    await times(20, (n) => place(n, n % 4, 2))
    await times(3, (n) => failure(place(30 + n, 0, 50)))
    await times(2, (n) => failure(place(n, 0, 1)))
    await times(12, ship)
    await times(3, (n) => failure(ship(n)))
    await times(26, (n) => stock(n % 4))
    await times(10, (n) => queryIndex('GSI1', `EMAIL#kim${n}@example.com`))
    await times(15, (n) => queryIndex('GSI1', `ORDER#${101 + n}`))
    await times(3, () => queryIndex('GSI2', 'STATUS#pending', { Limit: 5 }))
    await times(2, () => queryAll(doc, { TableName, KeyConditionExpression: 'PK = :pk AND begins_with(SK, :sk)',
      ExpressionAttributeValues: { ':pk': 'USER#1', ':sk': 'ORDER#' }, ScanIndexForward: false, Limit: 3 }))
  }

  it('cost what is counted by hand', async () => {
    await createApplication('orders', { db, doc })
    const { measurement, report } = await measure(account, traffic)
    expect(patternsOf(measurement)).toEqual([
      { text: 'GetItem orders where PK = PRODUCT#{digits} and SK = METADATA, consistent', calls: 26, read: { table: 26 }, readP99: 1, examined: 26, returned: 26 },
      { text: 'PutItem orders where PK = PRODUCT#{digits} and SK = METADATA, if attribute_not_exists(PK)', calls: 4, written: { table: 4 }, writeP99: 1, inserted: 4 },
      { text: 'PutItem orders where PK = USER#{digits} and SK = PROFILE, if attribute_not_exists(PK)', calls: 20, written: { table: 20, GSI1: 20 }, writeP99: 2, inserted: 20 },
      // four orders, by 3: 2 pages of 0.5 units for each of the 2 calls
      { text: 'Query orders where PK = USER#{digits} and SK begins_with ORDER#, backward, limit 3', calls: 2, requests: 4, pagesP99: 2,
        read: { table: 2 }, readP99: 1, examined: 8, returned: 8 },
      { text: 'Query orders/GSI1 where GSI1PK = EMAIL#{email}', calls: 10, read: { GSI1: 5 }, readP99: 0.5, examined: 10, returned: 10 },
      { text: 'Query orders/GSI1 where GSI1PK = ORDER#{orderId}', calls: 15, read: { GSI1: 7.5 }, readP99: 0.5, examined: 15, returned: 15 },
      { text: 'Query orders/GSI2 where GSI2PK = STATUS#{status}, limit 5', calls: 3, read: { GSI2: 1.5 }, readP99: 0.5, examined: 15, returned: 15 },
      // 2 units for the order, 2 for the product, and 1 of each index for the order. 5 cancelled calls: one condition failed each, both actions took 2 units.
      { text: 'TransactWriteItems put orders where PK = USER#{digits} and SK = ORDER#{date}#{orderId}, if attribute_not_exists(PK); '
        + 'update orders where PK = PRODUCT#{digits} and SK = METADATA: SET stock = stock - ?, if stock >= ?',
      calls: 25, written: { table: 80, GSI1: 20, GSI2: 20 }, writeP99: 6, inserted: 20, changed: 20,
      errors: { TransactionCanceledException: 5 }, failedConditions: 5, failedWritten: 20 },
      // the status moves the order within GSI2, which takes 2 units there, and changes its entry in GSI1, which takes 1
      { text: 'UpdateItem orders where PK = USER#{digits} and SK = ORDER#{date}#{orderId}: SET status = ?, GSI2PK = ?, if status = ?', calls: 15,
        written: { table: 12, GSI1: 12, GSI2: 24 }, writeP99: 4, changed: 12, moved: { GSI2: 12 },
        errors: { ConditionalCheckFailedException: 3 }, failedConditions: 3, failedWritten: 3 },
    ])
    expect(unitsOf(measurement)).toEqual({
      table: { read: 28, written: 116, failedWritten: 23 }, GSI1: { read: 12.5, written: 52 }, GSI2: { read: 1.5, written: 44 },
    })
    expect(entitiesOf(measurement)).toEqual([
      { text: 'Order: USER#{digits}, ORDER#{date}#{orderId}', items: 25, in: { GSI1: '25: ORDER#{orderId}, METADATA', GSI2: '25: STATUS#{status}, {date}#{orderId}' },
        inserted: 20, changed: 12, written: { table: 52, GSI1: 32, GSI2: 44 } },
      { text: 'Product: PRODUCT#{digits}, METADATA', items: 6, inserted: 4, changed: 20, written: { table: 44 } },
      { text: 'User: USER#{digits}, PROFILE', items: 22, in: { GSI1: '22: EMAIL#{email}, PROFILE' }, inserted: 20, written: { table: 20, GSI1: 20 } },
    ])
    // half of the 24 units in 120 calls, at US$ 0.625 a million
    expect(findingsOf(report)).toEqual([
      { rule: 'index-key-churn', severity: 'hint', evidence: '12 of 12 changes moved the item within the index, which took 24 write units.',
        where: 'orders/GSI2: UpdateItem orders where PK = USER#{digits} and SK = ORDER#{date}#{orderId}: SET status = ?, GSI2PK = ?, if status = ?',
        cost: 'US$ 0.0625 per million calls of this mix, moving entries instead of changing them' },
    ])
    // 112 calls succeed. 20 orders that are placed write 1 unit to the key of pending orders, and 12 that are shipped another: 1,000 × 112 ÷ 32.
    expect(firstLimitOf(report)).toEqual({
      table: 'orders', index: 'GSI2', key: 'GSI2PK=STATUS#pending', direction: 'write', limit_units_per_second: 1000,
      least_calls_per_second: 3500, most_calls_per_second: 3500, sentence: 'at 3,500 calls/s of this mix: GSI2, key GSI2PK=STATUS#pending, writes',
    })
  })
})

describe.skipIf(!hasControl)('an order that is sent again with its token', () => {
  const { account, db, doc } = useAccount()
  const { addProduct, place } = orders(doc)
  const token = (n) => `order ${account} ${n}`
  let measurement

  beforeAll(async () => {
    await createApplicationTable('orders', { db })
    await addProduct(0);
    ({ measurement } = await measure(account, async () => {
      await times(2, (n) => place(n, 0, 1, token(n)))
      await times(4, (n) => place(n % 2, 0, 1, token(n % 2)))
      await times(3, () => failure(place(0, 0, 2, token(0))))
    }))
  })

  it('takes read units, and is counted as a replay', () => {
    // 2 orders: 2 units of the table for each of the two items, and 1 of each index. 4 replays: 2 read units for each item.
    expect(unitsOf(measurement)).toEqual({ table: { written: 8, read: 16 }, GSI1: { written: 2 }, GSI2: { written: 2 } })
    expect(measurement.patterns.reduce((sum, { replays }) => sum + replays, 0)).toBe(4)
    expect(measurement.other_errors).toEqual([{ name: 'IdempotentParameterMismatchException', count: 3 }])
  })

  // A replay is the same call as the first, although it reads the items.
  it('belongs to the pattern of the order', () => {
    expect(patternsOf(measurement)).toEqual([
      { text: 'TransactWriteItems put orders where PK = USER#{digits} and SK = ORDER#{date}#{orderId}, if attribute_not_exists(PK); '
        + 'update orders where PK = PRODUCT#{digits} and SK = METADATA: SET stock = stock - ?, if stock >= ?',
      calls: 6, read: { table: 16 }, readP99: 4, written: { table: 8, GSI1: 2, GSI2: 2 }, writeP99: 6, inserted: 2, changed: 2, replays: 4 },
    ])
  })
})
