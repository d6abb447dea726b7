// The control calls `collections` and `places`: what a table contains, as a designer of keys looks at it.

import type { Place } from '../frame/routes'
import type { Answer, CallOptions } from './answer'
import { control } from './control'
import type { Item, Key } from './values'

/** One kind of items, by the templates of its key attributes: { PK: "USER#{…}", SK: "PROFILE" }. */
export interface Entity {
  entity: number
  key: Record<string, string>
  items: number
  collections: number
  /** Names seen on sampled items: keys first, then those that most items have. */
  attributes: string[]
}

export interface Collection {
  /** The HASH attributes. */
  key: Key
  /** In hash order, counted up to 1,000. */
  items: number
  has_more_items?: boolean
  /** In hash order: the place among all hashes, from 0 to 1. */
  at?: number
  /** In key order. Items that are in no entity are not counted here. */
  entities?: { entity: number; items: number }[]
}

export interface Directory {
  id: string
  made_epoch_ms: number
  took_ms: number
  items: number
  collections: number
  is_cut: boolean
}

export interface CollectionsAnswer {
  order: 'hash' | 'key'
  collections: Collection[]
  /** For the next call; absent at the end. */
  after?: unknown
  directory?: Directory
  entities?: Entity[]
}

export interface CollectionsRequest {
  index?: string
  order: 'hash' | 'key'
  limit?: number
  after?: unknown
  /** In hash order: where to begin, from 0 to 1. */
  at?: number
  /** In key order. */
  entity?: number
  prefix?: string
  directory?: string
}

export function fetchCollections(place: Place, request: CollectionsRequest, options?: CallOptions): Promise<Answer<CollectionsAnswer>> {
  const { order, ...members } = request
  const { account, region, table } = place
  return control('POST', 'collections', { account, region, table, ...(order === 'key' && { order }), ...members }, options)
}

export interface PlacesAnswer {
  item: Item
  size_bytes: number
  /** The table first, without `index`. */
  places: { index?: string; key: Key; size_bytes?: number; missing?: string[] }[]
  absent: { index: string; reason: string }[]
}

export function fetchPlaces(place: Place, key: Key, options?: CallOptions): Promise<Answer<PlacesAnswer>> {
  const { account, region, table } = place
  return control('POST', 'places', { account, region, table, key }, options)
}
