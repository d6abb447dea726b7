// The shapes of DynamoDB JSON that several views use.
//
// An Item comes from JSON.parse, so that its own members may have any name, "__proto__" included.
// Read a member by `attributeOf`, list them by Object.entries, and copy an Item by a spread or
// Object.fromEntries: an assignment `item[name] = value` would set the prototype for that one name.

import { parseJson } from './answer'
import type { AttributeValue, Key, StoredItem as Item } from './control-types'

export type { AttributeValue, Item, Key }

export type AttributeType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'SS' | 'NS' | 'BS' | 'L' | 'M'

/** Returns the type of a value: "S", "N", … */
export function typeOf(value: AttributeValue): AttributeType {
  return (Object.keys(value)[0] ?? 'NULL') as AttributeType
}

/** Returns the attribute; undefined where the item has none of its own with this name. */
export function attributeOf(item: Item, name: string): AttributeValue | undefined {
  return Object.hasOwn(item, name) ? item[name] : undefined
}

/** Returns the key attributes of an item, which are S, N or B, in the order of `names`. */
export function pickKey(item: Item, names: readonly string[]): Key {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name]!])) as Key
}

/** Returns the key that a text of DynamoDB JSON is; null for any other text. Key attributes are S, N or B. */
export function parseKey(text: string | undefined): Key | null {
  const key = text === undefined ? undefined : parseJson(text)
  if (typeof key !== 'object' || key === null || Array.isArray(key)) return null
  const values = Object.values(key)
  return values.length > 0 && values.every(isKeyValue) ? (key as Key) : null
}

function isKeyValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const members = Object.entries(value)
  return members.length === 1 && ['S', 'N', 'B'].includes(members[0]![0]) && typeof members[0]![1] === 'string'
}
