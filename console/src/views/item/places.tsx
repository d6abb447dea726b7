// Where an item is: in the table and in each index, with its key there and what the projection leaves out.

import type { PlacesAnswer } from '../../api/collections'
import { table as described_table } from '../../state/tables'
import { bytesText } from '../../ui/figures'
import { DataText } from '../../ui/item-value'
import { PlaceRow } from '../collections/item-panel'

export function PlacesOfItem({ places }: { places: PlacesAnswer | undefined }) {
  const description = described_table.value
  if (!places || !description) return null
  return (
    <section>
      <h2>Where it is <span class="muted">{bytesText(places.size_bytes)}</span></h2>
      <ul class="places">
        {places.places.map((each) => <PlaceRow key={each.index ?? ''} each={each} description={description} />)}
        {places.absent.map(({ index, reason }) => (
          <li key={index} class="place-absent">
            <span class="place-name"><DataText text={index} /></span>
            <span class="place-note"><DataText text={reason} max_length={400} /></span>
          </li>
        ))}
      </ul>
    </section>
  )
}
