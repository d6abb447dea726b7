// A replay of the vector store of LangChain, `DynamoDBVectorStore` (langchain-aws, August 2026): the requests that the
// source of that program makes, in their order, with embeddings of three dimensions. The program itself is not run.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, isAws } from '../support/endpoint.js'
import { answer, failure, notFound, validation } from '../support/answers.js'
import { createTable, definition, uniqueName, untilActive } from '../support/tables.js'
import { M, S } from '../support/values.js'

const { db } = connect()

const MINUTES = 60_000
const IndexName = 'documents-vector-index'
// The numbers are written as Python writes floats.
const vector = (...texts) => texts.map((text) => ({ N: text }))
const X = vector('1.0', '0.0', '0.0')
const Y = vector('0.0', '1.0', '0.0')
const BETWEEN = vector('3.0', '4.0', '0.0')

const vectorIndex = (partition, DistanceFunction = 'COSINE') => ({ IndexName, VectorAttribute: { AttributeName: 'embedding' },
  Projection: { ProjectionType: 'ALL' }, Dimensions: 3, DistanceFunction,
  ...(partition && { SearchSchema: [{ AttributeName: partition, SearchSchemaElementType: 'HASH' }] }) })
const attributes = (...names) => names.filter(Boolean).map((AttributeName) => ({ AttributeName, AttributeType: 'S' }))

/** What the store writes for a text: the partition's value stays in `metadata`, and is an attribute of its own, too. */
const documentItem = (id, text, embedding, metadata = {}, partition = undefined) => ({ id: S(id), page_content: S(text),
  metadata: M(metadata), embedding: { L: embedding }, ...(partition && { [partition]: metadata[partition] }) })

const addTexts = (TableName, items) => answer(db.batchWriteItem({ RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } }))

/** A search of the store, which names what it reads of an item. */
const searchRequest = (TableName, SearchVector, { TopK = 4, partition, value } = {}) => ({ TableName, IndexName, SearchVector, TopK,
  ProjectionExpression: '#id, #c, #m',
  ExpressionAttributeNames: { '#id': 'id', '#c': 'page_content', '#m': 'metadata', ...(partition && { '#pk': partition }) },
  ...(partition && { SearchConditionExpression: '#pk = :pk', ExpressionAttributeValues: { ':pk': S(value) } }) })

const result = ({ id, page_content, metadata }, Score) => ({ Item: { id, page_content, metadata }, Score })

async function useStore(TableName, partition, DistanceFunction) {
  expect(await failure(db.describeTable({ TableName }))).toEqual(notFound(`Requested resource not found: Table: ${TableName} not found`))
  await createTable(db, { ...definition({ key: ['id:S'] }), TableName, AttributeDefinitions: attributes('id', partition),
    VectorIndexes: [vectorIndex(partition, DistanceFunction)] })
}

