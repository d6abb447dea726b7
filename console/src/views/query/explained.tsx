// What a request would read, write and cost, as the control call `explain` tells it without making it.

import type { Signal } from '@preact/signals'
import type { ExplainedAccess, Explanation, Operation } from '../../api/control-types'
import type { Place } from '../../frame/routes'
import { usdPerMillion, usdText, unitsPhrase, unitsText } from '../../model/price'
import { Button } from '../../ui/button'
import { countText } from '../../ui/figures'
import { DataText } from '../../ui/item-value'
import { explain } from './run'

export type ExplanationSignal = Signal<Explanation | { problem: string } | null>

export async function explainInto(explanation: ExplanationSignal, place: Place, operation: Operation, input: object): Promise<void> {
  const answer = await explain(place, operation, input)
  explanation.value = answer.ok ? answer.value : { problem: answer.error.message }
}

/** Returns a sentence about the first access that is a Scan; undefined where there is none. */
export function scanOf(explanation: Explanation | { problem: string } | null): ExplainedAccess | undefined {
  return explanation && 'accesses' in explanation ? explanation.accesses.find((access) => access.kind === 'scan') : undefined
}

export function Explained({ explanation, has_infrequent_access }: { explanation: ExplanationSignal; has_infrequent_access: boolean }) {
  const found = explanation.value
  if (!found) return null
  const close = <Button kind="quiet" label="Close the explanation" onClick={() => (explanation.value = null)}>✕</Button>
  if ('problem' in found) return <p class="notice notice-error" role="alert">{found.problem} {close}</p>
  const usd = usdPerMillion([{ read_units: found.read_units, write_units: found.write_units }], has_infrequent_access)
  return (
    <section class="explained" aria-label="Explanation">
      <header>
        <strong>
          {found.read_units > 0 && `${unitsPhrase(found.read_units, 'read')} `}
          {found.write_units > 0 && `${unitsPhrase(found.write_units, 'write')} `}
          {found.read_units + found.write_units === 0 && 'no units '}
        </strong>
        <span class="muted">one page of it, {usdText(usd)} for a million; nothing was read or written</span>
        <span class="toolbar-space" />
        {close}
      </header>
      {found.error && <p class="field-error">{found.error.message ?? found.error.Message ?? `It would be answered with ${found.status}.`}</p>}
      <ul>
        {found.accesses.slice(0, 20).map((access, at) => (
          <li key={at}>
            <span class={`tag ${access.kind === 'scan' ? 'hue-2' : 'hue-0'}`}>{access.kind}</span> <DataText text={access.index ?? access.table} max_length={60} />
            {access.key && <> <DataText text={access.key} max_length={200} /></>}
            <span class="muted">
              {access.items_examined !== undefined && ` · ${countText(access.items_returned ?? 0)} of ${countText(access.items_examined)} examined`}
              {` · ${unitsPhrase(access.units)}`}
              {Object.entries(access.index_units).map(([index, units]) => ` · ${index} ${unitsText(units)}`)}
            </span>
          </li>
        ))}
      </ul>
      {found.accesses.length > 20 && <p class="muted">and {countText(found.accesses.length - 20)} more</p>}
    </section>
  )
}
