// The items of collections, which are kept. The first ones come with the collections; where they do not,
// and for more of them, they are read by Query in pages, when a collection comes into sight.
//
// An item of an index has what the projection left out beside it, read from the table, so that the
// board can show what a reader of the index does not get.

import { signal } from '@preact/signals'
import { call } from '../../api/dynamodb'
import type { CollectionByHash, CollectionByKey, ItemPage, KeyEntity } from '../../api/control-types'
import { pickKey, type AttributeValue, type Item, type Key } from '../../api/values'
import type { Place } from '../../frame/routes'
import { indexesOf, keyNames, type IndexDescription, type TableDescription } from '../../state/tables'
import { idOf, type Entry } from './collection-list'
import { entityFinder } from './entities'

export interface BoardItem {
  item: Item
  /** The key in the table. */
  key: Key
  id: string
  /** What the index's projection leaves out; null in the table, and in an index that has all. */
  left_out: Item | null
  entity: KeyEntity | undefined
}

export interface LoadedItems {
  items: readonly BoardItem[]
  next: Key | undefined
  is_loading: boolean
  error: string | null
}

export const kFirstItems = 25
const kMoreItems = 100
const kCallsAtOnce = 6

/** What the items of a table or an index are read by. */
export interface Source {
  place: Place
  description: TableDescription
  index: IndexDescription | undefined
  hash_names: string[]
  range_names: string[]
  key_names: string[]
  /** Where an attribute is the first HASH attribute of a key, other than here: its value leads to a collection there. */
  links: ReadonlyMap<string, readonly Link[]>
}

export interface Link {
  /** Undefined: the table. */
  index: string | undefined
  hash_names: string[]
  key_names: string[]
}

/** Returns null when the table has no such index. */
export function sourceOf(place: Place, description: TableDescription, index_name: string): Source | null {
  const index = index_name ? indexesOf(description).find((each) => each.IndexName === index_name) : undefined
  if (index_name && !index) return null
  const schema = index?.KeySchema ?? description.KeySchema
  const links = new Map<string, Link[]>()
  for (const { name, schema: other } of [
    { name: undefined, schema: description.KeySchema },
    ...indexesOf(description).map((each) => ({ name: each.IndexName, schema: each.KeySchema }))
  ]) {
    const hash_names = keyNames(other, 'HASH')
    if (name === index?.IndexName) continue
    links.set(hash_names[0]!, [...(links.get(hash_names[0]!) ?? []), { index: name, hash_names, key_names: keyNames(other) }])
  }
  return {
    place, description, index, links,
    hash_names: keyNames(schema, 'HASH'),
    range_names: keyNames(schema, 'RANGE'),
    key_names: keyNames(description.KeySchema)
  }
}

/** Returns the input of a Query that reads a collection; `begins_with` is a condition on the first RANGE attribute. */
export function collectionQuery(source: Source, hash_key: Key, begins_with = ''): Record<string, unknown> {
  const names: Record<string, string> = {}
  const values: Record<string, AttributeValue> = {}
  const conditions = Object.entries(hash_key).map(([name, value], i) => {
    names[`#h${i}`] = name
    values[`:h${i}`] = value
    return `#h${i} = :h${i}`
  })
  if (begins_with !== '' && source.range_names[0] !== undefined) {
    names['#r'] = source.range_names[0]
    values[':r'] = { S: begins_with }
    conditions.push('begins_with(#r, :r)')
  }
  return {
    TableName: source.place.table,
    ...(source.index && { IndexName: source.index.IndexName }),
    KeyConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values
  }
}

/** Whether an item of the source has all attributes that it has in the table. */
function hasWholeItems(source: Source): boolean {
  return !source.index || source.index.Projection.ProjectionType === 'ALL'
}

/** Reads one page of a Query, and what the projection leaves out. Returns a sentence when it fails. */
export async function readItems(
  source: Source,
  input: Record<string, unknown>,
  findEntity: (item: Item) => KeyEntity | undefined,
  signal?: AbortSignal
): Promise<{ items: BoardItem[]; next: Key | undefined } | string> {
  const options = signal ? { signal } : {}
  const answer = await call<ItemPage>(source.place, 'Query', input, options)
  if (!answer.ok) return answer.error.message
  const full = hasWholeItems(source) ? null : await readWhole(source, answer.value.Items, options)
  if (typeof full === 'string') return full
  return { items: boardItems(source, answer.value.Items, full, findEntity), next: answer.value.LastEvaluatedKey }
}

/** `whole`: the items of the table, by the text of their key; null where the source has all of each item. */
function boardItems(source: Source, items: Item[], whole: Map<string, Item> | null, findEntity: (item: Item) => KeyEntity | undefined): BoardItem[] {
  return items.map((item) => {
    const key = pickKey(item, source.key_names)
    const id = JSON.stringify(key)
    const left_out = whole && Object.fromEntries(Object.entries(whole.get(id) ?? {}).filter(([name]) => !Object.hasOwn(item, name)))
    return { item, key, id, left_out, entity: findEntity(item) }
  })
}

