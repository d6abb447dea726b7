// Every place an item has: in the table and in its indexes, with its key there and what the projection leaves out.

import type { ItemPlace, Places } from '../../api/control-types'
import { pickKey } from '../../api/values'
import { hrefOf } from '../../frame/routes'
import { indexesOf, keyNames, type TableDescription, type VectorIndexDescription } from '../../state/tables'
import { bytesText, countOf } from '../../ui/figures'
import { DataText, ItemValue } from '../../ui/item-value'
import { KeyLink } from '../../ui/key-link'

export function PlacesList({ answer, description }: { answer: Places; description: TableDescription }) {
  return (
    <ul class="places">
      {answer.places.map((each) => <PlaceRow key={each.index ?? ''} each={each} description={description} />)}
      {answer.absent.map(({ index, reason }) => (
        <li key={index} class="place-absent">
          <span class="place-name"><DataText text={index} /></span>
          <span class="place-note"><DataText text={reason} max_length={400} /></span>
        </li>
      ))}
    </ul>
  )
}

/** Where a vector index has the item: it is found by its vector, and has no key there. */
function VectorPlaceRow({ each, index }: { each: ItemPlace; index: VectorIndexDescription }) {
  return (
    <li>
      <span class="place-name"><DataText text={index.IndexName} /></span>
      <span class="place-key">
        <a href={hrefOf({ view: 'collections', parameters: { index: index.IndexName } })}>by <DataText text={index.VectorAttribute.AttributeName} max_length={60} /></a>
        <span class="place-note">{countOf(index.Dimensions, 'number')}, {index.DistanceFunction}</span>
        <MissingNote missing={each.missing} />
      </span>
      {each.size_bytes !== undefined && <span class="muted place-size">{bytesText(each.size_bytes)}</span>}
    </li>
  )
}

function MissingNote({ missing }: { missing: string[] | undefined }) {
  if (!missing || missing.length === 0) return null
  return <span class="place-note">without {missing.map((name, i) => <>{i > 0 && ', '}<DataText text={name} max_length={60} /></>)}</span>
}

function PlaceRow({ each, description }: { each: ItemPlace; description: TableDescription }) {
  const vector_index = description.VectorIndexes?.find((one) => one.IndexName === each.index)
  if (vector_index) return <VectorPlaceRow each={each} index={vector_index} />
  const index = each.index === undefined ? undefined : indexesOf(description).find((one) => one.IndexName === each.index)
  const schema = index?.KeySchema ?? description.KeySchema
  const range_key = pickKey(each.key, keyNames(schema, 'RANGE'))
  return (
    <li>
      <span class="place-name">{each.index === undefined ? 'Table' : <DataText text={each.index} />}</span>
      <span class="place-key">
        <KeyLink hash_key={pickKey(each.key, keyNames(schema, 'HASH'))} index={each.index} />
        {Object.keys(range_key).length > 0 && <span class="place-range">{Object.values(range_key).map((value, i) => <>{i > 0 && ' · '}<ItemValue value={value} max_length={120} /></>)}</span>}
        <MissingNote missing={each.missing} />
      </span>
      {each.size_bytes !== undefined && <span class="muted place-size">{bytesText(each.size_bytes)}</span>}
    </li>
  )
}
