// E-commerce, measured: orders that are placed and that change their status, and an index that is written and never read.
// An item takes less than 1 KB, so a write takes 1 unit of the table (2 in a transaction) and 1 of each index that the item is in.

import { describe, expect, it } from 'vitest'
import { hasControl } from '../../support/control.js'
import { failure } from '../../support/answers.js'
import { migrate } from '../../support/application.js'
import {
  createApplication, createApplicationTable, entitiesOf, findingsOf, firstLimitOf, measure, NEW, patternsOf, times, unitsOf, useAccount,
} from '../../support/measurement.js'

const TableName = 'ecommerce'

/** The calls of the application. */
function ecommerce(doc) {
  const user = (n) => `USER#${101 + n}`
  const order = (n) => `ORDER#${1101 + n}`
  const date = '2024-05-01'
  const orderItems = (n) => [
    { PK: user(n), SK: `ORDER#${date}#${1101 + n}`, entityType: 'Order', orderId: `${1101 + n}`, amount: 30, status: 'pending' },
    { PK: order(n), SK: 'META', entityType: 'Order', userId: `${101 + n}`, date, status: 'pending', amount: 30,
      GSI1PK: 'STATUS#pending', GSI1SK: `ORDER#${date}#${1101 + n}` },
    { PK: order(n), SK: 'ITEM#1', entityType: 'OrderItem', productId: 'p1', quantity: 2 },
    { PK: order(n), SK: 'ITEM#2', entityType: 'OrderItem', productId: 'p3', quantity: 3 },
  ]
  const query = (PK, more = {}, values = {}) => doc.query({ TableName, KeyConditionExpression: 'PK = :pk',
    ExpressionAttributeValues: { ':pk': PK, ...values }, ...more })
  return {
    user,
    signUp: (n) => doc.put({ TableName, ...NEW, Item: { PK: user(n), SK: 'PROFILE', entityType: 'User', name: 'Kit', email: `kit${n}@example.com`,
      GSI2PK: 'ACTIVE_USER', GSI2SK: user(n) } }),
    leave: (n) => doc.update({ TableName, Key: { PK: user(n), SK: 'PROFILE' }, UpdateExpression: 'REMOVE GSI2PK', ConditionExpression: 'attribute_exists(PK)' }),
    place: (n) => doc.transactWrite({ TransactItems: orderItems(n).map((Item) => ({ Put: { TableName, Item, ...NEW } })) }),
    changeStatus: (n, status) => doc.update({ TableName, Key: { PK: order(n), SK: 'META' }, UpdateExpression: 'SET #status = :s, GSI1PK = :pk',
      ConditionExpression: 'attribute_exists(PK)', ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':s': status, ':pk': `STATUS#${status}` } }),
    get: (PK, SK) => doc.get({ TableName, Key: { PK, SK } }),
    query,
    queryPrefix: (PK, prefix, more = {}) => query(PK, { KeyConditionExpression: 'PK = :pk AND begins_with(SK, :sk)', ...more }, { ':sk': prefix }),
    order: (n) => query(order(n)),
    ordersSince: (n, day) => query(user(n), { KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to' }, { ':from': `ORDER#${day}`, ':to': 'ORDER#~' }),
    ofStatus: (status) => query(`STATUS#${status}`, { IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :pk', ScanIndexForward: false, Limit: 10 }),
    activeUsers: () => query('ACTIVE_USER', { IndexName: 'GSI2', KeyConditionExpression: 'GSI2PK = :pk' }),
    members: (org) => query(`ORG#${org}`, { IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :pk' }),
  }
}

describe.skipIf(!hasControl)('the access patterns of e-commerce', () => {
  const { account, db, doc } = useAccount()
  const shop = ecommerce(doc)

  const traffic = async () => {
    await times(20, shop.signUp)
    await times(3, (n) => failure(shop.signUp(n)))
    await times(20, shop.place)
    await times(2, (n) => failure(shop.place(n)))
    await times(12, (n) => shop.changeStatus(n, 'shipped'))
    await times(4, (n) => failure(shop.changeStatus(500 + n, 'shipped')))
    await times(5, shop.leave)
    await times(30, (n) => shop.get(shop.user(n % 20), 'PROFILE'))
    await times(20, (n) => shop.queryPrefix(shop.user(n), 'ORDER#', { ScanIndexForward: false }))
    await times(10, (n) => shop.ordersSince(n, '2024-02-01'))
    await times(20, shop.order)
    await times(6, () => shop.ofStatus('pending'))
    await times(4, () => shop.ofStatus('shipped'))
    await times(10, shop.activeUsers)
    await times(8, () => shop.queryPrefix('USER#1', 'ORG#'))
    await times(6, () => shop.members('acme'))
    await times(4, () => shop.queryPrefix('USER#1', 'FOLDER#documents#'))
    await times(2, () => shop.query('METRICS#2024-03-15'))
    await migrate(doc, TableName, Array.from({ length: 60 }, (_, n) =>
      ({ PK: `USER#${201 + n}`, SK: 'PROFILE', entityType: 'User', name: 'Kit', email: `old${n}@example.com` })))
  }

  it('cost what is counted by hand', async () => {
    await createApplication('ecommerce', { db, doc })
    const { measurement, report } = await measure(account, traffic)
    expect(patternsOf(measurement)).toEqual([
      // three batches, of 25, 25 and 10 items
      { text: 'BatchWriteItem put ecommerce where PK = USER#{digits} and SK = PROFILE', calls: 3, written: { table: 60 }, writeP99: 25, inserted: 60 },
      { text: 'GetItem ecommerce where PK = USER#{digits} and SK = PROFILE', calls: 30, read: { table: 15 }, readP99: 0.5, examined: 30, returned: 30 },
      { text: 'PutItem ecommerce where PK = USER#{digits} and SK = PROFILE, if attribute_not_exists(PK)', calls: 23, written: { table: 20, GSI2: 20 },
        writeP99: 2, inserted: 20, errors: { ConditionalCheckFailedException: 3 }, failedConditions: 3, failedWritten: 3 },
      { text: 'Query ecommerce where PK = METRICS#{date}', calls: 2, read: { table: 1 }, readP99: 0.5, examined: 6, returned: 6 },
      { text: 'Query ecommerce where PK = ORDER#{digits}', calls: 20, read: { table: 10 }, readP99: 0.5, examined: 60, returned: 60 },
      { text: 'Query ecommerce where PK = USER#{digits} and SK BETWEEN ORDER#{date} and ORDER#~', calls: 10, read: { table: 5 }, readP99: 0.5, examined: 10, returned: 10 },
      { text: 'Query ecommerce where PK = USER#{digits} and SK begins_with FOLDER#documents#', calls: 4, read: { table: 2 }, readP99: 0.5, examined: 12, returned: 12 },
      { text: 'Query ecommerce where PK = USER#{digits} and SK begins_with ORDER#, backward', calls: 20, read: { table: 10 }, readP99: 0.5, examined: 20, returned: 20 },
      { text: 'Query ecommerce where PK = USER#{digits} and SK begins_with ORG#', calls: 8, read: { table: 4 }, readP99: 0.5, examined: 16, returned: 16 },
      { text: 'Query ecommerce/GSI1 where GSI1PK = ORG#acme', calls: 6, read: { GSI1: 3 }, readP99: 0.5, examined: 12, returned: 12 },
      // 6 calls and 4 calls: of both statuses there are 10 orders or more
      { text: 'Query ecommerce/GSI1 where GSI1PK = STATUS#{status}, backward, limit 10', calls: 10, read: { GSI1: 5 }, readP99: 0.5, examined: 100, returned: 100 },
      // 2 users from the start and 20 new ones, of whom 5 have left: 17
      { text: 'Query ecommerce/GSI2 where GSI2PK = ACTIVE_USER', calls: 10, read: { GSI2: 5 }, readP99: 0.5, examined: 170, returned: 170 },
      // 4 items: 2 units each, and 1 of GSI1 for the item META. 2 cancelled calls: 4 conditions failed each, and each took 2 units.
      { text: 'TransactWriteItems put ecommerce where PK = ORDER#{digits} and SK = ITEM#{digits}, if attribute_not_exists(PK); '
        + 'put ecommerce where PK = ORDER#{digits} and SK = META, if attribute_not_exists(PK); '
        + 'put ecommerce where PK = USER#{digits} and SK = ORDER#{date}#{orderId}, if attribute_not_exists(PK)',
      calls: 22, written: { table: 160, GSI1: 20 }, writeP99: 9, inserted: 80, errors: { TransactionCanceledException: 2 }, failedConditions: 8, failedWritten: 16 },
      // a new status moves the order within the index: 1 unit of the table, 2 of GSI1. An order that is not there takes 1 unit.
      { text: 'UpdateItem ecommerce where PK = ORDER#{digits} and SK = META: SET status = ?, GSI1PK = ?, if attribute_exists(PK)', calls: 16,
        written: { table: 12, GSI1: 24 }, writeP99: 3, changed: 12, moved: { GSI1: 12 }, errors: { ConditionalCheckFailedException: 4 }, failedConditions: 4, failedWritten: 4 },
      { text: 'UpdateItem ecommerce where PK = USER#{digits} and SK = PROFILE: REMOVE GSI2PK, if attribute_exists(PK)', calls: 5, written: { table: 5, GSI2: 5 }, writeP99: 2, changed: 5 },
    ])
    expect(unitsOf(measurement)).toEqual({ table: { read: 47, written: 257, failedWritten: 23 }, GSI1: { read: 8, written: 44 }, GSI2: { read: 5, written: 25 } })
    expect(entitiesOf(measurement)).toEqual([
      { text: 'Address: USER#{digits}, ADDRESS#home', items: 1 },
      { text: 'Address: USER#{digits}, ADDRESS#work', items: 1 },
      { text: 'Folder: USER#{digits}, FOLDER#documents', items: 1 },
      { text: 'Folder: USER#{digits}, FOLDER#documents#taxes', items: 1 },
      { text: 'Folder: USER#{digits}, FOLDER#documents#taxes#{digits}', items: 1 },
      { text: 'Folder: USER#{digits}, FOLDER#documents#travel', items: 1 },
      { text: 'Folder: USER#{digits}, FOLDER#documentsold', items: 1 },
      { text: 'Folder: USER#{digits}, FOLDER#music', items: 1 },
      { text: 'Membership: USER#{digits}, ORG#acme', items: 2, in: { GSI1: '2: ORG#acme, USER#{digits}' } },
      { text: 'Membership: USER#{digits}, ORG#globex', items: 1, in: { GSI1: '1: ORG#globex, USER#{digits}' } },
      { text: 'Metric: METRICS#{date}, {date}', items: 4 },
      { text: 'Order: ORDER#{digits}, META', items: 24, in: { GSI1: '24: STATUS#{status}, ORDER#{date}#{digits}' }, inserted: 20, changed: 12, written: { table: 52, GSI1: 44 } },
      { text: 'Order: USER#{digits}, ORDER#{date}#{orderId}', items: 24, inserted: 20, written: { table: 40 } },
      { text: 'OrderItem: ORDER#{digits}, ITEM#{digits}', items: 46, inserted: 40, written: { table: 80 } },
      { text: 'Product: PRODUCT#p1, INFO', items: 1 },
      { text: 'Product: PRODUCT#p2, INFO', items: 1 },
      { text: 'Product: PRODUCT#p3, INFO', items: 1 },
      { text: 'User: USER#{digits}, PROFILE', items: 83, in: { GSI2: '17: ACTIVE_USER, USER#{digits}' }, inserted: 80, changed: 5, written: { table: 85, GSI2: 25 } },
    ])
    expect(findingsOf(report)).toEqual([
      { rule: 'constant-partition-key', severity: 'warning', where: 'ecommerce/GSI2, User (USER#{digits}, PROFILE), GSI2PK=ACTIVE_USER',
        evidence: '17 items of the entity, all that the index has, are under this one key; writing them took 25 write units.' },
      // half of the 24 units in 189 calls, at US$ 0.625 a million
      { rule: 'index-key-churn', severity: 'hint', evidence: '12 of 12 changes moved the item within the index, which took 24 write units.',
        where: 'ecommerce/GSI1: UpdateItem ecommerce where PK = ORDER#{digits} and SK = META: SET status = ?, GSI1PK = ?, if attribute_exists(PK)',
        cost: 'US$ 0.0397 per million calls of this mix, moving entries instead of changing them' },
      { rule: 'date-partition-key', severity: 'hint', where: 'ecommerce, PK=METRICS#{date}', evidence: '4 items have a partition key that is a date.' },
      { rule: 'unsorted-numbers', severity: 'hint', where: 'ecommerce/GSI2, GSI2SK=USER#{digits}', evidence: '{digits} has 1 to 3 digits in 17 items.' },
    ])
    // 180 calls succeed. 20 orders that are placed write 1 unit to the key of pending orders, and 12 that are shipped another: 1,000 × 180 ÷ 32.
    expect(firstLimitOf(report)).toEqual({
      table: 'ecommerce', index: 'GSI1', key: 'GSI1PK=STATUS#pending', direction: 'write', limit_units_per_second: 1000,
      least_calls_per_second: 5625, most_calls_per_second: 5625, sentence: 'at 5,625 calls/s of this mix: GSI1, key GSI1PK=STATUS#pending, writes',
    })
  })
})

describe.skipIf(!hasControl)('an index of e-commerce that is written and never read', () => {
  const { account, db, doc } = useAccount()
  const shop = ecommerce(doc)

  it('is found, with what it costs', async () => {
    await createApplicationTable('ecommerce', { db })
    const { measurement, report } = await measure(account, async () => {
      await times(20, shop.signUp)
      await times(30, (n) => shop.get(shop.user(n % 20), 'PROFILE'))
    })
    expect(unitsOf(measurement)).toEqual({ table: { read: 15, written: 20 }, GSI2: { written: 20 } })
    // An entry has PK (2 + 8 bytes), SK (2 + 7), entityType (10 + 4), name (4 + 3), email (5 + 16), GSI2PK (6 + 11) and GSI2SK (6 + 8): 92.
    // The e-mail addresses of the last ten users have a byte more: 10 × 92 + 10 × 93 = 1,850.
    const [{ indexes }] = measurement.tables
    expect(indexes.map(({ name, items, size_bytes }) => [name, items, size_bytes])).toEqual([['GSI1', 0, 0], ['GSI2', 20, 1850]])
    // 20 write units in 50 calls, at US$ 0.625 a million
    expect(findingsOf(report)).toEqual([
      { rule: 'write-only-index', severity: 'warning', where: 'ecommerce/GSI2', cost: 'US$ 0.25 per million calls of this mix, writing the index',
        evidence: 'The index took 20 write units and stores 1.81 KB; none of 30 reads of the table used it.' },
      { rule: 'constant-partition-key', severity: 'warning', where: 'ecommerce/GSI2, User (USER#{digits}, PROFILE), GSI2PK=ACTIVE_USER',
        evidence: '20 items of the entity, all that the index has, are under this one key; writing them took 20 write units.' },
    ])
  })
})