describe('replay of the LangChain vector store', { timeout: isAws ? 45 * MINUTES : 20_000 }, () => {
  const TableName = uniqueName('langchain')
  const A = documentItem('a', 'on the x axis', X, { page: { N: '1' }, tags: { L: [S('axis')] } })
  const B = documentItem('b', 'on the y axis', Y)
  const C = documentItem('c', 'between them', BETWEEN)
  const search = (...parts) => answer(db.searchVectors(searchRequest(TableName, ...parts)))

  beforeAll(async () => {
    await useStore(TableName)
    expect(await addTexts(TableName, [A, B, C])).toEqual({ UnprocessedItems: {} })
  }, 5 * MINUTES)
  afterAll(() => db.deleteTable({ TableName }))

  it('finds the nearest texts of the whole table, with their distances', async () => {
    expect(await search(X)).toEqual({ SearchResults: [result(A, 0), result(C, expect.closeTo(0.4, 6)), result(B, 1)] })
    expect(await search(Y, { TopK: 1 })).toEqual({ SearchResults: [result(B, 0)] })
  })

  it('gets documents by their identifiers, and leaves out those that do not exist', async () => {
    const Keys = ['c', 'a', 'absent'].map((id) => ({ id: S(id) }))
    const { Responses, ...rest } = await answer(db.batchGetItem({ RequestItems: { [TableName]: { Keys } } }))
    expect(rest).toEqual({ UnprocessedKeys: {} })
    expect(Responses[TableName].map(({ embedding: { L: numbers }, ...item }) => ({ ...item, embedding: numbers.map((each) => Number(each.N)) }))
      .sort((one, other) => one.id.S.localeCompare(other.id.S)))
      .toEqual([{ ...A, embedding: [1, 0, 0] }, { ...C, embedding: [3, 4, 0] }])
  })

  it('writes a text again, and deletes texts, and each search shows that', async () => {
    const moved = documentItem('d', 'moved', X)
    await addTexts(TableName, [documentItem('d', 'first', BETWEEN)])
    await addTexts(TableName, [moved])
    const { SearchResults } = await search(X)
    expect(SearchResults).toHaveLength(4)
    expect(SearchResults.slice(0, 2)).toEqual(expect.arrayContaining([result(A, 0), result(moved, 0)]))
    expect(await answer(db.batchWriteItem({ RequestItems: { [TableName]: [{ DeleteRequest: { Key: { id: S('d') } } }, { DeleteRequest: { Key: { id: S('absent') } } }] } })))
      .toEqual({ UnprocessedItems: {} })
    expect(await search(X)).toEqual({ SearchResults: [result(A, 0), result(C, expect.closeTo(0.4, 6)), result(B, 1)] })
  })

  it('writes nothing of a batch that has one embedding of another model', async () => {
    const RequestItems = { [TableName]: [documentItem('e', 'fits', X), documentItem('f', 'does not', vector('1.0', '0.0'))].map((Item) => ({ PutRequest: { Item } })) }
    expect(await failure(db.batchWriteItem({ RequestItems })))
      .toEqual(validation(`One or more parameter values were invalid. Invalid size for parameter embedding, Expected: 3, Actual: 2 IndexName: ${IndexName}`))
    expect(await answer(db.getItem({ TableName, Key: { id: S('e') } }))).toEqual({})
  })
})

describe('replay of the LangChain vector store with a partition attribute', { timeout: isAws ? 45 * MINUTES : 20_000 }, () => {
  const partition = 'tenant'
  const TableName = uniqueName('langchain-tenants')
  const OURS = documentItem('1', 'ours', X, { tenant: S('acme') }, partition)
  const FAR = documentItem('2', 'ours, far away', BETWEEN, { tenant: S('acme') }, partition)
  const THEIRS = documentItem('3', 'theirs', X, { tenant: S('other') }, partition)

  beforeAll(async () => {
    await useStore(TableName, partition, 'EUCLIDEAN')
    await addTexts(TableName, [OURS, FAR, THEIRS])
  }, 5 * MINUTES)
  afterAll(() => db.deleteTable({ TableName }))

  it('searches the texts of one value', async () => {
    const search = (value) => answer(db.searchVectors(searchRequest(TableName, X, { partition, value })))
    expect(await search('acme')).toEqual({ SearchResults: [result(OURS, 0), result(FAR, expect.closeTo(Math.sqrt(20), 6))] })
    expect(await search('other')).toEqual({ SearchResults: [result(THEIRS, 0)] })
    expect(await search('nobody')).toEqual({ SearchResults: [] })
  })

  it('is refused without a value, as a store that was made without the attribute is', async () => {
    expect(await failure(db.searchVectors(searchRequest(TableName, X))))
      .toEqual(validation('SearchConditionExpression must be provided when SearchSchema has a HASH key'))
  })

  it('is added to a table that had no index', async () => {
    const older = uniqueName('langchain-older')
    await createTable(db, { ...definition({ key: ['id:S'] }), TableName: older })
    await addTexts(older, [OURS, THEIRS])
    await db.updateTable({ TableName: older, VectorIndexUpdates: [{ Create: vectorIndex(partition, 'DOT_PRODUCT') }], AttributeDefinitions: attributes(partition) })
    await untilActive(db, older, 40 * MINUTES)
    expect(await answer(db.searchVectors(searchRequest(older, BETWEEN, { partition, value: 'acme' })))).toEqual({ SearchResults: [result(OURS, 3)] })
    await db.deleteTable({ TableName: older })
  })
})
