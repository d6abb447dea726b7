// SearchVectors, and what vectors add to ConsumedCapacity.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, isAws } from '../support/endpoint.js'
import { answer, failure, notFound, validation } from '../support/answers.js'
import { createTable, definition, uniqueName } from '../support/tables.js'
import { N, S } from '../support/values.js'

const { db } = connect()

const MINUTES = 60_000
const vector = (...numbers) => numbers.map((number) => N(number))
const index = (IndexName, members = {}) => ({ IndexName, VectorAttribute: { AttributeName: 'embedding' }, Dimensions: 3,
  DistanceFunction: 'COSINE', Projection: { ProjectionType: 'ALL' }, ...members })
const SearchSchema = [{ AttributeName: 'tenant', SearchSchemaElementType: 'HASH' }, { AttributeName: 'category', SearchSchemaElementType: 'INLINE_FILTER' }]
const ITEMS = {
  a: { embedding: [1, 0, 0], tenant: 't1', category: 'c1' },
  b: { embedding: [0, 1, 0], tenant: 't1', category: 'c2' },
  c: { embedding: [-1, 0, 0], tenant: 't2', category: 'c1' },
  d: { embedding: [0, 0, 0], tenant: 't1' },
}
const itemOf = (pk) => {
  const { embedding, ...texts } = ITEMS[pk]
  return { pk: S(pk), label: S(`item-${pk}`), ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, S(text)])), embedding: { L: vector(...embedding) } }
}

