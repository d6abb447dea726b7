// Where an item is, below its attributes.

import type { Places } from '../../api/control-types'
import { table as described_table } from '../../state/tables'
import { bytesText } from '../../ui/figures'
import { PlacesList } from '../collections/places-list'

export function PlacesOfItem({ places }: { places: Places | undefined }) {
  const description = described_table.value
  if (!places || !description) return null
  return (
    <section>
      <h3>Where it is <span class="muted">{bytesText(places.size_bytes)}</span></h3>
      <PlacesList answer={places} description={description} />
    </section>
  )
}
