// The collections of a table or an index, in pages, in one of two orders.

import { signal, type Signal } from '@preact/signals'
import type { CallError } from '../../api/answer'
import { fetchByHash, fetchByKey } from '../../api/collections'
import type { CollectionByHash, CollectionByKey, CollectionDirectory, KeyEntity } from '../../api/control-types'
import type { Key } from '../../api/values'
import type { Place } from '../../frame/routes'

const kPageCollections = 50

/** A collection of a list in either order. */
export interface Entry extends Partial<Omit<CollectionByHash & CollectionByKey, 'key' | 'items'>> {
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

export function entryOf(collection: Omit<Entry, 'id'>): Entry {
  return { ...collection, id: JSON.stringify(collection.key) }
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
    if (this.directory.peek() === null && !this.error.peek()) await this.loadEntities()
    this.is_loading.value = false
  }

  stop(): void {
    this.stopped.abort()
  }

  private async loadEntities(): Promise<void> {
    const { index } = this.request
    const answer = await fetchByKey(
      this.place, { ...(index && { index }), limit: 1, ...(this.kept.id && { directory: this.kept.id }) }, { signal: this.stopped.signal })
    if (this.stopped.signal.aborted) return
    // Without a filter, the list is there without its entities, too.
    if (!answer.ok && this.request.entity !== '') this.error.value = answer.error
    if (answer.ok) this.keep(answer.value.directory, answer.value.entities)
  }

  private async loadPage(): Promise<void> {
    const { index, order, entity } = this.request
    const entity_number = entity === '' ? undefined : this.entityNumber(this.entities.peek(), entity)
    if (entity !== '' && entity_number === undefined) {
      this.is_complete.value = true
      return
    }
    const page = { limit: kPageCollections, ...(index && { index }) }
    const found = order === 'hash' ? await this.loadByHash(page) : await this.loadByKey(page, entity_number)
    if (this.stopped.signal.aborted || !found) return
    this.entries.value = [...this.entries.peek(), ...found.map(entryOf)]
  }

  private async loadByHash(page: { limit: number; index?: string }): Promise<CollectionByHash[] | undefined> {
    const begin = this.after_hash ? { after: this.after_hash } : { at: this.request.at }
    const answer = await fetchByHash(this.place, page, begin, { signal: this.stopped.signal })
    if (this.stopped.signal.aborted) return undefined
    if (!answer.ok) {
      this.error.value = answer.error
      return undefined
    }
    this.after_hash = answer.value.after
    this.is_complete.value = this.after_hash === undefined
    return answer.value.collections
  }

  private async loadByKey(page: { limit: number; index?: string }, entity: number | undefined): Promise<CollectionByKey[] | undefined> {
    const { prefix } = this.request
    const answer = await fetchByKey(
      this.place,
      {
        ...page,
        ...(this.after_key !== undefined && { after: this.after_key }),
        ...(prefix && { prefix }),
        ...(entity !== undefined && { entity }),
        ...(this.kept.id && { directory: this.kept.id })
      },
      { signal: this.stopped.signal })
    if (this.stopped.signal.aborted) return undefined
    if (!answer.ok) {
      this.error.value = answer.error
      return undefined
    }
    this.keep(answer.value.directory, answer.value.entities)
    this.after_key = answer.value.after
    this.is_complete.value = this.after_key === undefined
    return answer.value.collections
  }

  private keep(directory: CollectionDirectory, entities: KeyEntity[]): void {
    if (directory.id === this.kept.id) return
    Object.assign(this.kept, { id: directory.id, directory, entities })
    this.directory.value = directory
    this.entities.value = entities
  }
}
