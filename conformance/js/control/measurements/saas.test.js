// Accounts, users and service groups, measured: one index with the inverse of the table's key, and every operator on the sort key.
// An item takes less than 1 KB, so a write takes 1 unit of the table (2 in a transaction) and 1 of the index, which has every item.

import { describe, expect, it } from 'vitest'
import { hasControl } from '../../support/control.js'
import {
  createApplication, createApplicationTable, entitiesOf, findingsOf, firstLimitOf, measure, NEW, patternsOf, times, unitsOf, useAccount,
} from '../../support/measurement.js'

const TableName = 'saas'
const account = (n) => `account:a${100 + n}`
const user = (n) => `user:u${100 + n}`
const group = (n) => `servicegroup:g${100 + n}`
const signUp = (doc, n) => doc.put({ TableName, ...NEW, Item: { PK: account(n), SK: 'metadata:account', entityType: 'Account', name: 'Initech', plan: 'free' } })

describe.skipIf(!hasControl)('sign-ups of accounts', () => {
  const { account: measured, db, doc } = useAccount()

  it('are limited by the one key that they have in the inverse index', async () => {
    await createApplicationTable('saas', { db })
    const { measurement, report } = await measure(measured, () => times(120, (n) => signUp(doc, n)))
    // 1 unit of the table + 1 of the index each
    expect(patternsOf(measurement)).toEqual([
      { text: 'PutItem saas where PK = account:{…} and SK = metadata:account, if attribute_not_exists(PK)', calls: 120,
        written: { table: 120, inverse: 120 }, writeP99: 2, inserted: 120 },
    ])
    expect(findingsOf(report)).toEqual([
      { rule: 'constant-partition-key', severity: 'severe', where: 'saas/inverse, Account (account:{…}, metadata:account), SK=metadata:account',
        evidence: '120 items of the entity, all that the index has, are under this one key; writing them took 120 write units.' },
    ])
    expect(firstLimitOf(report)).toEqual({
      table: 'saas', index: 'inverse', key: 'SK=metadata:account', direction: 'write', limit_units_per_second: 1000,
      least_calls_per_second: 1000, most_calls_per_second: 1000, sentence: 'at 1,000 calls/s of this mix: inverse, key SK=metadata:account, writes',
    })
  })
})

