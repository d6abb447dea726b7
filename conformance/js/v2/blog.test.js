// The blog through the DocumentClient of the SDK for JavaScript v2, for which it was written.

import AWS from 'aws-sdk'
import { describe, expect, it } from 'vitest'
import { connect, connection, isAws } from '../support/endpoint.js'
import { expectAnswer as expectSettled, page } from '../support/answers.js'
import { useApplication } from '../support/application.js'

const v3 = connect()
const { TableName, at, key } = useApplication('blog', v3)

const credentials = await v3.db.config.credentials()
const client = new AWS.DynamoDB.DocumentClient({ ...connection(), credentials: new AWS.Credentials(credentials), maxRetries: isAws ? 3 : 0 })

const failure = (request) => request.promise().then(
  (data) => { throw new Error(`expected an error, got ${JSON.stringify(data)}`) },
  ({ code, message, statusCode }) => ({ code, message, statusCode }))

const expectAnswer = (request, expected) => expectSettled(() => request().promise(), expected)

const query = (condition, values, options) => client.query({
  TableName, KeyConditionExpression: condition, ExpressionAttributeValues: values, ...options })

describe('users', () => {
  it('finds a user by name', async () => {
    expect(await client.get({ TableName, Key: { PK: 'USER#ann', SK: 'PROFILE' } }).promise()).toEqual({ Item: at('USER#ann PROFILE')[0] })
  })

  it('answers nothing for a user that does not exist', async () => {
    expect(await client.get({ TableName, Key: { PK: 'USER#zoe', SK: 'PROFILE' } }).promise()).toEqual({})
  })

  it('finds a user by email', async () => {
    await expectAnswer(() => query('GSI1PK = :u AND GSI1SK = :e', { ':u': 'USER', ':e': 'bob@example.com' }, { IndexName: 'GSI1' }),
      page(at('USER#bob PROFILE')))
  })

  it('creates a user once', async () => {
    const Item = { PK: 'USER#kit', SK: 'PROFILE', name: 'Kit' }
    const create = () => client.put({ TableName, Item, ConditionExpression: 'attribute_not_exists(PK)' })
    expect(await create().promise()).toEqual({})
    expect(await failure(create())).toEqual(
      { code: 'ConditionalCheckFailedException', message: 'The conditional request failed', statusCode: 400 })
  })
})

