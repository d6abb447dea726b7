// Blog: users, posts, comments, tags, categories, groups and metrics in one table.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, cancelled, expectAnswer, failure, page } from '../support/answers.js'
import { useApplication } from '../support/application.js'

const { db, doc } = connect()
const { TableName, at, key } = useApplication('blog', { db, doc })

const query = (PK, condition, values, options) => answer(doc.query({
  TableName,
  ConsistentRead: true,
  KeyConditionExpression: condition ? `PK = :pk AND ${condition}` : 'PK = :pk',
  ExpressionAttributeValues: { ':pk': PK, ...values },
  ...options,
}))

const queryIndex = (condition, values, options) => doc.query({
  TableName, IndexName: 'GSI1', KeyConditionExpression: condition, ExpressionAttributeValues: values, ...options,
})

describe('users', () => {
  it('finds a user by name', async () => {
    expect(await answer(doc.get({ TableName, Key: { PK: 'USER#ann', SK: 'PROFILE' } }))).toEqual({ Item: at('USER#ann PROFILE')[0] })
  })

  it('finds a user by email', async () => {
    await expectAnswer(() => queryIndex('GSI1PK = :u AND GSI1SK = :e', { ':u': 'USER', ':e': 'bob@example.com' }), page(at('USER#bob PROFILE')))
  })

  it('finds nobody under an unknown email', async () => {
    await expectAnswer(() => queryIndex('GSI1PK = :u AND GSI1SK = :e', { ':u': 'USER', ':e': 'bob@example.co' }), page([]))
  })

  it('lists users by email, a page at a time', async () => {
    await expectAnswer(() => queryIndex('GSI1PK = :u', { ':u': 'USER' }, { Limit: 1 }),
      page(at('USER#ann PROFILE'), key('USER#ann PROFILE', 'GSI1')))
    await expectAnswer(() => queryIndex('GSI1PK = :u', { ':u': 'USER' }, { Limit: 1, ExclusiveStartKey: key('USER#ann PROFILE', 'GSI1') }),
      page(at('USER#bob PROFILE'), key('USER#bob PROFILE', 'GSI1')))
    await expectAnswer(() => queryIndex('GSI1PK = :u', { ':u': 'USER' }, { Limit: 1, ExclusiveStartKey: key('USER#bob PROFILE', 'GSI1') }), page([]))
  })
})

describe('posts', () => {
  it('lists the posts of a user, latest first', async () => {
    expect(await query('USER#ann', 'begins_with(SK, :sk)', { ':sk': 'POST#' }, { ScanIndexForward: false }))
      .toEqual(page(at('USER#ann POST#2024-02-01-2', 'USER#ann POST#2024-02-01-1', 'USER#ann POST#2024-01-10-1')))
  })

  it('lists the posts of a user on one day', async () => {
    expect(await query('USER#ann', 'begins_with(SK, :sk)', { ':sk': 'POST#2024-02-01' }))
      .toEqual(page(at('USER#ann POST#2024-02-01-1', 'USER#ann POST#2024-02-01-2')))
  })

  it('lists published posts of all users, latest first, without drafts', async () => {
    await expectAnswer(() => queryIndex('GSI1PK = :s', { ':s': 'POST#PUBLISHED' }, { ScanIndexForward: false }),
      page(at('USER#ann POST#2024-02-01-1', 'USER#bob POST#2024-01-20-1', 'USER#ann POST#2024-01-10-1')))
  })

  it('lists the posts published in a span of time', async () => {
    await expectAnswer(() => queryIndex('GSI1PK = :s AND GSI1SK BETWEEN :from AND :to',
      { ':s': 'POST#PUBLISHED', ':from': '2024-01-10T09:00:00Z', ':to': '2024-01-31T23:59:59Z' }),
    page(at('USER#ann POST#2024-01-10-1', 'USER#bob POST#2024-01-20-1')))
  })

  it('reads only what a list of posts shows', async () => {
    expect(await query('USER#ann', 'begins_with(SK, :sk)', { ':sk': 'POST#2024-02' },
      { ProjectionExpression: 'title, #s, tags[0]', ExpressionAttributeNames: { '#s': 'status' } }))
      .toEqual(page([{ title: 'Keys', status: 'PUBLISHED', tags: ['dynamodb'] }, { title: 'Later', status: 'DRAFT' }]))
  })

  it('publishes a draft: it moves inside the index', async () => {
    const Key = { PK: 'USER#cyd', SK: 'POST#2024-06-01-1' }
    await doc.put({ TableName, Item: { ...Key, status: 'DRAFT', GSI1PK: 'POST#DRAFT-cyd', GSI1SK: '2024-06-01' } })
    const published = { ...Key, status: 'PUBLISHED', GSI1PK: 'POST#PUBLISHED-cyd', GSI1SK: '2024-06-02' }
    const publish = () => doc.update({
      TableName, Key, ConditionExpression: '#s = :draft', UpdateExpression: 'SET #s = :s, GSI1PK = :pk, GSI1SK = :sk',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: { ':draft': 'DRAFT', ':s': 'PUBLISHED', ':pk': published.GSI1PK, ':sk': published.GSI1SK },
      ReturnValues: 'ALL_NEW',
    })
    expect(await answer(publish())).toEqual({ Attributes: published })
    expect(await failure(publish())).toEqual({ name: 'ConditionalCheckFailedException', message: 'The conditional request failed', status: 400 })
    await expectAnswer(() => queryIndex('GSI1PK = :pk', { ':pk': 'POST#DRAFT-cyd' }), page([]))
    await expectAnswer(() => queryIndex('GSI1PK = :pk', { ':pk': 'POST#PUBLISHED-cyd' }), page([published]))
  })
})

