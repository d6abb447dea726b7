// A replay of Haystack's document store, `DynamoDBDocumentStore` (dynamodb-haystack, autumn 2026): the requests that the
// source of that program makes, in their order, with embeddings of four dimensions. The program itself is not run.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, isAws } from '../support/endpoint.js'
import { answer, conditionFailed, failure, inUse, notFound, page, validation } from '../support/answers.js'
import { createTable, definition, uniqueName } from '../support/tables.js'
import { S } from '../support/values.js'

const { db } = connect()

const MINUTES = 60_000
const IndexName = 'haystack_vector_index'
const ID = { '#id': 'id' }
const INDEX = { IndexName, VectorAttribute: { AttributeName: 'embedding' }, Dimensions: 4, DistanceFunction: 'COSINE', Projection: { ProjectionType: 'ALL' } }
// The numbers are written as Python writes floats.
const vector = (...texts) => texts.map((text) => ({ N: text }))
const PROBE = vector('1.0', '0.0', '0.0', '0.0')

/** A document is its identifier, one text of JSON with all the rest, and its embedding if it has one. */
const documentItem = (id, { content, meta = {}, embedding }) => ({ id: S(id), payload: S(JSON.stringify({ content, meta, score: null })),
  ...(embedding && { embedding: { L: embedding } }) })
const ROSE = documentItem('rose', { content: 'a rose', meta: { kind: 'flower' }, embedding: PROBE })
const OAK = documentItem('oak', { content: 'an oak', meta: { kind: 'tree', age: 300 }, embedding: vector('0.0', '1.0', '0.0', '0.0') })
const OPPOSITE = documentItem('opposite', { content: 'no rose', embedding: vector('-1.0', '0.0', '0.0', '0.0') })
const PLAIN = documentItem('plain', { content: 'without an embedding' })

const result = ({ id, payload }, Score) => ({ Item: { id, payload }, Score })

describe('replay of the Haystack document store', { timeout: isAws ? 45 * MINUTES : 20_000 }, () => {
  const TableName = uniqueName('haystack')
  const create = { ...definition({ key: ['id:S'] }), TableName, VectorIndexes: [INDEX] }
  const search = (SearchVector, TopK = 10) => db.searchVectors({ TableName, IndexName, SearchVector, TopK })
  const put = (Item, members = {}) => db.putItem({ TableName, Item, ...members })
  const putNew = (Item) => put(Item, { ConditionExpression: 'attribute_not_exists(#id)', ExpressionAttributeNames: ID })

  beforeAll(async () => {
    expect(await failure(db.describeTable({ TableName }))).toEqual(notFound(`Requested resource not found: Table: ${TableName} not found`))
    await createTable(db, create)
    for (const Item of [ROSE, OAK, OPPOSITE, PLAIN]) expect(await answer(putNew(Item))).toEqual({})
  }, 5 * MINUTES)
  afterAll(() => db.deleteTable({ TableName }))

  it('finds its table as it made it, ready at once, also when another process has made it', async () => {
    expect(await failure(db.createTable(create))).toEqual(inUse(`Table already exists: ${TableName}`))
    const { Table } = await answer(db.describeTable({ TableName }))
    expect(Table.KeySchema).toEqual([{ AttributeName: 'id', KeyType: 'HASH' }])
    expect(Table.VectorIndexes).toEqual([{ ...INDEX, IndexStatus: 'ACTIVE', IndexSizeBytes: expect.any(Number), ItemCount: expect.any(Number),
      IndexArn: `${Table.TableArn}/index/${IndexName}` }])
  })

  it('probes the search with one result', async () => {
    expect(await answer(search(PROBE, 1))).toEqual({ SearchResults: [result(ROSE, 0)] })
  })

  it('retrieves by embedding, from the same direction to the opposite one, and no document without an embedding', async () => {
    const all = { SearchResults: [result(ROSE, 0), result(OAK, 1), result(OPPOSITE, 2)] }
    expect(await answer(search(PROBE))).toEqual(all)
    expect(await answer(search(PROBE, 100))).toEqual(all)
    expect(await answer(search(vector('1e-05', '0.0', '0.0', '0.0'), 1))).toEqual({ SearchResults: [result(ROSE, 0)] })
  })

  it('does not write a duplicate, unless it overwrites', async () => {
    const again = documentItem('rose', { content: 'another rose', embedding: PROBE })
    expect(await failure(putNew(again))).toEqual(conditionFailed())
    expect(await answer(search(PROBE, 1))).toEqual({ SearchResults: [result(ROSE, 0)] })
    expect(await answer(put(again))).toEqual({})
    expect(await answer(search(PROBE, 1))).toEqual({ SearchResults: [result(again, 0)] })
    await put(ROSE)
  })

  it('counts and filters with consistent scans, which return the embeddings', async () => {
    expect(await answer(db.scan({ TableName, ConsistentRead: true, Select: 'COUNT' }))).toEqual({ Count: 4, ScannedCount: 4 })
    const scanned = await answer(db.scan({ TableName, ConsistentRead: true }))
    const inOrder = (items) => items.map(({ embedding, ...item }) => ({ ...item, ...(embedding && { embedding: embedding.L.map((each) => Number(each.N)) }) }))
      .sort((one, other) => one.id.S.localeCompare(other.id.S))
    expect({ ...scanned, Items: inOrder(scanned.Items) }).toEqual(page(inOrder([ROSE, OAK, OPPOSITE, PLAIN])))
  })

  it('deletes by identifier, and all that a scan of identifiers names', async () => {
    const TableName = uniqueName('haystack-emptied')
    await createTable(db, { ...create, TableName })
    for (const Item of [ROSE, OAK, PLAIN]) await db.putItem({ TableName, Item })
    expect(await answer(db.deleteItem({ TableName, Key: { id: S('oak') } }))).toEqual({})
    expect(await answer(db.deleteItem({ TableName, Key: { id: S('absent') } }))).toEqual({})
    expect(await answer(db.searchVectors({ TableName, IndexName, SearchVector: PROBE, TopK: 10 }))).toEqual({ SearchResults: [result(ROSE, 0)] })
    const { Items } = await answer(db.scan({ TableName, ConsistentRead: true, ProjectionExpression: '#id', ExpressionAttributeNames: ID }))
    expect(Items.map((item) => Object.keys(item))).toEqual([['id'], ['id']])
    for (const { id } of Items) await db.deleteItem({ TableName, Key: { id } })
    expect(await answer(db.searchVectors({ TableName, IndexName, SearchVector: PROBE, TopK: 10 }))).toEqual({ SearchResults: [] })
    await db.deleteTable({ TableName })
  })

  it('is refused what its own checks would refuse', async () => {
    expect(await failure(search(PROBE.slice(1)))).toEqual(validation('Input search vector dimension 3 does not match vector index dimension 4'))
    expect(await failure(db.searchVectors({ TableName, IndexName: 'another', SearchVector: PROBE, TopK: 1 })))
      .toEqual(validation('The table does not have the specified index: another'))
    expect(await failure(db.searchVectors({ TableName: uniqueName('absent'), IndexName, SearchVector: PROBE, TopK: 1 })))
      .toEqual(notFound('Requested resource not found'))
  })
})