describe.skipIf(!hasControl)('the access patterns of accounts, users and service groups', () => {
  const { account: measured, db, doc } = useAccount()
  const query = (KeyConditionExpression, values, more = {}) => doc.query({ TableName, KeyConditionExpression, ExpressionAttributeValues: values, ...more })
  const ofAccount = (n, prefix) => query('PK = :pk AND begins_with(SK, :sk)', { ':pk': account(n), ':sk': prefix })
  const inverse = (SK, prefix) => query('SK = :sk AND begins_with(PK, :pk)', { ':sk': SK, ':pk': prefix }, { IndexName: 'inverse' })
  const put = (Item) => ({ Put: { TableName, Item, ...NEW } })
  // Each of 40 accounts has a user, a service group, and the user's membership, which is stored twice.
  const join = (n) => doc.transactWrite({ TransactItems: [put({ PK: user(n), SK: group(n), entityType: 'Membership', role: 'member' }),
    put({ PK: account(n), SK: `${user(n)}#${group(n)}`, entityType: 'Membership' })] })
  const conditions = [
    ['SK = :a', { ':a': 'metadata:account' }], ['SK < :a', { ':a': 'servicegroup:' }], ['SK <= :a', { ':a': 'servicegroup:' }],
    ['SK > :a', { ':a': 'servicegroup:' }], ['SK >= :a', { ':a': 'servicegroup:' }], ['SK BETWEEN :a AND :b', { ':a': 'servicegroup:', ':b': 'user:' }],
  ]

  const traffic = async () => {
    await times(40, (n) => signUp(doc, n))
    await times(40, (n) => doc.put({ TableName, ...NEW, Item: { PK: account(n), SK: user(n), entityType: 'User', name: 'Mo' } }))
    await times(40, (n) => doc.put({ TableName, ...NEW, Item: { PK: account(n), SK: group(n), entityType: 'ServiceGroup', name: 'audit' } }))
    await times(40, join)
    await times(10, (n) => doc.get({ TableName, Key: { PK: account(n), SK: 'metadata:account' }, ConsistentRead: true }))
    await times(20, (n) => ofAccount(n, 'user:'))
    await times(10, (n) => ofAccount(n, 'servicegroup:'))
    await times(10, (n) => query('PK = :pk AND begins_with(SK, :sk)', { ':pk': user(n), ':sk': 'servicegroup:' }))
    await times(10, (n) => inverse(group(n), 'user:'))
    await times(5, (n) => inverse(user(n), 'account:'))
    await times(2, () => Promise.all(conditions.map(([condition, values]) => query(`PK = :pk AND ${condition}`, { ':pk': account(7), ...values }))))
    await times(2, () => doc.scan({ TableName }))
  }

  it('cost what is counted by hand', async () => {
    await createApplication('saas', { db, doc })
    const { measurement, report } = await measure(measured, traffic)
    const ofOne = (condition, items) => ({ text: `Query saas where PK = account:{…} and ${condition}`, calls: 2, read: { table: 1 }, readP99: 0.5, examined: 2 * items, returned: 2 * items })
    expect(patternsOf(measurement)).toEqual([
      { text: 'GetItem saas where PK = account:{…} and SK = metadata:account, consistent', calls: 10, read: { table: 10 }, readP99: 1, examined: 10, returned: 10 },
      { text: 'PutItem saas where PK = account:{…} and SK = metadata:account, if attribute_not_exists(PK)', calls: 40, written: { table: 40, inverse: 40 }, writeP99: 2, inserted: 40 },
      { text: 'PutItem saas where PK = account:{…} and SK = servicegroup:{…}, if attribute_not_exists(PK)', calls: 40, written: { table: 40, inverse: 40 }, writeP99: 2, inserted: 40 },
      { text: 'PutItem saas where PK = account:{…} and SK = user:{…}, if attribute_not_exists(PK)', calls: 40, written: { table: 40, inverse: 40 }, writeP99: 2, inserted: 40 },
      // the account has metadata:account, servicegroup:g107, user:u107 and user:u107#servicegroup:g107
      ofOne('SK < servicegroup:', 1),
      ofOne('SK <= servicegroup:', 1),
      ofOne('SK = metadata:account', 1),
      ofOne('SK > servicegroup:', 3),
      ofOne('SK >= servicegroup:', 3),
      ofOne('SK BETWEEN servicegroup: and user:', 1),
      { text: 'Query saas where PK = account:{…} and SK begins_with servicegroup:', calls: 10, read: { table: 5 }, readP99: 0.5, examined: 10, returned: 10 },
      // the user and its membership, whose key begins like the user's
      { text: 'Query saas where PK = account:{…} and SK begins_with user:', calls: 20, read: { table: 10 }, readP99: 0.5, examined: 40, returned: 40 },
      { text: 'Query saas where PK = user:{…} and SK begins_with servicegroup:', calls: 10, read: { table: 5 }, readP99: 0.5, examined: 10, returned: 10 },
      { text: 'Query saas/inverse where SK = servicegroup:{…} and PK begins_with user:', calls: 10, read: { inverse: 5 }, readP99: 0.5, examined: 10, returned: 10 },
      { text: 'Query saas/inverse where SK = user:{…} and PK begins_with account:', calls: 5, read: { inverse: 2.5 }, readP99: 0.5, examined: 5, returned: 5 },
      // 16 items from the start with 877 bytes, and 40 each of 68 (accounts), 45 (users), 64 (groups), 60 and 63 bytes (memberships):
      // 12,877 bytes, which are 4 times 4 KB, read with eventual consistency: 2 units
      { text: 'Scan saas', calls: 2, read: { table: 4 }, readP99: 2, examined: 432, returned: 432 },
      // 2 items: 2 units of the table and 1 of the index each
      { text: 'TransactWriteItems put saas where PK = account:{…} and SK = user:{…}#servicegroup:{…}, if attribute_not_exists(PK); '
        + 'put saas where PK = user:{…} and SK = servicegroup:{…}, if attribute_not_exists(PK)',
      calls: 40, written: { table: 160, inverse: 80 }, writeP99: 6, inserted: 80 },
    ])
    expect(unitsOf(measurement)).toEqual({ table: { read: 40, written: 280 }, inverse: { read: 7.5, written: 200 } })
    expect(measurement.tables.map(({ items, size_bytes }) => ({ items, size_bytes }))).toEqual([{ items: 216, size_bytes: 12_877 }])
    expect(entitiesOf(measurement)).toEqual([
      { text: 'Account: account:{…}, metadata:account', items: 42, in: { inverse: '42: metadata:account, account:{…}' }, inserted: 40, written: { table: 40, inverse: 40 } },
      { text: 'Membership: account:{…}, user:{…}#servicegroup:{…}', items: 43, in: { inverse: '43: user:{…}#servicegroup:{…}, account:{…}' },
        inserted: 40, written: { table: 80, inverse: 40 } },
      { text: 'Membership: user:{…}, servicegroup:{…}', items: 44, in: { inverse: '44: servicegroup:{…}, user:{…}' }, inserted: 40, written: { table: 80, inverse: 40 } },
      { text: 'ServiceGroup: account:{…}, servicegroup:{…}', items: 43, in: { inverse: '43: servicegroup:{…}, account:{…}' }, inserted: 40, written: { table: 40, inverse: 40 } },
      { text: 'User: account:{…}, user:{…}', items: 44, in: { inverse: '44: user:{…}, account:{…}' }, inserted: 40, written: { table: 40, inverse: 40 } },
    ])
    expect(findingsOf(report)).toEqual([
      // 4 units in 239 calls, at US$ 0.125 a million
      { rule: 'scan', severity: 'warning', where: 'saas: Scan saas', evidence: '2 calls scanned 432 items and took 4 read units.',
        cost: 'US$ 0.00209 per million calls of this mix, the scan' },
      { rule: 'ambiguous-prefix', severity: 'hint', where: 'saas: Query saas where PK = account:{…} and SK begins_with user:, SK begins_with user:',
        evidence: '20 calls met items of User (account:{…}, user:{…}) and Membership (account:{…}, user:{…}#servicegroup:{…}).' },
    ])
    // 239 calls, of which 40 write 1 unit to the key of all accounts
    expect(firstLimitOf(report)).toEqual({
      table: 'saas', index: 'inverse', key: 'SK=metadata:account', direction: 'write', limit_units_per_second: 1000,
      least_calls_per_second: 5975, most_calls_per_second: 5975, sentence: 'at 5,975 calls/s of this mix: inverse, key SK=metadata:account, writes',
    })
  })
})