describe('tags', () => {
  it('lists the posts under a tag', async () => {
    expect(await query('TAG#dynamodb', 'begins_with(SK, :sk)', { ':sk': 'POST#' })).toEqual(page(at('TAG#dynamodb POST#102', 'TAG#dynamodb POST#104')))
  })

  const post = (id) => [
    { PK: 'USER#dan', SK: `POST#2024-07-01-${id}`, postId: id, tags: ['x', 'y'] },
    { PK: `TAG#x-${id}`, SK: `POST#${id}`, author: 'dan' },
    { PK: `TAG#y-${id}`, SK: `POST#${id}`, author: 'dan' },
  ]
  const write = (id) => doc.transactWrite({ TransactItems: post(id).map((Item) =>
    ({ Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(PK)' } })) })
  const stored = async (id) => (await answer(doc.transactGet({
    TransactItems: post(id).map(({ PK, SK }) => ({ Get: { TableName, Key: { PK, SK } } })) }))).Responses

  it('writes a post and its tags in one transaction', async () => {
    expect(await answer(write('201'))).toEqual({})
    expect(await stored('201')).toEqual(post('201').map((Item) => ({ Item })))
  })

  it('writes neither the post nor a tag when a tag is there already', async () => {
    const there = post('202')[2]
    await doc.put({ TableName, Item: there })
    expect(await failure(write('202'))).toEqual(cancelled('None', 'None', 'ConditionalCheckFailed'))
    expect(await stored('202')).toEqual([{}, {}, { Item: there }])
  })
})

describe('the rest of the table', () => {
  it('lists the comments of a post', async () => {
    expect(await query('POST#102', 'begins_with(SK, :sk)', { ':sk': 'COMMENT#' }))
      .toEqual(page(at('POST#102 COMMENT#ann#2024-02-01T13:30:00Z', 'POST#102 COMMENT#bob#2024-02-01T13:00:00Z', 'POST#102 COMMENT#bob#2024-02-02T08:00:00Z')))
  })

  it('lists the comments one author wrote on a post', async () => {
    expect(await query('POST#102', 'begins_with(SK, :sk)', { ':sk': 'COMMENT#bob#' }))
      .toEqual(page(at('POST#102 COMMENT#bob#2024-02-01T13:00:00Z', 'POST#102 COMMENT#bob#2024-02-02T08:00:00Z')))
  })

  it('counts comments without reading them out', async () => {
    expect(await query('POST#102', 'begins_with(SK, :sk)', { ':sk': 'COMMENT#' }, { Select: 'COUNT' })).toEqual({ Count: 3, ScannedCount: 3 })
  })

  it('reads the metrics of a span of days, both ends included', async () => {
    expect(await query('BLOG', 'SK BETWEEN :from AND :to', { ':from': 'METRICS#2024-02-01', ':to': 'METRICS#2024-02-03' }))
      .toEqual(page(at('BLOG METRICS#2024-02-01', 'BLOG METRICS#2024-02-02', 'BLOG METRICS#2024-02-03')))
  })

  it('counts a view of a day', async () => {
    const view = () => answer(doc.update({ TableName, Key: { PK: 'BLOG', SK: 'VIEWS#2024-09-09' }, UpdateExpression: 'ADD #v :one',
      ExpressionAttributeNames: { '#v': 'views' }, ExpressionAttributeValues: { ':one': 1 }, ReturnValues: 'UPDATED_NEW' }))
    expect([await view(), await view()]).toEqual([{ Attributes: { views: 1 } }, { Attributes: { views: 2 } }])
  })

  it('keeps a hierarchy in the partition key', async () => {
    expect(await query('CATEGORY#TECH#DATABASES', null, {})).toEqual(page(at('CATEGORY#TECH#DATABASES POST#104')))
    expect(await query('CATEGORY#TECH#DATABASES#NOSQL', null, {}))
      .toEqual(page(at('CATEGORY#TECH#DATABASES#NOSQL POST#102', 'CATEGORY#TECH#DATABASES#NOSQL POST#104')))
  })

  it('reads a many-to-many relation from both sides', async () => {
    expect(await query('USER#ann', 'begins_with(SK, :sk)', { ':sk': 'GROUP#' })).toEqual(page(at('USER#ann GROUP#editors', 'USER#ann GROUP#readers')))
    expect(await query('GROUP#readers', 'begins_with(SK, :sk)', { ':sk': 'USER#' })).toEqual(page(at('GROUP#readers USER#ann', 'GROUP#readers USER#bob')))
  })
})
