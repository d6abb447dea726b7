// A replay of the store of LangGraph, `DynamoDBStore` with an index (langgraph-checkpoint-aws, August 2026): the
// requests that the source of that program makes, in their order, with embeddings of four dimensions. The program
// itself is not run.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, isAws } from '../support/endpoint.js'
import { answer, failure, notFound, page, validation } from '../support/answers.js'
import { createTable, definition, uniqueName } from '../support/tables.js'
import { M, N, S } from '../support/values.js'

const { db } = connect()

const MINUTES = 60_000
const IndexName = 'memory-vector-index'
const vectorIndex = (members = {}) => ({ IndexName, VectorAttribute: { AttributeName: 'embedding' },
  SearchSchema: [{ AttributeName: 'PK', SearchSchemaElementType: 'HASH' }], Projection: { ProjectionType: 'ALL' },
  Dimensions: 4, DistanceFunction: 'COSINE', ...members })
// The numbers are written as Python writes floats.
const vector = (...texts) => texts.map((text) => ({ N: text }))
const TEA = vector('1.0', '0.0', '0.0', '0.0')
const COFFEE = vector('3.0', '4.0', '0.0', '0.0')
const TRAINS = vector('0.0', '0.0', '1.0', '0.0')
const likes = (thing) => M({ likes: S(thing), kind: S('preference') })
const THEN = '2026-08-20T11:00:00.000000+00:00'
const LATER = '2026-08-20T11:05:00.000000+00:00'

/** Waits as the store does: ACTIVE alone is not ready, `Backfilling` must be false or absent. Returns the index. */
async function untilReady(TableName) {
  const deadline = Date.now() + (isAws ? 40 * MINUTES : 10_000)
  while (Date.now() < deadline) {
    const { Table } = await db.describeTable({ TableName })
    const index = Table.VectorIndexes?.find((each) => each.IndexName === IndexName)
    if (index?.IndexStatus === 'ACTIVE' && !(index.Backfilling ?? false)) return index
    await new Promise((resolve) => setTimeout(resolve, isAws ? 10_000 : 20))
  }
  throw new Error('the vector index did not become ACTIVE')
}

/** What the store sends for a put of a value with an embedding; without one, it removes the embedding of before. */
function putRequest(TableName, [namespace, key], { value, now, embedding, expiresAt }) {
  const sets = ['#value = :value', 'updated_at = :updated_at', 'created_at = if_not_exists(created_at, :created_at)']
  const removes = []
  const ExpressionAttributeValues = { ':value': value, ':updated_at': S(now), ':created_at': S(now) }
  if (embedding) {
    sets.push('#embedding = :embedding')
    ExpressionAttributeValues[':embedding'] = { L: embedding }
  } else {
    removes.push('#embedding')
  }
  if (expiresAt) {
    sets.push('expires_at = :expires_at')
    ExpressionAttributeValues[':expires_at'] = N(expiresAt)
  } else {
    removes.push('expires_at')
  }
  return { TableName, Key: { PK: S(namespace), SK: S(key) },
    UpdateExpression: `SET ${sets.join(', ')}${removes.length ? ` REMOVE ${removes.join(', ')}` : ''}`,
    ExpressionAttributeNames: { '#value': 'value', '#embedding': 'embedding' }, ExpressionAttributeValues }
}

const searchRequest = (TableName, namespace, SearchVector, TopK = 10) => ({ TableName, IndexName, SearchVector, TopK,
  SearchConditionExpression: '#pk = :pk', ExpressionAttributeNames: { '#pk': 'PK' },
  ExpressionAttributeValues: { ':pk': S(namespace) } })

/** An item as a search returns it: all but the vector. */
const found = (namespace, key, value, members = {}) =>
  ({ PK: S(namespace), SK: S(key), value, created_at: S(THEN), updated_at: S(THEN), ...members })

const keys = { key: ['PK:S', 'SK:S'] }

