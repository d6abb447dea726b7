// Saves a table as files that a seed reads again: its items as of one instant, and its definition.

import { control } from '../../api/control'
import { call } from '../../api/dynamodb'
import type { Place } from '../../frame/routes'
import { keyNames, type TableDescription } from '../../state/tables'
import { toast } from '../../ui/toast'
import { csvOf } from './csv'

/** DynamoDB JSON has everything; JSON and CSV have no sets in documents and no binary values, and are refused where they need them. */
export async function downloadItems(place: Place, format: 'dynamodb' | 'json' | 'csv'): Promise<void> {
  const { account, region, table } = place
  const answer = await control('POST', 'dump', { account, region, table, format: format === 'csv' ? 'dynamodb' : format })
  if (!answer.ok) return toast(answer.error.message, { kind: 'error' })
  // Without a path, the answer is a text.
  const items = answer.value as string
  if (format !== 'csv') return saveFile(`${table}.jsonl`, items)
  const described = await call<{ Table: TableDescription }>(place, 'DescribeTable', { TableName: table })
  const csv = csvOf(items, described.ok ? keyNames(described.value.Table.KeySchema) : [])
  if (typeof csv === 'string') saveFile(`${table}.csv`, csv)
  else toast(csv.problem, { kind: 'error' })
}

export async function downloadDefinition(place: Place): Promise<void> {
  const answer = await call<{ Table: TableDescription }>(place, 'DescribeTable', { TableName: place.table })
  if (answer.ok) saveFile(`${place.table}.table.json`, JSON.stringify(answer.value, null, 2))
  else toast(answer.error.message, { kind: 'error' })
}

export function saveFile(name: string, content: string | Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
