// Two images of an item side by side, with what differs.

import type { Item } from '../../api/values'
import { differenceRows } from '../../model/difference'
import { DataText, ItemValue } from '../../ui/item-value'

export interface DifferenceProps {
  old: Item | undefined
  next: Item | undefined
  /** Names that stand first: the key. */
  first: readonly string[]
  /** Rows that are the same on both sides are left out. */
  only_changes?: boolean
}

const kMaxRows = 300
const kSigns = { same: '', added: '+', removed: '−', changed: '≠' }

export function Difference({ old, next, first, only_changes = false }: DifferenceProps) {
  const rows = differenceRows(old, next, first).filter((row) => !only_changes || row.kind !== 'same')
  return (
    <table class="difference">
      <thead><tr><th scope="col">attribute</th><th scope="col">old</th><th scope="col">new</th></tr></thead>
      <tbody>
        {rows.slice(0, kMaxRows).map((row) => (
          <tr key={row.path} class={`difference-${row.kind}`}>
            <th scope="row">
              <span class="difference-sign" aria-hidden="true">{kSigns[row.kind]}</span>
              <DataText text={row.path} max_length={120} />
              {row.kind !== 'same' && <span class="for-screen-readers"> {row.kind}</span>}
            </th>
            <td><ItemValue value={row.old} max_length={2000} /></td>
            <td><ItemValue value={row.new} max_length={2000} /></td>
          </tr>
        ))}
        {rows.length > kMaxRows && <tr><td colSpan={3} class="muted">and {rows.length - kMaxRows} more</td></tr>}
      </tbody>
    </table>
  )
}
