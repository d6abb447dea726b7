// The items of one entity, in pages, collection by collection in the order of their keys.
//
// Where the templates tell the whole key but the HASH value ("USER#{…}", "PROFILE"), a page is one
// BatchGetItem; otherwise it is a Query of each collection with begins_with on the sort key.

import { signal } from '@preact/signals'
import type { CollectionByKey, KeyEntity } from '../../api/control-types'
import type { Item, Key } from '../../api/values'
import { entityFinder, hasPlaceholder, literalPrefix } from './entities'
import { collectionQuery, readByKeys, readItems, type BoardItem, type Source } from './item-store'

/** Returns a page of the entity's collections that follow those of the pages before; null at the end, or a sentence. */
export type NextCollections = () => Promise<readonly CollectionByKey[] | null | string>

const kPageItems = 100
const kCallsAtOnce = 6

export class EntityReader {
  readonly items = signal<readonly BoardItem[]>([])
  readonly is_loading = signal(false)
  readonly is_complete = signal(false)
  readonly error = signal<string | null>(null)

  private waiting: { key: Key; next?: Key }[] = []
  private has_all_collections = false
  private readonly stopped = new AbortController()
  private readonly findEntity: (item: Item) => KeyEntity | undefined

  constructor(
    private readonly source: Source,
    private readonly entity: KeyEntity,
    entities: readonly KeyEntity[],
    private readonly nextCollections: NextCollections
  ) {
    this.findEntity = entityFinder(entities)
  }

  stop(): void {
    this.stopped.abort()
  }

  /** Reads until there are this many items more, or all. */
  async loadMore(more = kPageItems): Promise<void> {
    if (this.is_loading.peek() || this.is_complete.peek() || this.error.peek()) return
    this.is_loading.value = true
    const wanted = this.items.peek().length + more
    while (this.items.peek().length < wanted && !this.error.peek()) {
      if (this.waiting.length === 0 && !(await this.fillWaiting())) break
      const found = this.hasKnownKeys() ? await this.readKnown() : await this.readQueries()
      if (this.stopped.signal.aborted) return
      if (typeof found === 'string') this.error.value = found
      else this.items.value = [...this.items.peek(), ...found.filter((item) => item.entity?.entity === this.entity.entity)]
    }
    this.is_complete.value = this.has_all_collections && this.waiting.length === 0
    this.is_loading.value = false
  }

  private async fillWaiting(): Promise<boolean> {
    if (this.has_all_collections) return false
    const next = await this.nextCollections()
    if (typeof next === 'string') this.error.value = next
    else if (next === null) this.has_all_collections = true
    else this.waiting.push(...next.map(({ key }) => ({ key })))
    return this.waiting.length > 0
  }

  private hasKnownKeys(): boolean {
    return (
      this.source.index === undefined &&
      this.source.range_names.every((name) => this.typeIsString(name) && !hasPlaceholder(this.entity.key[name] ?? '{}'))
    )
  }

  private typeIsString(name: string): boolean {
    return this.source.description.AttributeDefinitions.some((each) => each.AttributeName === name && each.AttributeType === 'S')
  }

  private async readKnown(): Promise<BoardItem[] | string> {
    const keys = this.waiting.splice(0, kPageItems).map(({ key }): Key => ({
      ...key,
      ...Object.fromEntries(this.source.range_names.map((name) => [name, { S: this.entity.key[name]! }]))
    }))
    const found = await readByKeys(this.source, keys, { signal: this.stopped.signal })
    if (typeof found === 'string') return found
    return keys.flatMap((key) => {
      const id = JSON.stringify(key)
      const item = found.get(id)
      return item ? [{ item, key, id, left_out: null, entity: this.findEntity(item) }] : []
    })
  }

  private async readQueries(): Promise<BoardItem[] | string> {
    const [range] = this.source.range_names
    const prefix = range !== undefined && this.typeIsString(range) ? literalPrefix(this.entity.key[range] ?? '') : ''
    const asked = this.waiting.splice(0, kCallsAtOnce)
    const pages = await Promise.all(
      asked.map(({ key, next }) =>
        readItems(
          this.source,
          { ...collectionQuery(this.source, key, prefix), Limit: kPageItems, ...(next && { ExclusiveStartKey: next }) },
          this.findEntity, this.stopped.signal)))
    const items: BoardItem[] = []
    for (const [i, page] of pages.entries()) {
      if (typeof page === 'string') return page
      items.push(...page.items)
      if (page.next) {
        // The items behind come before those of the next collections.
        this.waiting.unshift({ key: asked[i]!.key, next: page.next }, ...asked.slice(i + 1))
        return items
      }
    }
    return items
  }
}
