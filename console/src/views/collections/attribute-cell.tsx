// One attribute of an item: its value; greyed out where the index's projection leaves it out; a link
// where the value is the partition key of a collection elsewhere.

import { attributeOf, pickAttributes } from '../../api/values'
import { indexesOf, keyNames } from '../../state/tables'
import { ItemValue } from '../../ui/item-value'
import { KeyLink } from '../../ui/key-link'
import type { BoardItem, Source } from './item-store'

export function AttributeCell({ source, item, name }: { source: Source; item: BoardItem; name: string }) {
  const value = attributeOf(item.item, name)
  if (value === undefined) {
    const left_out = item.left_out && attributeOf(item.left_out, name)
    if (!left_out) return null
    return <span class="left-out" title={`${source.index?.IndexName} has no ${name}`}><ItemValue value={left_out} max_length={80} /></span>
  }
  const linked = linkedIndex(source, item, name)
  if (linked === undefined) return <ItemValue value={value} max_length={80} />
  return <KeyLink hash_key={pickAttributes(item.item, linked.hash_names)} index={linked.index} tab_index={-1} />
}

// Returns the index, or the table, in which the attribute is the first HASH attribute of the item's key.
function linkedIndex(source: Source, item: BoardItem, name: string): { index?: string; hash_names: string[] } | undefined {
  const { description } = source
  const places = [
    { index: undefined, schema: description.KeySchema },
    ...indexesOf(description).map((index) => ({ index: index.IndexName, schema: index.KeySchema }))
  ]
  for (const { index, schema } of places) {
    const hash_names = keyNames(schema, 'HASH')
    if (index === source.index?.IndexName || hash_names[0] !== name) continue
    if (keyNames(schema).every((each) => Object.hasOwn(item.item, each))) return { ...(index && { index }), hash_names }
  }
  return undefined
}
