// Every place an item has: in the table and in its indexes, with its key there and what the projection leaves out.

import type { PlacesAnswer } from '../../api/collections'
import { pickAttributes } from '../../api/values'
import { indexesOf, keyNames, type TableDescription } from '../../state/tables'
import { bytesText } from '../../ui/figures'
import { DataText, ItemValue } from '../../ui/item-value'
import { KeyLink } from '../../ui/key-link'

export function PlacesList({ answer, description }: { answer: PlacesAnswer; description: TableDescription }) {
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

function PlaceRow({ each, description }: { each: PlacesAnswer['places'][number]; description: TableDescription }) {
  const index = each.index === undefined ? undefined : indexesOf(description).find((one) => one.IndexName === each.index)
  const schema = index?.KeySchema ?? description.KeySchema
  const range_key = pickAttributes(each.key, keyNames(schema, 'RANGE'))
  return (
    <li>
      <span class="place-name">{each.index === undefined ? 'Table' : <DataText text={each.index} />}</span>
      <span class="place-key">
        <KeyLink hash_key={pickAttributes(each.key, keyNames(schema, 'HASH'))} index={each.index} />
        {Object.keys(range_key).length > 0 && <span class="place-range">{Object.values(range_key).map((value, i) => <>{i > 0 && ' · '}<ItemValue value={value} max_length={120} /></>)}</span>}
        {each.missing && each.missing.length > 0 && (
          <span class="place-note">without {each.missing.map((name, i) => <>{i > 0 && ', '}<DataText text={name} max_length={60} /></>)}</span>
        )}
      </span>
      {each.size_bytes !== undefined && <span class="muted place-size">{bytesText(each.size_bytes)}</span>}
    </li>
  )
}
