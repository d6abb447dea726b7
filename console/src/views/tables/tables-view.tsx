// The tables of an account and Region.

import type { Place } from '../../frame/routes'
import { hrefOf } from '../../frame/routes'
import { table_names } from '../../state/tables'

export function TablesView({ place }: { place: Place }) {
  return (
    <section aria-label={`Tables of ${place.account} in ${place.region}`}>
      <h1>Tables</h1>
      <ul>{table_names.value?.map((name) => <li><a href={hrefOf({ view: 'collections', table: name })}>{name}</a></li>)}</ul>
    </section>
  )
}
