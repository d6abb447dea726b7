// One attribute of an item: its value; greyed out where the index's projection leaves it out; a link
// where the value is the partition key of a collection elsewhere.

import { attributeOf, pickKey } from '../../api/values'
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
  const link = source.links.get(name)?.find((each) => each.key_names.every((key_name) => Object.hasOwn(item.item, key_name)))
  if (!link) return <ItemValue value={value} max_length={80} />
  return <KeyLink hash_key={pickKey(item.item, link.hash_names)} index={link.index} tab_index={-1} />
}
