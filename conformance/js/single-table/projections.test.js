// The attributes in an index: KEYS_ONLY, INCLUDE and ALL, on global and local indexes, with every Select.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, expectAnswer, failure, page, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'

const { db, doc } = connect()

const include = { ProjectionType: 'INCLUDE', NonKeyAttributes: ['title', 'stats'] }
const TableName = useTable(db, definition({
  key: ['PK:S', 'SK:S'],
  gsi: { gKeys: ['gpk:S', 'gsk:S'], gSome: ['gpk:S', 'gsk:S'], gAll: ['gpk:S', 'gsk:S'] },
  lsi: { lKeys: ['PK:S', 'rank:N'], lSome: ['PK:S', 'rank:N'], lAll: ['PK:S', 'rank:N'] },
  projections: { gKeys: { ProjectionType: 'KEYS_ONLY' }, lKeys: { ProjectionType: 'KEYS_ONLY' }, gSome: include, lSome: include },
}), async (created) => { await doc.put({ TableName: created, Item: item }) })

const item = { PK: 'p', SK: 's', gpk: 'g', gsk: '1', rank: 5, title: 'T', stats: { views: 3, likes: [1, 2] }, body: 'long' }
const pick = (...names) => Object.fromEntries(names.map((name) => [name, item[name]]))

const VISIBLE = {
  gKeys: pick('PK', 'SK', 'gpk', 'gsk'),
  gSome: pick('PK', 'SK', 'gpk', 'gsk', 'title', 'stats'),
  gAll: item,
  lKeys: pick('PK', 'SK', 'rank'),
  lSome: pick('PK', 'SK', 'rank', 'title', 'stats'),
  lAll: item,
}

const query = (IndexName, options) => {
  const hash = IndexName.startsWith('g') ? 'gpk' : 'PK'
  return doc.query({ TableName, IndexName, KeyConditionExpression: `${hash} = :h`, ExpressionAttributeValues: { ':h': item[hash] }, ...options })
}

describe.each(Object.entries(VISIBLE))('index %s', (IndexName, visible) => {
  it('shows what it projects', async () => {
    await expectAnswer(() => query(IndexName), page([visible]))
    await expectAnswer(() => query(IndexName, { Select: 'ALL_PROJECTED_ATTRIBUTES' }), page([visible]))
    await expectAnswer(() => doc.scan({ TableName, IndexName }), page([visible]))
  })

  it('counts without showing', async () => {
    await expectAnswer(() => query(IndexName, { Select: 'COUNT' }), { Count: 1, ScannedCount: 1 })
  })

  it('shows the keys a projection names', async () => {
    await expectAnswer(() => query(IndexName, { ProjectionExpression: 'SK', Select: 'SPECIFIC_ATTRIBUTES' }), page([{ SK: 's' }]))
  })
})

describe('attributes an index lacks', () => {
  it('are fetched from the table by a local index', async () => {
    for (const IndexName of ['lKeys', 'lSome', 'lAll']) {
      expect(await answer(query(IndexName, { Select: 'ALL_ATTRIBUTES', ConsistentRead: true }))).toEqual(page([item]))
      expect(await answer(query(IndexName, { ProjectionExpression: 'body, stats.likes[1]', ConsistentRead: true })))
        .toEqual(page([{ body: 'long', stats: { likes: [2] } }]))
    }
  })

  it('are refused by a global index', async () => {
    const lacks = (index) => validation(`One or more parameter values were invalid: Global secondary index ${index} does not project [body]`)
    for (const IndexName of ['gKeys', 'gSome']) {
      expect(await failure(query(IndexName, { ProjectionExpression: 'body' }))).toEqual(lacks(IndexName))
      expect(await failure(query(IndexName, { Select: 'ALL_ATTRIBUTES' }))).toEqual(validation('One or more parameter values were invalid: '
        + `Select type ALL_ATTRIBUTES is not supported for global secondary index ${IndexName} because its projection type is not ALL`))
    }
  })

  it('refuse a query that filters by them, and are absent to a scan that does', async () => {
    for (const IndexName of ['gKeys', 'gSome', 'lKeys', 'lSome']) {
      const filtered = { FilterExpression: 'attribute_exists(body)' }
      expect(await failure(query(IndexName, filtered))).toEqual(validation('One or more parameter values were invalid: '
        + `Secondary index ${IndexName} does not project one or more filter attributes: [body]`))
      await expectAnswer(() => doc.scan({ TableName, IndexName, ...filtered }), { ...page([]), ScannedCount: 1 })
    }
  })
})

describe('Select', () => {
  const table = { TableName, KeyConditionExpression: 'PK = :h', ExpressionAttributeValues: { ':h': 'p' } }

  it.each([
    ['SPECIFIC_ATTRIBUTES without a projection', { Select: 'SPECIFIC_ATTRIBUTES' },
      '1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES'],
    ['ALL_ATTRIBUTES with a projection', { Select: 'ALL_ATTRIBUTES', ProjectionExpression: 'SK' },
      '1 validation error detected: Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES'],
    ['COUNT with a projection', { Select: 'COUNT', ProjectionExpression: 'SK' },
      '1 validation error detected: Cannot specify the ProjectionExpression when choosing to get only the Count'],
    ['ALL_PROJECTED_ATTRIBUTES with a projection', { Select: 'ALL_PROJECTED_ATTRIBUTES', ProjectionExpression: 'SK' },
      '1 validation error detected: Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES'],
    ['ALL_PROJECTED_ATTRIBUTES on the table', { Select: 'ALL_PROJECTED_ATTRIBUTES' },
      '1 validation error detected: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName'],
    ['a word it does not know', { Select: 'EVERYTHING' },
      "1 validation error detected: Value 'EVERYTHING' at 'select' failed to satisfy constraint: "
      + 'Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]'],
  ])('refuses %s', async (_, options, message) => {
    expect(await failure(doc.query({ ...table, ...options }))).toEqual(validation(message))
  })
})