describe('posts', () => {
  it('lists the posts of a user, latest first and by page', async () => {
    const posts = ['USER#ann POST#2024-02-01-2', 'USER#ann POST#2024-02-01-1', 'USER#ann POST#2024-01-10-1']
    const read = (options) => query('PK = :pk AND begins_with(SK, :sk)', { ':pk': 'USER#ann', ':sk': 'POST#' }, { ScanIndexForward: false, ...options }).promise()
    expect(await read()).toEqual(page(at(...posts)))
    expect(await read({ Limit: 2 })).toEqual(page(at(posts[0], posts[1]), key(posts[1])))
    expect(await read({ Limit: 2, ExclusiveStartKey: key(posts[1]) })).toEqual(page(at(posts[2])))
  })

  it('lists published posts of all users, latest first', async () => {
    await expectAnswer(() => query('GSI1PK = :s', { ':s': 'POST#PUBLISHED' }, { IndexName: 'GSI1', ScanIndexForward: false }),
      page(at('USER#ann POST#2024-02-01-1', 'USER#bob POST#2024-01-20-1', 'USER#ann POST#2024-01-10-1')))
  })

  it('publishes a draft and moves it inside the index', async () => {
    const Key = { PK: 'USER#v2', SK: 'POST#2024-06-01-1' }
    await client.put({ TableName, Item: { ...Key, GSI1PK: 'POST#DRAFT-v2', GSI1SK: '1' } }).promise()
    const published = { ...Key, GSI1PK: 'POST#PUBLISHED-v2', GSI1SK: '2' }
    expect(await client.update({ TableName, Key, UpdateExpression: 'SET GSI1PK = :pk, GSI1SK = :sk',
      ExpressionAttributeValues: { ':pk': published.GSI1PK, ':sk': published.GSI1SK }, ReturnValues: 'ALL_NEW' }).promise())
      .toEqual({ Attributes: published })
    await expectAnswer(() => query('GSI1PK = :pk', { ':pk': 'POST#DRAFT-v2' }, { IndexName: 'GSI1' }), page([]))
    await expectAnswer(() => query('GSI1PK = :pk', { ':pk': 'POST#PUBLISHED-v2' }, { IndexName: 'GSI1' }), page([published]))
  })

  it('writes a post and its tags in one transaction, or nothing', async () => {
    const post = [{ PK: 'USER#v2', SK: 'POST#2024-07-01-1', tags: client.createSet(['x', 'y']) }, { PK: 'TAG#v2', SK: 'POST#301' }]
    const write = () => client.transactWrite({ TransactItems: post.map((Item) =>
      ({ Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(PK)' } })) })
    expect(await write().promise()).toEqual({})
    expect(await failure(write())).toEqual({ code: 'TransactionCanceledException', statusCode: 400,
      message: 'Transaction cancelled, please refer cancellation reasons for specific reasons [ConditionalCheckFailed, ConditionalCheckFailed]' })
    const { Item } = await client.get({ TableName, Key: { PK: 'USER#v2', SK: 'POST#2024-07-01-1' } }).promise()
    expect({ ...Item, tags: Item.tags.values }).toEqual({ ...post[0], tags: ['x', 'y'] })
  })

  it('lists the posts under a tag', async () => {
    expect(await query('PK = :pk', { ':pk': 'TAG#dynamodb' }).promise()).toEqual(page(at('TAG#dynamodb POST#102', 'TAG#dynamodb POST#104')))
  })
})

describe('the rest of the table', () => {
  it('lists the comments one author wrote on a post', async () => {
    expect(await query('PK = :pk AND begins_with(SK, :sk)', { ':pk': 'POST#102', ':sk': 'COMMENT#bob#' }).promise())
      .toEqual(page(at('POST#102 COMMENT#bob#2024-02-01T13:00:00Z', 'POST#102 COMMENT#bob#2024-02-02T08:00:00Z')))
  })

  it('reads the metrics of a span of days', async () => {
    expect(await query('PK = :pk AND SK BETWEEN :from AND :to', { ':pk': 'BLOG', ':from': 'METRICS#2024-02-01', ':to': 'METRICS#2024-02-03' }).promise())
      .toEqual(page(at('BLOG METRICS#2024-02-01', 'BLOG METRICS#2024-02-02', 'BLOG METRICS#2024-02-03')))
  })

  it('keeps a hierarchy in the partition key', async () => {
    expect(await query('PK = :pk', { ':pk': 'CATEGORY#TECH#DATABASES#NOSQL' }).promise())
      .toEqual(page(at('CATEGORY#TECH#DATABASES#NOSQL POST#102', 'CATEGORY#TECH#DATABASES#NOSQL POST#104')))
  })

  it('reads a many-to-many relation from both sides', async () => {
    const side = (pk, sk) => query('PK = :pk AND begins_with(SK, :sk)', { ':pk': pk, ':sk': sk }).promise()
    expect(await side('USER#ann', 'GROUP#')).toEqual(page(at('USER#ann GROUP#editors', 'USER#ann GROUP#readers')))
    expect(await side('GROUP#readers', 'USER#')).toEqual(page(at('GROUP#readers USER#ann', 'GROUP#readers USER#bob')))
  })

  it('writes and deletes members in one batch', async () => {
    const Keys = [{ PK: 'GROUP#v2', SK: 'USER#a' }, { PK: 'GROUP#v2', SK: 'USER#b' }]
    const batch = (requests) => client.batchWrite({ RequestItems: { [TableName]: requests } }).promise()
    expect(await batch(Keys.map((Item) => ({ PutRequest: { Item } })))).toEqual({ UnprocessedItems: {} })
    expect(await batch([{ DeleteRequest: { Key: Keys[0] } }])).toEqual({ UnprocessedItems: {} })
    expect(await query('PK = :pk', { ':pk': 'GROUP#v2' }, { ConsistentRead: true }).promise()).toEqual(page([Keys[1]]))
  })

  it('refuses a filter on a key', async () => {
    expect(await failure(query('PK = :pk', { ':pk': 'x' }, { FilterExpression: 'SK <> :pk' }))).toEqual({ code: 'ValidationException', statusCode: 400,
      message: 'Filter Expression can only contain non-primary key attributes: Primary key attribute: SK' })
  })
})
