// What the query views know of a table's data: the types of attributes, and the key templates.
//
// The key templates of a table or an index, as the server infers them (control call `collections`), kept
// until the reader asks again.

import { signal } from '@preact/signals'
import { fetchByKey } from '../../api/collections'
import type { KeyEntity } from '../../api/control-types'
import { call } from '../../api/dynamodb'
import type { Item } from '../../api/values'
import type { Place } from '../../frame/routes'
import type { TablePlan } from '../../model/tables'

export interface KeyTemplates {
  entities: KeyEntity[]
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
  const answer = await fetchByKey(place, { limit: 1, ...(index && { index }) })
  keep(answer.ok
    ? { entities: answer.value.entities, is_loading: false }
    : { entities: [], is_loading: false, problem: answer.error.message })
}

/** Returns the attributes of the table that are known: those of its keys, and those that its entities have. */
export function knownAttributes(place: Place, table: TablePlan): string[] {
  const keys = [table.table, ...table.indexes].flatMap((plan) => [...plan.hash, ...plan.range]).map(({ name }) => name)
  return [...new Set([...keys, ...keyTemplates(place, '').entities.flatMap((entity) => entity.attributes)])]
}

// --- Types of attributes ---

const samples = signal<ReadonlyMap<string, readonly Item[]>>(new Map())
const kSampledItems = 200

/** Reads some items of the table, once, so that a filter has the type of its attribute. */
export async function needSample(place: Place): Promise<void> {
  const name = nameOf(place, '')
  if (samples.peek().has(name)) return
  const keep = (items: readonly Item[]) => {
    samples.value = new Map([...samples.peek()].slice(-20).concat([[name, items]]))
  }
  keep([])
  const answer = await call<{ Items: Item[] }>(place, 'Scan', { TableName: place.table, Limit: kSampledItems })
  if (answer.ok) keep(answer.value.Items)
}

export function sampleOf(place: Place): readonly Item[] {
  return samples.value.get(nameOf(place, '')) ?? []
}
