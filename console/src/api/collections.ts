// The control calls `collections` and `places`: what a table contains, as a designer of keys looks at it.

import type { Place } from '../frame/routes'
import type { Answer, CallOptions } from './answer'
import { control } from './control'
import type { CollectionsBody, CollectionsByHash, CollectionsByKey, Key, Places } from './control-types'

/** Where in the order of the hashes a page begins: behind a collection, or at a fraction of the hashes from 0 to 1. */
export type HashBegin = { after: Key } | { at: number }

export type PageChoice = Pick<CollectionsBody, 'index' | 'items' | 'limit'>

/** Asks for collections as a Scan reads them. */
export function fetchByHash(place: Place, choice: PageChoice, begin: HashBegin, options?: CallOptions): Promise<Answer<CollectionsByHash>> {
  // The order of the answer is the one that was asked for.
  return control('POST', 'collections', { ...tableOf(place), ...choice, order: 'hash', ...begin }, options) as Promise<Answer<CollectionsByHash>>
}

/** Asks for collections in the order of their keys, and for the entities of the table. */
export function fetchByKey(
  place: Place,
  choice: PageChoice & Pick<CollectionsBody, 'directory' | 'entity' | 'prefix'> & { after?: string },
  options?: CallOptions
): Promise<Answer<CollectionsByKey>> {
  return control('POST', 'collections', { ...tableOf(place), ...choice, order: 'key' }, options) as Promise<Answer<CollectionsByKey>>
}

export function fetchPlaces(place: Place, key: Key, options?: CallOptions): Promise<Answer<Places>> {
  return control('POST', 'places', { ...tableOf(place), key }, options)
}

function tableOf({ account, region, table }: Place) {
  return { account, region, table }
}
