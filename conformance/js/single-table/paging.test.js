// Paging: equal index keys, filters, keys of deleted items, and start keys that are not possible.

import { describe, expect, it } from 'vitest'
import { connect, isAws } from '../support/endpoint.js'
import { answer, failure, page, validation } from '../support/answers.js'
import { migrate } from '../support/application.js'
import { definition, useTable } from '../support/tables.js'

const { db, doc } = connect()

const schema = definition({
  key: ['PK:S', 'SK:S'],
  gsi: { GSI1: ['GSI1PK:S', 'GSI1SK:S'], byKind: ['kind:S'] },
  lsi: { byRank: ['PK:S', 'rank:N'] },
})
// Twelve items in four partitions; every index key is shared by several of them.
const items = Array.from({ length: 12 }, (_, n) => ({
  PK: `P#${n % 4}`, SK: `S#${String(n).padStart(2, '0')}`, GSI1PK: 'ALL', GSI1SK: `G#${n % 3}`, kind: 'k', rank: Math.floor(n / 8), n }))
const TableName = useTable(db, schema, (created) => migrate(doc, created, items))

const name = ({ PK, SK }) => `${PK} ${SK}`
const byName = (list) => list.toSorted((a, b) => (name(a) < name(b) ? -1 : 1))

async function readPages(operation, request) {
  const pages = []
  let ExclusiveStartKey
  do {
    const read = await answer(operation({ TableName, ...request, ExclusiveStartKey }))
    pages.push(read)
    ExclusiveStartKey = read.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return pages
}

const query = (request) => doc.query({ TableName, ...request })
const gsi1 = { IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :pk', ExpressionAttributeValues: { ':pk': 'ALL' } }
const byKind = { IndexName: 'byKind', KeyConditionExpression: 'kind = :k', ExpressionAttributeValues: { ':k': 'k' } }
const collection = { KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': 'P#1' }, ConsistentRead: true }
const inP1 = items.filter(({ PK }) => PK === 'P#1')

describe.each([['with sort key', gsi1], ['without sort key', byKind]])('an index %s whose keys are shared', (_, request) => {
  it.each([1, 2, 5, 12])('is read whole and once by pages of %i', async (Limit) => {
    const pages = await readPages((input) => doc.query(input), { ...request, Limit })
    const whole = (await readPages((input) => doc.query(input), request)).flatMap(({ Items }) => Items)
    expect(byName(whole)).toEqual(byName(items))
    expect(pages.flatMap(({ Items }) => Items)).toEqual(whole)
    const full = Math.floor(12 / Limit)
    expect(pages.map(({ Count }) => Count)).toEqual([...Array(full).fill(Limit), 12 - full * Limit])
  })

  it('is read backward in exactly the other order', async () => {
    const forward = await readPages((input) => doc.query(input), { ...request, Limit: 1 })
    const backward = await readPages((input) => doc.query(input), { ...request, Limit: 1, ScanIndexForward: false })
    expect(backward.flatMap(({ Items }) => Items)).toEqual(forward.flatMap(({ Items }) => Items).reverse())
  })
})

describe('a scan', () => {
  it.each([1, 5, 12, 13])('is whole and without repetition by pages of %i', async (Limit) => {
    for (const IndexName of [undefined, 'GSI1', 'byRank']) {
      const pages = await readPages((input) => doc.scan(input), { IndexName, Limit })
      expect(byName(pages.flatMap(({ Items }) => Items))).toEqual(byName(items))
    }
  })

  it.each([[undefined, ['PK', 'SK']], ['GSI1', ['GSI1PK', 'GSI1SK', 'PK', 'SK']], ['byKind', ['PK', 'SK', 'kind']], ['byRank', ['PK', 'SK', 'rank']]])(
    'of %s ends a page with its own keys', async (IndexName, names) => {
      const { LastEvaluatedKey, Items } = await answer(doc.scan({ TableName, IndexName, Limit: 1 }))
      expect(LastEvaluatedKey).toEqual(Object.fromEntries(names.map((each) => [each, Items[0][each]])))
    })
})

describe('a page', () => {
  it('counts what it reads, not what a filter leaves', async () => {
    const filtered = { ...collection, Limit: 2, FilterExpression: 'n = :n', ExpressionAttributeValues: { ':pk': 'P#1', ':n': inP1[2].n } }
    expect(await readPages((input) => doc.query(input), filtered)).toEqual([
      { Items: [], Count: 0, ScannedCount: 2, LastEvaluatedKey: { PK: 'P#1', SK: inP1[1].SK } },
      { Items: [inP1[2]], Count: 1, ScannedCount: 1 },
    ])
  })

  it('starts after a key that is not there', async () => {
    expect(await answer(query({ ...collection, ExclusiveStartKey: { PK: 'P#1', SK: 'S#02' } }))).toEqual(page(inP1.slice(1)))
    expect(await answer(query({ ...collection, ExclusiveStartKey: { PK: 'P#1', SK: 'S#02' }, ScanIndexForward: false }))).toEqual(page(inP1.slice(0, 1)))
  })

  it('is empty after the last key', async () => {
    expect(await answer(query({ ...collection, ExclusiveStartKey: { PK: 'P#1', SK: 'S#99' } }))).toEqual(page([]))
  })

  it('goes on past an item deleted meanwhile', async () => {
    const gone = { PK: 'P#gone', SK: '2' }
    const all = ['1', '2', '3'].map((SK) => ({ PK: 'P#gone', SK }))
    await migrate(doc, TableName, all)
    const request = { ...collection, ExpressionAttributeValues: { ':pk': 'P#gone' } }
    expect(await answer(query({ ...request, Limit: 2 }))).toEqual(page(all.slice(0, 2), gone))
    await doc.delete({ TableName, Key: gone })
    expect(await answer(query({ ...request, ExclusiveStartKey: gone }))).toEqual(page(all.slice(2)))
  })
})

describe('a start key that cannot be', () => {
  const start = 'The provided starting key is invalid'
  const schemaText = 'The provided key element does not match the schema'
  const indexKey = { PK: 'P#0', SK: 'S#00', GSI1PK: 'ALL', GSI1SK: 'G#0' }
  const bounded = { KeyConditionExpression: 'PK = :pk AND SK > :sk', ExpressionAttributeValues: { ':pk': 'P#1', ':sk': 'S#03' } }

  it.each([
    ['has a member too few', { ...collection, ExclusiveStartKey: { PK: 'P#1' } }, start],
    ['has a member too many', { ...collection, ExclusiveStartKey: { PK: 'P#1', SK: 'S#01', n: 1 } }, start],
    ['names another attribute', { ...collection, ExclusiveStartKey: { PK: 'P#1', other: 'x' } }, schemaText],
    ['has a sort key of another type', { ...collection, ExclusiveStartKey: { PK: 'P#1', SK: 1 } }, schemaText],
    ['lies in another partition', { ...collection, ExclusiveStartKey: { PK: 'P#2', SK: 'S#01' } },
      'The provided starting key is outside query boundaries based on provided conditions'],
    ['does not satisfy the range', { ...bounded, ExclusiveStartKey: { PK: 'P#1', SK: 'S#01' } },
      'The provided starting key does not match the range key predicate'],
    ['lacks the index keys', { ...gsi1, ExclusiveStartKey: { PK: 'P#0', SK: 'S#00' } }, start],
    ['lacks the table keys', { ...gsi1, ExclusiveStartKey: { GSI1PK: 'ALL', GSI1SK: 'G#0' } }, start],
    ['has a table key of another type', { ...gsi1, ExclusiveStartKey: { ...indexKey, SK: 5 } }, `${start}: ${schemaText}`],
  ])('is refused by Query when it %s', async (_, request, message) => {
    expect(await failure(query(request))).toEqual(validation(message))
  })

  it.each([
    ['has a member too few', { ExclusiveStartKey: { PK: 'P#1' } }, `${start}: ${schemaText}`],
    ['names another attribute', { ExclusiveStartKey: { PK: 'P#1', other: 'x' } }, `${start}: ${schemaText}`],
    ['has a key of another type', { ExclusiveStartKey: { PK: 'P#1', SK: 1 } }, `${start}: ${schemaText}`],
    ['lacks the index keys', { IndexName: 'GSI1', ExclusiveStartKey: { PK: 'P#0', SK: 'S#00' } }, start],
    ['has an index key of another type', { IndexName: 'GSI1', ExclusiveStartKey: { ...indexKey, GSI1SK: 5 } }, schemaText],
  ])('is refused by Scan when it %s', async (_, request, message) => {
    expect(await failure(doc.scan({ TableName, ...request }))).toEqual(validation(message))
  })

  it.skipIf(isAws)('is refused by Scan when it belongs to another segment', async () => {
    const keys = (await readPages((input) => doc.scan(input), { Segment: 0, TotalSegments: 2 })).flatMap(({ Items }) => Items)
    const other = items.find(({ PK }) => !keys.some((key) => key.PK === PK))
    expect(await failure(doc.scan({ TableName, Segment: 0, TotalSegments: 2, ExclusiveStartKey: { PK: other.PK, SK: other.SK } }))).toEqual(validation(
      `${start}: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 0`))
  })
})
