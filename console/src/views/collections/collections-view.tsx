// Item collections of a table.

import type { Place } from '../../frame/routes'

export function CollectionsView({ place }: { place: Place }) {
  return <h1>Collections of {place.table}</h1>
}
