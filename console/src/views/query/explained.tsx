// What a request would read, write and cost, as the control call `explain` tells it without making it.

import type { Signal } from '@preact/signals'
import type { ExplainedAccess, Explanation, Operation } from '../../api/control-types'
import type { Place } from '../../frame/routes'
import { kPriceBasis, usdPerMillion, usdText, unitsPhrase, unitsText, type Whole } from '../../model/price'
import { Button } from '../../ui/button'
import { countOf, countText } from '../../ui/figures'
import { DataText } from '../../ui/item-value'
import { explain, requestText, wholeOfRead } from './run'

/** An explanation, and the text of the request that it is of (requestText). */
export type Told = { of: string; whole?: Whole | undefined; limit?: number | undefined } & (Explanation | { problem: string })
export type ExplanationSignal = Signal<Told | null>

export async function explainInto(explanation: ExplanationSignal, place: Place, operation: Operation, input: object): Promise<void> {
  const of = requestText(operation, input)
  const answer = await explain(place, operation, input)
  if (!answer.ok) {
    explanation.value = { of, problem: answer.error.message }
    return
  }
  const whole = answer.value.accesses.some((access) => access.has_more) ? await wholeOfRead(place, operation, input) : undefined
  explanation.value = { ...answer.value, of, whole, limit: (input as { Limit?: number }).Limit }
}

/** Returns a sentence about the first access that is a Scan; undefined where there is none. */
export function scanOf(explanation: Explanation | { problem: string } | null): ExplainedAccess | undefined {
  return explanation && 'accesses' in explanation ? explanation.accesses.find((access) => access.kind === 'scan') : undefined
}

/** `asked` is the request as it is now (requestText): what was told of another one is not shown. */
export function Explained({ explanation, asked, has_infrequent_access }: { explanation: ExplanationSignal; asked: string; has_infrequent_access: boolean }) {
  const found = explanation.value
  if (found?.of !== asked) return null
  const close = <Button kind="quiet" label="Close the explanation" onClick={() => (explanation.value = null)}>✕</Button>
  if ('problem' in found) return <p class="notice notice-error" role="alert">{found.problem} {close}</p>
  return (
    <section class="explained" aria-label="Explanation">
      <header>
        <strong>
          {found.read_units > 0 && `${unitsPhrase(found.read_units, 'read')} `}
          {found.write_units > 0 && `${unitsPhrase(found.write_units, 'write')} `}
          {found.read_units + found.write_units === 0 && 'no units '}
        </strong>
        <span class="muted">{priceText(found, has_infrequent_access)}; nothing was read or written</span>
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

function priceText(found: Told & Explanation, has_infrequent_access: boolean): string {
  const usd = usdText(usdPerMillion([found], has_infrequent_access))
  if (!found.accesses.some((access) => access.has_more)) return `a million times this request: ${usd}, ${kPriceBasis}`
  const { whole } = found
  const whole_price = whole && `; a million times the whole answer: ${wholeText(whole, has_infrequent_access)}, ${pagesText(whole, found.limit)}`
  return `a million times this page: ${usd}${whole_price ?? ', and more follow'}; ${kPriceBasis}`
}

const kToldBy = { all: '', estimate: 'about ', 'first page': 'more than ' }

/** "$22.25", "about $22.25", "more than $22.25". */
export function wholeText(whole: Whole, has_infrequent_access: boolean): string {
  return kToldBy[whole.told_by] + usdText(usdPerMillion([whole], has_infrequent_access))
}

/** "in about 20 pages", "in 1 page, without the limit of 50". */
export function pagesText(whole: Whole, limit: number | undefined): string {
  return `in ${kToldBy[whole.told_by]}${countOf(whole.pages, 'page')}${limit === undefined ? '' : `, without the limit of ${countText(limit)}`}`
}
