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
    console.log(JSON.stringify({ p: patternsOf(measurement), u: unitsOf(measurement), e: entitiesOf(measurement), f: findingsOf(report), l: firstLimitOf(report), h: report.headline}, null, 1))
  })
})
