// The collections of a table or an index, in pages, in one of two orders.

import { batch, signal, type Signal } from '@preact/signals'
import type { Answer, CallError } from '../../api/answer'
import { fetchByHash, fetchByKey, type PageChoice } from '../../api/collections'
import type { CollectionByHash, CollectionByKey, CollectionDirectory, CollectionsByHash, CollectionsByKey, ItemPage, KeyEntity } from '../../api/control-types'
import type { Key } from '../../api/values'
import type { Place } from '../../frame/routes'
import type { ItemStore } from './item-store'

const kPageCollections = 50

/** A collection of a list in either order. */
export interface Entry extends Partial<Omit<CollectionByHash & CollectionByKey, 'key' | 'items' | 'first_page'>> {
  /** Unique among the collections of a list. */
  id: string
  key: Key
  /** Undefined for a collection that a link names, until its items were read. */
  items?: number
}

export interface ListRequest {
  index: string
  order: 'hash' | 'key'
  /** In hash order: where the list begins, from 0 to 1. */
  at: number
  /** In key order: what the HASH value begins with. */
  prefix: string
  /** In key order: the name of an entity (entityName) that the collections have items of. */
  entity: string
  /** One collection alone. */
  key: Key | null
}

/** What the server found is kept from list to list, so that a list that is filtered otherwise needs no new pass. */
export interface KeptDirectory {
  id?: string
  directory?: CollectionDirectory
  entities?: readonly KeyEntity[]
}

/** Returns the id of the collection with these HASH attributes. */
export function idOf(key: Key): string {
  return JSON.stringify(key)
}

// The items that came with it are the store's.
function entryOf({ first_page, ...collection }: Omit<Entry, 'id'> & { first_page?: ItemPage }): Entry {
  return { ...collection, id: idOf(collection.key) }
}

/** One list: a filter, an order or another table makes a new one. */
export class CollectionList {
  readonly entries = signal<readonly Entry[]>([])
  readonly entities: Signal<readonly KeyEntity[]>
  readonly directory: Signal<CollectionDirectory | null>
  readonly error = signal<CallError | null>(null)
  readonly is_loading = signal(false)
  /** Whether all collections are in `entries`. */
  readonly is_complete = signal(false)

  /** What the last page ended with: a key in hash order, a text in key order. */
  private after_hash: Key | undefined
  private after_key: string | undefined
  private readonly stopped = new AbortController()

  constructor(
    readonly place: Place,
    readonly request: ListRequest,
    private readonly kept: KeptDirectory,
    private readonly store: ItemStore,
    private readonly entityNumber: (entities: readonly KeyEntity[], name: string) => number | undefined
  ) {
    this.entities = signal(kept.entities ?? [])
    this.directory = signal(kept.directory ?? null)
  }

  /** Reads the next page, unless one is being read or all are there. */
  async loadMore(): Promise<void> {
    if (this.is_loading.peek() || this.is_complete.peek() || this.error.peek()) return
    this.is_loading.value = true
    const { key, order } = this.request
    const has_entities = this.directory.peek() !== null
    if (!has_entities && order === 'key' && this.request.entity !== '') await this.loadEntities()
    if (this.stopped.signal.aborted) return
    if (key !== null) {
      this.entries.value = [entryOf({ key })]
      this.is_complete.value = true
    } else if (!this.error.peek() && !this.is_complete.peek()) {
      await this.loadPage()
    }
    // The collections are shown before the pass that finds the entities has ended.
    if ((this.directory.peek() === null || key !== null) && !this.error.peek()) await this.loadEntities()
    this.is_loading.value = false
  }

  stop(): void {
    this.stopped.abort()
  }

  // Of one collection alone, the answer has how many items it has, too: the first key with the prefix is the prefix itself.
  private async loadEntities(): Promise<void> {
    const { index, key } = this.request
    const [value, ...others] = Object.values(key ?? {})
    const is_prefix = value !== undefined && 'S' in value && others.length === 0
    const answer = await fetchByKey(
      this.place, { ...(index && { index }), limit: 1, ...(is_prefix && { prefix: value.S }), ...(this.kept.id && { directory: this.kept.id }) },
      { signal: this.stopped.signal })
    if (this.stopped.signal.aborted) return
    // Without a filter, the list is there without its entities, too.
    if (!answer.ok && this.request.entity !== '') this.error.value = answer.error
    if (!answer.ok) return
    batch(() => {
      this.keep(answer.value.directory, answer.value.entities)
      const found = answer.value.collections.map(entryOf).find(({ id }) => is_prefix && id === idOf(key!))
      if (found) this.entries.value = [found]
    })
  }

  private async loadPage(): Promise<void> {
    const { index, order, entity } = this.request
    const entity_number = entity === '' ? undefined : this.entityNumber(this.entities.peek(), entity)
    if (entity !== '' && entity_number === undefined) {
      this.is_complete.value = true
      return
    }
    const page = { limit: kPageCollections, items: this.store.first_items, ...(index && { index }) }
    const answer = order === 'hash' ? await this.fetchHashPage(page) : await this.fetchKeyPage(page, entity_number)
    if (this.stopped.signal.aborted) return
    // All at once, so that the view is drawn once for it.
    batch(() => (answer.ok ? this.addPage(answer.value) : (this.error.value = answer.error)))
  }

  private addPage(page: CollectionsByHash | CollectionsByKey): void {
    if (page.order === 'hash') {
      this.after_hash = page.after
    } else {
      this.after_key = page.after
      this.keep(page.directory, page.entities)
    }
    this.store.setEntities(this.entities.peek())
    this.store.take(page.collections)
    this.entries.value = [...this.entries.peek(), ...page.collections.map(entryOf)]
    this.is_complete.value = page.after === undefined
    this.is_loading.value = this.directory.peek() === null
  }

  private fetchHashPage(page: PageChoice): Promise<Answer<CollectionsByHash>> {
    const begin = this.after_hash ? { after: this.after_hash } : { at: this.request.at }
    return fetchByHash(this.place, page, begin, { signal: this.stopped.signal })
  }

  private fetchKeyPage(page: PageChoice, entity: number | undefined): Promise<Answer<CollectionsByKey>> {
    const { prefix } = this.request
    return fetchByKey(
      this.place,
      {
        ...page,
        ...(this.after_key !== undefined && { after: this.after_key }),
        ...(prefix && { prefix }),
        ...(entity !== undefined && { entity }),
        ...(this.kept.id && { directory: this.kept.id })
      },
      { signal: this.stopped.signal })
  }

  private keep(directory: CollectionDirectory, entities: KeyEntity[]): void {
    if (directory.id === this.kept.id) return
    Object.assign(this.kept, { id: directory.id, directory, entities })
    this.directory.value = directory
    this.entities.value = entities
  }
}
