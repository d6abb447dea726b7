// What the list of tables says of each table: its description and its time to live, asked for when
// the row comes into sight.

import { signal } from '@preact/signals'
import { call, type Owner } from '../../api/dynamodb'
import type { TableDescription } from '../../state/tables'

export interface TableSummary {
  description: TableDescription
  /** The attribute with the time of expiry; null where expiry is off. */
  ttl_attribute: string | null
}

/** By the name of the table; a table that is gone has null. */
export const summaries = signal<ReadonlyMap<string, TableSummary | null>>(new Map())

const asked = new Set<string>()

/** Forgets every summary, so that those in sight are asked for again. */
export function forgetSummaries(): void {
  asked.clear()
  summaries.value = new Map()
}

/** Asks for the summary of a table, unless it was asked for already. */
export async function needSummary(owner: Owner, name: string): Promise<void> {
  if (asked.has(name)) return
  asked.add(name)
  const summary = await fetchSummary(owner, name)
  if (summary === undefined) asked.delete(name)
  // After forgetSummaries, an answer that was under way is still right for its table, or is replaced.
  else if (asked.has(name)) summaries.value = new Map(summaries.peek()).set(name, summary)
}

/** Returns undefined when the server does not answer, and null when there is no such table. */
async function fetchSummary(owner: Owner, name: string): Promise<TableSummary | null | undefined> {
  const [table, ttl] = await Promise.all([
    call<{ Table: TableDescription }>(owner, 'DescribeTable', { TableName: name }),
    call<{ TimeToLiveDescription?: { TimeToLiveStatus: string; AttributeName?: string } }>(owner, 'DescribeTimeToLive', { TableName: name })
  ])
  if (!table.ok) return table.error.type === 'Unreachable' ? undefined : null
  const expiry = ttl.ok ? ttl.value.TimeToLiveDescription : undefined
  const is_on = expiry?.TimeToLiveStatus === 'ENABLED' || expiry?.TimeToLiveStatus === 'ENABLING'
  return { description: table.value.Table, ttl_attribute: (is_on && expiry?.AttributeName) || null }
}