describe('replay of the LangGraph store', { timeout: isAws ? 45 * MINUTES : 20_000 }, () => {
  const TableName = uniqueName('langgraph')
  const search = (...parts) => answer(db.searchVectors(searchRequest(TableName, ...parts)))
  const expiresAt = Math.floor(Date.now() / 1000) + 3600

  beforeAll(async () => {
    expect(await failure(db.describeTable({ TableName }))).toEqual(notFound(`Requested resource not found: Table: ${TableName} not found`))
    await createTable(db, { ...definition(keys), TableName, VectorIndexes: [vectorIndex()] })
    await untilReady(TableName)
    const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expires_at' }
    expect(await answer(db.updateTimeToLive({ TableName, TimeToLiveSpecification }))).toEqual({ TimeToLiveSpecification })
    for (const [key, value, embedding] of [['tea', likes('tea'), TEA], ['coffee', likes('coffee'), COFFEE], ['trains', likes('trains'), TRAINS]]) {
      expect(await answer(db.updateItem(putRequest(TableName, ['users:1', key], { value, embedding, now: THEN })))).toEqual({})
    }
    await db.updateItem(putRequest(TableName, ['users:2', 'tea'], { value: likes('tea'), embedding: TEA, now: THEN, expiresAt }))
  }, 5 * MINUTES)
  afterAll(() => db.deleteTable({ TableName }))

  it('finds its index again, with what it compares with its own settings', async () => {
    const { Table } = await answer(db.describeTable({ TableName }))
    expect(Table.VectorIndexes).toEqual([{ ...vectorIndex(), IndexStatus: 'ACTIVE', IndexSizeBytes: expect.any(Number), ItemCount: expect.any(Number),
      IndexArn: `${Table.TableArn}/index/${IndexName}` }])
  })

  it('searches one namespace, the nearest first, with distances that it turns into scores', async () => {
    expect(await search('users:1', TEA)).toEqual({ SearchResults: [
      { Item: found('users:1', 'tea', likes('tea')), Score: 0 },
      { Item: found('users:1', 'coffee', likes('coffee')), Score: expect.closeTo(0.4, 6) },
      { Item: found('users:1', 'trains', likes('trains')), Score: 1 },
    ] })
    expect(await search('users:2', TEA)).toEqual({ SearchResults: [{ Item: found('users:2', 'tea', likes('tea'), { expires_at: N(expiresAt) }), Score: 0 }] })
    expect(await search('users:3', TEA)).toEqual({ SearchResults: [] })
  })

  it('fetches limit and offset as one TopK', async () => {
    const { SearchResults } = await search('users:1', TEA, 2)
    expect(SearchResults.slice(1)).toEqual([{ Item: found('users:1', 'coffee', likes('coffee')), Score: expect.closeTo(0.4, 6) }])
  })

  it('keeps created_at, and forgets the vector of a value that has nothing to embed', async () => {
    const at = ['users:4', 'note']
    const item = found(...at, likes('silence'), { updated_at: S(LATER) })
    await db.updateItem(putRequest(TableName, at, { value: likes('noise'), embedding: TRAINS, now: THEN, expiresAt }))
    await db.updateItem(putRequest(TableName, at, { value: likes('silence'), now: LATER }))
    expect(await answer(db.getItem({ TableName, Key: { PK: S(at[0]), SK: S(at[1]) } }))).toEqual({ Item: item })
    expect(await search('users:4', TRAINS)).toEqual({ SearchResults: [] })
    await db.updateItem(putRequest(TableName, at, { value: likes('silence'), embedding: TEA, now: LATER }))
    expect(await search('users:4', TEA)).toEqual({ SearchResults: [{ Item: item, Score: 0 }] })
  })

  it('refreshes the time to live of what it found', async () => {
    const Key = { PK: S('users:2'), SK: S('tea') }
    expect(await answer(db.updateItem({ TableName, Key, UpdateExpression: 'SET expires_at = :expires_at, updated_at = :updated_at',
      ExpressionAttributeValues: { ':expires_at': N(expiresAt + 60), ':updated_at': S(THEN) } }))).toEqual({})
    expect((await search('users:2', TEA)).SearchResults[0].Item.expires_at).toEqual(N(expiresAt + 60))
    await db.updateItem({ TableName, Key, UpdateExpression: 'SET expires_at = :expires_at, updated_at = :updated_at',
      ExpressionAttributeValues: { ':expires_at': N(expiresAt), ':updated_at': S(THEN) } })
  })

  it('lists a namespace without a query, and all namespaces', async () => {
    const embedded = { L: TEA.map(() => expect.anything()) }
    expect(await answer(db.query({ TableName, KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': S('users:2') }, Limit: 10 })))
      .toEqual(page([found('users:2', 'tea', likes('tea'), { expires_at: N(expiresAt), embedding: embedded })]))
    const { Items } = await answer(db.scan({ TableName, ProjectionExpression: 'PK' }))
    expect([...new Set(Items.map((item) => item.PK.S))]).toEqual(expect.arrayContaining(['users:1', 'users:2']))
    expect(Items[0]).toEqual({ PK: expect.anything() })
  })

  it('deletes what it forgets', async () => {
    const at = ['users:5', 'tea']
    await db.updateItem(putRequest(TableName, at, { value: likes('tea'), embedding: TEA, now: THEN }))
    expect(await answer(db.deleteItem({ TableName, Key: { PK: S(at[0]), SK: S(at[1]) } }))).toEqual({})
    expect(await search('users:5', TEA)).toEqual({ SearchResults: [] })
  })

  it('is told what it would be told by the service', async () => {
    const at = ['users:6', 'short']
    expect(await failure(db.updateItem(putRequest(TableName, at, { value: likes('tea'), embedding: TEA.slice(1), now: THEN }))))
      .toEqual(validation(`One or more parameter values were invalid. Invalid size for parameter embedding, Expected: 4, Actual: 3 IndexName: ${IndexName}`))
    expect(await answer(db.getItem({ TableName, Key: { PK: S(at[0]), SK: S(at[1]) } }))).toEqual({})
    expect(await failure(db.searchVectors(searchRequest(TableName, 'users:1', TEA, 101))))
      .toEqual(validation("Provided TopK value '101' is out of valid range. The value must be between 1 and 100 inclusive"))
  })
})

describe('replay of the LangGraph store over a table of before', { timeout: isAws ? 45 * MINUTES : 20_000 }, () => {
  const TableName = uniqueName('langgraph-before')
  afterAll(() => db.deleteTable({ TableName }))

  it('adds the index once it is defined, waits until it is filled, and finds what was there', async () => {
    await createTable(db, { ...definition(keys), TableName, OnDemandThroughput: { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 100 } })
    for (const [key, embedding] of [['coffee', COFFEE], ['tea', TEA], ['none', undefined]]) {
      await db.updateItem(putRequest(TableName, ['users:1', key], { value: likes(key), embedding, now: THEN }))
    }
    const request = searchRequest(TableName, 'users:1', TEA)
    expect(await failure(db.searchVectors(request))).toEqual(validation(`The table does not have the specified index: ${IndexName}`))
    expect((await answer(db.describeTable({ TableName }))).Table).not.toHaveProperty('VectorIndexes')
    // The store names no definitions, although the service wants those of a search schema in the same request.
    const VectorIndexUpdates = [{ Create: vectorIndex() }]
    expect(await failure(db.updateTable({ TableName, VectorIndexUpdates })))
      .toEqual(validation('One or more parameter values were invalid: One element in SearchSchema is not defined in attribute definitions'))
    await db.updateTable({ TableName, VectorIndexUpdates, AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }] })
    await untilReady(TableName)
    expect(await answer(db.searchVectors(request))).toEqual({ SearchResults: [
      { Item: found('users:1', 'tea', likes('tea')), Score: 0 },
      { Item: found('users:1', 'coffee', likes('coffee')), Score: expect.closeTo(0.4, 6) },
    ] })
  })
})
