// A key that leads to its collection, in the table or in an index.

import type { Key } from '../api/values'
import { hrefOf } from '../frame/routes'
import { DataText, keyText, valueText } from './item-value'

/** Returns the URL of the collection with the HASH attributes `key`. */
export function collectionHref(key: Key, index?: string | undefined): string {
  return hrefOf({ view: 'collections', parameters: { index, key: JSON.stringify(key) } })
}

/** Returns the URL of the item with the key `key`, of the chosen table. */
export function itemHref(key: Key): string {
  return hrefOf({ view: 'item', parameters: { key: JSON.stringify(key) } })
}

/** `hash_key`: the HASH attributes, of the table or of `index`. `tab_index` -1 keeps it out of Tab's way, in a grid. */
export function KeyLink({ hash_key, index, tab_index }: { hash_key: Key; index?: string | undefined; tab_index?: number }) {
  return (
    <a class="key-link" tabIndex={tab_index} href={collectionHref(hash_key, index)} title={`The collection ${keyText(hash_key)}${index ? ` in ${index}` : ''}`}>
      {Object.values(hash_key).map((value, i) => (
        <>
          {i > 0 && ' · '}
          <DataText text={valueText(value)} max_length={120} />
        </>
      ))}
    </a>
  )
}