describe('SearchVectors', { timeout: isAws ? 45 * MINUTES : 20_000 }, () => {
  const TableName = uniqueName('search')
  beforeAll(async () => {
    await createTable(db, { ...definition({ key: ['pk:S'] }), TableName,
      AttributeDefinitions: ['pk', 'tenant', 'category'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      VectorIndexes: [index('cosine'), index('euclidean', { DistanceFunction: 'EUCLIDEAN' }), index('dot', { DistanceFunction: 'DOT_PRODUCT' }),
        index('schema', { SearchSchema, DistanceFunction: 'EUCLIDEAN', Projection: { ProjectionType: 'KEYS_ONLY' } })] })
    for (const pk of Object.keys(ITEMS)) await db.putItem({ TableName, Item: itemOf(pk) })
  }, 5 * MINUTES)
  afterAll(() => db.deleteTable({ TableName }))

  const request = (IndexName, members = {}) => ({ TableName, IndexName, SearchVector: vector(1, 0, 0), TopK: 10, ...members })
  const search = (IndexName, members) => answer(db.searchVectors(request(IndexName, members)))
  const scores = async (IndexName, members) => Object.fromEntries((await search(IndexName, members)).SearchResults.map(({ Item, Score }) => [Item.pk.S, Score]))
  const inTenant = { SearchConditionExpression: 'tenant = :t', ExpressionAttributeValues: { ':t': S('t1') } }

  it('ranks by the distance function, the best first', async () => {
    expect(await scores('cosine')).toEqual({ a: 0, b: 1, d: 1, c: 2 })
    expect(await scores('euclidean')).toEqual({ a: 0, d: 1, b: Math.fround(Math.SQRT2), c: 2 })
    expect(await scores('dot')).toEqual({ a: 1, b: 0, d: 0, c: -1 })
    expect((await search('euclidean')).SearchResults.map(({ Item }) => Item.pk.S)).toEqual(['a', 'd', 'b', 'c'])
  })

  it('returns TopK results at most, and nothing else', async () => {
    const { embedding: _, ...Item } = itemOf('a')
    expect(await search('cosine', { TopK: 1 })).toEqual({ SearchResults: [{ Item, Score: 0 }] })
  })

  it('returns the vector only where it is named', async () => {
    const { SearchResults: [{ Item }] } = await search('cosine', { TopK: 1, ProjectionExpression: 'pk, embedding' })
    expect(Object.keys(Item).sort()).toEqual(['embedding', 'pk'])
    expect(Item.embedding.L.map(({ N: number }) => Number(number))).toEqual([1, 0, 0])
  })

  it('searches one value of the HASH element, and filters before it ranks', async () => {
    expect(Object.keys(await scores('schema', inTenant))).toEqual(['a', 'd', 'b'])
    const filtered = { SearchConditionExpression: '#c = :c AND tenant = :t', ExpressionAttributeNames: { '#c': 'category' },
      ExpressionAttributeValues: { ':t': S('t1'), ':c': S('c2') }, TopK: 1 }
    expect((await search('schema', filtered)).SearchResults).toEqual([{ Item: { pk: S('b'), tenant: S('t1'), category: S('c2') }, Score: Math.fround(Math.SQRT2) }])
  })

  it.each([
    ['a TopK above 100', 'cosine', { TopK: 101 }, "Provided TopK value '101' is out of valid range. The value must be between 1 and 100 inclusive"],
    ['an unknown index', 'none', {}, 'The table does not have the specified index: none'],
    ['a vector of another length', 'cosine', { SearchVector: vector(1, 0) }, 'Input search vector dimension 2 does not match vector index dimension 3'],
    ['a vector in an L', 'cosine', { SearchVector: [{ L: vector(1, 0, 0) }] },
      'Search vector contains invalid values. All values in the search vector must be a 32-bit floating-point number attribute'],
    ['no condition on the HASH element', 'schema', {}, 'SearchConditionExpression must be provided when SearchSchema has a HASH key'],
    ['another comparator', 'schema', { ...inTenant, SearchConditionExpression: 'tenant < :t' },
      'Invalid SearchConditionExpression: Invalid comparator used in SearchConditionExpression'],
    ['an attribute outside the search schema', 'cosine', inTenant,
      'SearchConditionExpression must not contain any attributes that is not in SearchSchema. Invalid attribute: tenant'],
    ['another type of an operand', 'schema', { ...inTenant, ExpressionAttributeValues: { ':t': N(1) } },
      "Type of 'tenant' attribute in SearchConditionExpression (N) does not match type in search schema (S)"],
  ])('refuses %s', async (_, IndexName, members, message) => {
    expect(await failure(db.searchVectors(request(IndexName, members)))).toEqual(validation(message))
  })

  it('refuses a table that does not exist', async () => {
    expect(await failure(db.searchVectors({ ...request('cosine'), TableName: uniqueName('absent') }))).toEqual(notFound('Requested resource not found'))
  })

  it('reports the bytes that it searched, alike for TOTAL and INDEXES', async () => {
    const [total, indexes, none] = await Promise.all(['TOTAL', 'INDEXES', 'NONE'].map((ReturnConsumedCapacity) => search('cosine', { TopK: 1, ReturnConsumedCapacity })))
    expect(Object.keys(total.ConsumedCapacity)).toEqual(['VectorSearchRequestBytes'])
    expect(total.ConsumedCapacity.VectorSearchRequestBytes).toBeGreaterThanOrEqual(1024)
    if (!isAws) expect(indexes.ConsumedCapacity).toEqual(total.ConsumedCapacity)
    expect(none).not.toHaveProperty('ConsumedCapacity')
  })

  it('is told of writes: each index is charged for the change of its entry', async () => {
    const put = async (Item, ReturnConsumedCapacity = 'INDEXES') => (await answer(db.putItem({ TableName, Item, ReturnConsumedCapacity }))).ConsumedCapacity
    const Item = { pk: S('new'), embedding: { L: vector(0, 1, 1) }, note: S('x'.repeat(1500)) }
    const bytes = (2 + 3) + (9 + 12) + (4 + 1500)
    const of = (n) => ({ VectorWriteRequestBytes: n })
    expect(await put(Item)).toEqual({ TableName, CapacityUnits: 2, Table: { CapacityUnits: 2 }, VectorIndexes: { cosine: of(bytes), euclidean: of(bytes), dot: of(bytes) } })
    expect(await put(Item)).toEqual({ TableName, CapacityUnits: 2, Table: { CapacityUnits: 2 } })
    expect(await put({ ...Item, tenant: S('t9') }, 'TOTAL')).toEqual({ TableName, CapacityUnits: 2 })
    const removed = await answer(db.deleteItem({ TableName, Key: { pk: S('new') }, ReturnConsumedCapacity: 'INDEXES' }))
    expect(removed.ConsumedCapacity.VectorIndexes.schema).toEqual(of(1024))
  })
})
