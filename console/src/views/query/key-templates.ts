// The key templates of a table or an index, as the server infers them (control call `collections`), kept
// until the reader asks again.

import { signal } from '@preact/signals'
import { control } from '../../api/control'
import type { Place } from '../../frame/routes'

export interface EntityTemplate {
  /** The template of each key attribute: {"PK": "USER#{…}", "SK": "PROFILE"}. */
  key: Record<string, string>
  items: number
}

export interface KeyTemplates {
  entities: EntityTemplate[]
  /** Why there are none. */
  problem?: string
  is_loading: boolean
}

const kNone: KeyTemplates = { entities: [], is_loading: false }
const kept = signal<ReadonlyMap<string, KeyTemplates>>(new Map())

function nameOf(place: Place, index: string): string {
  return JSON.stringify([place.account, place.region, place.table, index])
}

export function keyTemplates(place: Place, index: string): KeyTemplates {
  return kept.value.get(nameOf(place, index)) ?? kNone
}

/** Asks for the templates; `again` also when they are known. */
export async function needKeyTemplates(place: Place, index: string, again = false): Promise<void> {
  const name = nameOf(place, index)
  const known = kept.peek().get(name)
  if (known && (known.is_loading || !again)) return
  const keep = (templates: KeyTemplates) => {
    // Templates of a few tables are enough; the oldest ones go.
    kept.value = new Map([...kept.peek()].filter(([each]) => each !== name).slice(-20).concat([[name, templates]]))
  }
  keep({ entities: known?.entities ?? [], is_loading: true })
  const { account, region, table } = place
  const answer = await control<{ entities?: EntityTemplate[] }>(
    'POST', 'collections', { account, region, table, order: 'key', limit: 1, ...(index && { index }) })
  keep(answer.ok
    ? { entities: answer.value.entities ?? [], is_loading: false }
    : { entities: [], is_loading: false, problem: answer.error.message })
}
