import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CollectionList, type ListRequest } from '../../src/views/collections/collection-list'
import { ItemStore, sourceOf } from '../../src/views/collections/item-store'

const kPlace = { account: '000000000000', region: 'us-east-1', table: 'shop' }
const kIndex = { IndexName: 'byOwner', KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' as const }], Projection: { ProjectionType: 'KEYS_ONLY' as const } }
const kTable = {
  TableName: 'shop', TableStatus: 'ACTIVE', ItemCount: 3, TableSizeBytes: 9, AttributeDefinitions: [],
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' as const }, { AttributeName: 'SK', KeyType: 'RANGE' as const }], GlobalSecondaryIndexes: [kIndex]
}
const kEntity = { entity: 0, key: { PK: 'USER#{…}', SK: 'PROFILE' }, items: 2, collections: 2, attributes: ['PK', 'SK'] }
const kRequest: ListRequest = { index: '', order: 'key', at: 0, prefix: '', entity: '', key: null }
const ada = { PK: { S: 'USER#ada' }, SK: { S: 'PROFILE' } }

/** The bodies of the calls, and what the next one answers. */
let asked: Record<string, unknown>[] = []
let answer: Record<string, unknown> = {}

beforeEach(() => {
  asked = []
  vi.stubGlobal('requestAnimationFrame', () => {})
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body))
    return new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } })
  })
})
afterEach(() => vi.unstubAllGlobals())

const answerWith = (collections: object[]) => ({
  order: 'key', directory: { id: 'd1', made_epoch_ms: 0, took_ms: 0, items: 3, collections: 2, is_cut: false }, entities: [kEntity], collections
})

function listOf(request: Partial<ListRequest>) {
  const store = new ItemStore(sourceOf(kPlace, kTable, request.index ?? '')!)
  return { store, list: new CollectionList(kPlace, { ...kRequest, ...request }, {}, store, () => 0) }
}

test('The first items come with the collections: those are not read, those without them are', async () => {
  const { store, list } = listOf({})
  answer = answerWith([
    { key: { PK: ada.PK }, items: 3, entities: [], first_page: { Items: [ada], LastEvaluatedKey: ada } },
    { key: { PK: { S: 'USER#bob' } }, items: 1, entities: [] }
  ])
  await list.loadMore()
  expect(asked).toEqual([{ account: '000000000000', region: 'us-east-1', table: 'shop', limit: 50, items: 25, order: 'key' }])
  const entries = list.entries.value
  expect(entries.map(({ id, items }) => [id, items])).toEqual([['{"PK":{"S":"USER#ada"}}', 3], ['{"PK":{"S":"USER#bob"}}', 1]])
  expect(store.get(entries[0]!.id)).toEqual({
    items: [{ item: ada, key: ada, id: JSON.stringify(ada), left_out: null, entity: kEntity }], next: ada, is_loading: false, error: null
  })
  answer = { Items: [] }
  store.want(entries)
  expect(asked.slice(1).map(({ ExpressionAttributeValues }) => ExpressionAttributeValues)).toEqual([{ ':h0': { S: 'USER#bob' } }])
  // What is known stays.
  store.take([{ key: entries[0]!.key, first_page: { Items: [] } }])
  expect(store.get(entries[0]!.id)?.items.length).toBe(1)
})

test('An index that lacks attributes is asked for its collections alone, as what it lacks is read beside its items', async () => {
  const { list } = listOf({ index: 'byOwner' })
  answer = answerWith([])
  await list.loadMore()
  expect(asked).toEqual([{ account: '000000000000', region: 'us-east-1', table: 'shop', index: 'byOwner', limit: 50, items: 0, order: 'key' }])
})

test('One collection alone is shown at once, and then with the number of its items', async () => {
  const { list } = listOf({ key: { PK: ada.PK } })
  answer = answerWith([{ key: { PK: ada.PK }, items: 300, entities: [] }])
  const loading = list.loadMore()
  expect(list.entries.value).toEqual([{ id: '{"PK":{"S":"USER#ada"}}', key: { PK: ada.PK } }])
  await loading
  expect(asked).toEqual([{ account: '000000000000', region: 'us-east-1', table: 'shop', limit: 1, prefix: 'USER#ada', order: 'key' }])
  expect(list.entries.value).toEqual([{ id: '{"PK":{"S":"USER#ada"}}', key: { PK: ada.PK }, items: 300, entities: [] }])
})

test('Of one collection alone that no longer has items, another one with its beginning says nothing', async () => {
  const { list } = listOf({ key: { PK: { S: 'USER#a' } } })
  answer = answerWith([{ key: { PK: ada.PK }, items: 300, entities: [] }])
  await list.loadMore()
  expect(list.entries.value).toEqual([{ id: '{"PK":{"S":"USER#a"}}', key: { PK: { S: 'USER#a' } } }])
})
