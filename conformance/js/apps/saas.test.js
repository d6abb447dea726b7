// Accounts, users and service groups: one table and its inverse index.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, expectAnswer, failure, page, validation } from '../support/answers.js'
import { useApplication } from '../support/application.js'

const { db, doc } = connect()
const { TableName, items, at, key } = useApplication('saas', { db, doc })

const query = (PK, condition, values, options) => answer(doc.query({
  TableName,
  ConsistentRead: true,
  KeyConditionExpression: `PK = :pk${condition ? ` AND ${condition}` : ''}`,
  ExpressionAttributeValues: { ':pk': PK, ...values },
  ...options,
}))

const inverse = (SK, condition, values, options) => doc.query({
  TableName,
  IndexName: 'inverse',
  KeyConditionExpression: `SK = :sk${condition ? ` AND ${condition}` : ''}`,
  ExpressionAttributeValues: { ':sk': SK, ...values },
  ...options,
})

const collection = [
  'account:a1 metadata:account', 'account:a1 servicegroup:g1', 'account:a1 servicegroup:g2', 'account:a1 user:u1',
  'account:a1 user:u1#servicegroup:g1', 'account:a1 user:u1#servicegroup:g2', 'account:a1 user:u2',
  'account:a1 user:u2#servicegroup:g1', 'account:a1 user:u3',
]

describe('an account', () => {
  it('is found by id', async () => {
    expect(await answer(doc.get({ TableName, Key: { PK: 'account:a1', SK: 'metadata:account' } })))
      .toEqual({ Item: at('account:a1 metadata:account')[0] })
  })

  it('holds everything that belongs to it in one collection', async () => {
    expect(await query('account:a1')).toEqual(page(at(...collection)))
  })

  it('lists its service groups', async () => {
    expect(await query('account:a1', 'begins_with(SK, :p)', { ':p': 'servicegroup:' }))
      .toEqual(page(at('account:a1 servicegroup:g1', 'account:a1 servicegroup:g2')))
  })

  it('lists the memberships of one of its users', async () => {
    expect(await query('account:a1', 'begins_with(SK, :p)', { ':p': 'user:u1#' }))
      .toEqual(page(at('account:a1 user:u1#servicegroup:g1', 'account:a1 user:u1#servicegroup:g2')))
  })
})

describe('the sort key of an account', () => {
  const rows = [
    ['SK = :a', ['user:u1'], [3]],
    ['SK < :a', ['servicegroup:g2'], [0, 1]],
    ['SK <= :a', ['servicegroup:g2'], [0, 1, 2]],
    ['SK > :a', ['user:u2'], [7, 8]],
    ['SK >= :a', ['user:u2'], [6, 7, 8]],
    ['SK BETWEEN :a AND :b', ['servicegroup:g2', 'user:u1#servicegroup:g1'], [2, 3, 4]],
    ['begins_with(SK, :a)', ['user:'], [3, 4, 5, 6, 7, 8]],
    ['begins_with(SK, :a)', ['user:u2'], [6, 7]],
    ['begins_with(SK, :a)', ['none:'], []],
  ]

  it.each(rows)('answers %s with %j', async (condition, [a, b], positions) => {
    const values = b === undefined ? { ':a': a } : { ':a': a, ':b': b }
    const expected = positions.map((position) => collection[position])
    expect(await query('account:a1', condition, values)).toEqual(page(at(...expected)))
    expect(await query('account:a1', condition, values, { ScanIndexForward: false })).toEqual(page(at(...expected.toReversed())))
  })
})

describe('the inverse index', () => {
  it('lists every account', async () => {
    await expectAnswer(() => inverse('metadata:account'), page(at('account:a1 metadata:account', 'account:a2 metadata:account')))
  })

  it('finds the account of a user', async () => {
    await expectAnswer(() => inverse('user:u4', 'begins_with(PK, :p)', { ':p': 'account:' }), page(at('account:a2 user:u4')))
  })

  it('lists the users of a service group', async () => {
    await expectAnswer(() => inverse('servicegroup:g1', 'begins_with(PK, :p)', { ':p': 'user:' }),
      page(at('user:u1 servicegroup:g1', 'user:u2 servicegroup:g1')))
  })

  it('lists account and users of a service group, backward and by page', async () => {
    const expected = ['user:u2 servicegroup:g1', 'user:u1 servicegroup:g1', 'account:a1 servicegroup:g1']
    await expectAnswer(() => inverse('servicegroup:g1', null, {}, { ScanIndexForward: false }), page(at(...expected)))
    await expectAnswer(() => inverse('servicegroup:g1', null, {}, { ScanIndexForward: false, Limit: 2 }),
      page(at(expected[0], expected[1]), key(expected[1], 'inverse')))
    await expectAnswer(() => inverse('servicegroup:g1', null, {}, { ScanIndexForward: false, ExclusiveStartKey: key(expected[1], 'inverse') }),
      page(at(expected[2])))
  })

  it('follows a membership that begins and ends', async () => {
    const Key = { PK: 'user:u9', SK: 'servicegroup:g9' }
    await doc.put({ TableName, Item: Key })
    await expectAnswer(() => inverse('servicegroup:g9'), page([Key]))
    await doc.delete({ TableName, Key })
    await expectAnswer(() => inverse('servicegroup:g9'), page([]))
  })

  it('is not read consistently', async () => {
    expect(await failure(inverse('metadata:account', null, {}, { ConsistentRead: true })))
      .toEqual(validation('Consistent reads are not supported on global secondary indexes'))
  })
})

describe('administration', () => {
  it('scans for everything of one kind', async () => {
    const { Items, ...counts } = await answer(doc.scan({ TableName, ConsistentRead: true, FilterExpression: 'entityType = :t',
      ExpressionAttributeValues: { ':t': 'User' } }))
    const users = items.filter(({ entityType }) => entityType === 'User')
    expect(Items.toSorted((a, b) => (a.SK < b.SK ? -1 : 1))).toEqual(users)
    expect(counts).toEqual({ Count: 4, ScannedCount: items.length })
  })

  it('removes an account only while it has no plan', async () => {
    const Key = { PK: 'account:a2', SK: 'metadata:account' }
    expect(await failure(doc.delete({ TableName, Key, ConditionExpression: 'attribute_not_exists(#p)', ExpressionAttributeNames: { '#p': 'plan' } })))
      .toEqual({ name: 'ConditionalCheckFailedException', message: 'The conditional request failed', status: 400 })
    expect(await answer(doc.get({ TableName, Key, ConsistentRead: true }))).toEqual({ Item: at('account:a2 metadata:account')[0] })
  })
})
