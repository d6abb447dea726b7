// Where an item is: in the table and in each index, with its key there and what the projection leaves out.

import { pickAttributes, type Key } from '../../api/values'
import { keyPlanOf, type TablePlan } from '../../model/tables'
import { bytesText } from '../../ui/figures'
import { DataText, keyText } from '../../ui/item-value'
import { KeyLink } from '../../ui/key-link'

/** The answer of the control call `places`. */
export interface Places {
  size_bytes: number
  places: { index?: string; key: Key; size_bytes?: number; missing?: string[] }[]
  absent: { index: string; reason: string }[]
}

export function PlacesOfItem({ table, places }: { table: TablePlan; places: Places | undefined }) {
  if (!places) return null
  return (
    <section>
      <h2>Where it is</h2>
      <ul class="places">
        {places.places.map(({ index, key, size_bytes, missing = [] }) => {
          const plan = keyPlanOf(table, index)
          const hash = pickAttributes(key, plan.hash.map(({ name }) => name))
          const range = pickAttributes(key, plan.range.map(({ name }) => name))
          return (
            <li key={index ?? ''}>
              <p class="places-name"><strong>{index ? <DataText text={index} /> : 'Table'}</strong> <span class="muted">{bytesText(index ? size_bytes ?? 0 : places.size_bytes)}</span></p>
              <p class="places-key"><KeyLink hash_key={hash} {...(index && { index })} /> <DataText text={keyText(range)} /></p>
              {missing.length > 0 && <p class="places-missing">without {missing.slice(0, 30).map((name) => <><DataText text={name} max_length={60} /> </>)}{missing.length > 30 && '…'}</p>}
            </li>
          )
        })}
        {places.absent.map(({ index, reason }) => (
          <li key={index} class="places-absent">
            <p class="places-name"><strong><DataText text={index} /></strong> <span>not in it</span></p>
            <p>{reason}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