const kBatchKeys = 100

// Returns the items of the table by the text of their key; a sentence when it fails.
async function readWhole(source: Source, items: Item[], options: { signal?: AbortSignal }): Promise<Map<string, Item> | string> {
  return readByKeys(source, items.map((item) => pickKey(item, source.key_names)), options)
}

/** Reads the items of the table with these keys, by the text of the key; a sentence when it fails. */
export async function readByKeys(source: Source, keys: Key[], options: { signal?: AbortSignal }): Promise<Map<string, Item> | string> {
  const { table } = source.place
  const found = new Map<string, Item>()
  let left = keys
  while (left.length > 0) {
    const answer = await call<{ Responses: Record<string, Item[]>; UnprocessedKeys?: Record<string, { Keys: Key[] }> }>(
      source.place, 'BatchGetItem', { RequestItems: { [table]: { Keys: left.slice(0, kBatchKeys) } } }, options)
    if (!answer.ok) return answer.error.message
    for (const item of answer.value.Responses[table] ?? []) found.set(JSON.stringify(pickKey(item, source.key_names)), item)
    left = [...(answer.value.UnprocessedKeys?.[table]?.Keys ?? []), ...left.slice(kBatchKeys)]
  }
  return found
}

export class ItemStore {
  /** Changes whenever items came. */
  readonly version = signal(0)

  entities: readonly KeyEntity[] = []
  /** How many items each collection is to bring along: none where what a projection leaves out is needed, too. */
  readonly first_items: number
  private readonly loaded = new Map<string, LoadedItems>()
  private wanted: readonly Entry[] = []
  private calls = 0
  private is_announced = false
  private findEntity: (item: Item) => KeyEntity | undefined = () => undefined
  private readonly stopped = new AbortController()

  constructor(readonly source: Source) {
    this.first_items = hasWholeItems(source) ? kFirstItems : 0
  }

  /** Takes the first items that came with collections. What is known of a collection already stays. */
  take(collections: readonly Pick<CollectionByHash | CollectionByKey, 'key' | 'first_page'>[]): void {
    for (const { key, first_page } of collections) {
      const id = idOf(key)
      if (!first_page || this.loaded.has(id)) continue
      const items = boardItems(this.source, first_page.Items, null, this.findEntity)
      this.loaded.set(id, { items, next: first_page.LastEvaluatedKey, is_loading: false, error: null })
    }
  }

  /** Items that were read before get their entities, too. */
  setEntities(entities: readonly KeyEntity[]): void {
    if (entities === this.entities) return
    this.entities = entities
    this.findEntity = entityFinder(entities)
    for (const [id, state] of this.loaded) {
      this.loaded.set(id, { ...state, items: state.items.map((each) => ({ ...each, entity: this.findEntity({ ...each.left_out, ...each.item }) })) })
    }
    this.announce()
  }

  /** What is known of a collection's items; undefined before they are asked for. */
  get(id: string): LoadedItems | undefined {
    return this.loaded.get(id)
  }

  /** Reads the first items of the collections in sight. What was wanted before, and is not begun, is not read. */
  want(entries: readonly Entry[]): void {
    this.wanted = entries
    this.pump()
  }

  more(entry: Entry): void {
    void this.load(entry)
  }

  stop(): void {
    this.stopped.abort()
    this.wanted = []
  }

  private pump(): void {
    for (const entry of this.wanted) {
      if (this.calls >= kCallsAtOnce) return
      if (!this.loaded.has(entry.id)) void this.load(entry)
    }
  }

  private async load(entry: Entry): Promise<void> {
    const before = this.loaded.get(entry.id)
    if (before?.is_loading || (before && !before.next)) return
    const known = before?.items ?? []
    this.set(entry.id, { items: known, next: before?.next, is_loading: true, error: null })
    ++this.calls
    const input = {
      ...collectionQuery(this.source, entry.key),
      Limit: before ? kMoreItems : kFirstItems,
      ...(before?.next && { ExclusiveStartKey: before.next })
    }
    const page = await readItems(this.source, input, (item) => this.findEntity(item), this.stopped.signal)
    --this.calls
    if (this.stopped.signal.aborted) return
    if (typeof page === 'string') this.set(entry.id, { items: known, next: before?.next, is_loading: false, error: page })
    else this.set(entry.id, { items: [...known, ...page.items], next: page.next, is_loading: false, error: null })
    this.pump()
  }

  private set(id: string, state: LoadedItems): void {
    this.loaded.set(id, state)
    this.announce()
  }

  // Several collections often come within one frame: the board is drawn once for them.
  private announce(): void {
    if (this.is_announced) return
    this.is_announced = true
    requestAnimationFrame(() => {
      this.is_announced = false
      this.version.value += 1
    })
  }
}
