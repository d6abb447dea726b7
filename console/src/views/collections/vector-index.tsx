// A vector index in the pivot. It has no item collections, so it is said in sentences what it is, and
// the items of the table are listed with whether they are in it, and why not.

import { signal } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { CallError } from '../../api/answer'
import { fetchPlaces } from '../../api/collections'
import type { ItemPlace, Places } from '../../api/control-types'
import { call } from '../../api/dynamodb'
import { parseKey, pickKey, type Item, type Key } from '../../api/values'
import { route, setParameters, type Place } from '../../frame/routes'
import { returns } from '../../state/connection'
import { keyNames, type TableDescription, type VectorIndexDescription } from '../../state/tables'
import { DataGrid, type GridColumn } from '../../ui/data-grid'
import { ErrorNotice } from '../../ui/error-notice'
import { CheckField } from '../../ui/field'
import { bytesText, countOf, countText } from '../../ui/figures'
import { DataText, keyText } from '../../ui/item-value'
import { projectionText } from '../tables/table-details'
import { widthOf } from './columns'
import { ItemPanel } from './item-panel'

export function VectorIndexView({ place, description, index }: { place: Place; description: TableDescription; index: VectorIndexDescription }) {
  const [only_absent, setOnlyAbsent] = useState(false)
  const reader = useMemo(() => new PresenceReader(place, description, index.IndexName), [place, description.TableName, index.IndexName, returns.value])
  useEffect(() => {
    void reader.loadMore()
    return () => reader.stop()
  }, [reader])
  const rows = reader.rows.value
  const shown = only_absent ? rows.filter((row) => row.reason !== undefined) : rows
  const item_key = parseKey(route.value.parameters.get('item'))
  const key_title = keyNames(description.KeySchema).join(' · ')
  const key_width = useMemo(() => rows.reduce((width, { key }) => Math.max(width, widthOf(keyText(key))), widthOf(key_title)), [rows, key_title])
  const columns: GridColumn<Presence>[] = [
    { name: 'key', title: key_title, width: key_width, is_sticky: true, cell: (row) => <DataText text={keyText(row.key)} max_length={120} /> },
    { name: 'in', title: `In ${index.IndexName}`, width: 620, cell: (row) => <PresenceText row={row} /> }
  ]
  return (
    <>
      <VectorNote description={description} index={index} />
      <div class="toolbar collections-toolbar">
        <CheckField label="only items that are not in it" checked={only_absent} onChange={setOnlyAbsent} />
        <span class="toolbar-space" />
        <span class="muted" role="status">
          {countText(rows.length)} of {countOf(Math.max(description.ItemCount, rows.length), 'item')}{reader.is_loading.value && ' · reading …'}
        </span>
      </div>
      <ErrorNotice error={reader.error.value} />
      <div class="collections-body">
        <DataGrid
          label={`Items of ${place.table}, and whether ${index.IndexName} has them`}
          columns={columns} rows={shown} keyOf={(row) => row.id}
          onOpen={(row) => setParameters({ item: row.id })}
          onNearEnd={() => void reader.loadMore()}
          rowClass={(row) => (row.id === JSON.stringify(item_key) ? 'grid-chosen' : undefined)}
          empty={!reader.is_complete.value ? 'Reading …' : only_absent && rows.length > 0 ? 'The index has every item.' : 'The table is empty.'}
        />
        {item_key && <ItemPanel place={place} description={description} item_key={item_key} onClose={() => setParameters({ item: undefined })} />}
      </div>
    </>
  )
}

function PresenceText({ row }: { row: Presence }) {
  if (row.reason !== undefined) return <span class="muted">no: <DataText text={row.reason} max_length={400} /></span>
  const { size_bytes = 0, missing = [] } = row.entry!
  return <>yes, {bytesText(size_bytes)}{missing.length > 0 && <span class="muted">, without <DataText text={missing.join(', ')} max_length={300} /></span>}</>
}

/** What the index is, what a search of it reads, and how much of the table it has. */
function VectorNote({ description, index }: { description: TableDescription; index: VectorIndexDescription }) {
  const has = index.ItemCount ?? 0
  const lacking = description.ItemCount - has
  const elements = (type: string) => (index.SearchSchema ?? []).filter((each) => each.SearchSchemaElementType === type).map((each) => each.AttributeName)
  const [hash] = elements('HASH')
  const filters = elements('INLINE_FILTER')
  return (
    <p class="pivot-note">
      <span>
        <DataText text={index.IndexName} /> is a vector index: SearchVectors finds the items whose <DataText text={index.VectorAttribute.AttributeName} />, a list
        of {countOf(index.Dimensions, 'number')}, is the nearest to a given one by {index.DistanceFunction}. It has no item collections.
      </span>
      <span>
        {hash === undefined ? 'A search reads the whole index' : <>A search reads the vectors of one <DataText text={hash} /></>}
        {filters.length > 0 && <>, and may ask for <DataText text={filters.join(', ')} max_length={300} /></>}.
      </span>
      <span>
        {index.Backfilling ? 'It is being filled. ' : ''}
        {lacking > 0 ? `It has ${countText(has)} of the table's ${countOf(description.ItemCount, 'item')}.` : `It has all ${countOf(description.ItemCount, 'item')} of the table.`}
        {' '}Projection: {projectionText(index)}.
      </span>
    </p>
  )
}

/** An item of the table: its entry in the index, or why there is none. */
export interface Presence {
  key: Key
  id: string
  entry?: ItemPlace
  reason?: string
}

/** Returns whether an index has the item of an answer. */
export function presenceOf(key: Key, { places, absent }: Places, index: string): Presence {
  const id = JSON.stringify(key)
  const entry = places.find((each) => each.index === index)
  if (entry) return { key, id, entry }
  return { key, id, reason: absent.find((each) => each.index === index)?.reason ?? 'The table has no such index any more.' }
}

const kPageItems = 30
const kCallsAtOnce = 6

/** The items of a table in the order of a Scan, in pages, each with whether an index has it. */
class PresenceReader {
  readonly rows = signal<readonly Presence[]>([])
  readonly is_loading = signal(false)
  readonly is_complete = signal(false)
  readonly error = signal<CallError | null>(null)

  private next: Item | undefined
  private readonly stopped = new AbortController()
  private readonly key_names: string[]

  constructor(private readonly place: Place, description: TableDescription, private readonly index: string) {
    this.key_names = keyNames(description.KeySchema)
  }

  stop(): void {
    this.stopped.abort()
  }

  async loadMore(): Promise<void> {
    if (this.is_loading.peek() || this.is_complete.peek() || this.error.peek()) return
    this.is_loading.value = true
    const keys = await this.loadKeys()
    for (let at = 0; at < keys.length && !this.stopped.signal.aborted && !this.error.peek(); at += kCallsAtOnce) {
      await this.loadPlaces(keys.slice(at, at + kCallsAtOnce))
    }
    this.is_loading.value = false
  }

  private async loadKeys(): Promise<Key[]> {
    const names = Object.fromEntries(this.key_names.map((name, i) => [`#k${i}`, name]))
    const answer = await call<{ Items: Item[]; LastEvaluatedKey?: Item }>(this.place, 'Scan', {
      TableName: this.place.table, Limit: kPageItems, ProjectionExpression: Object.keys(names).join(', '), ExpressionAttributeNames: names,
      ...(this.next && { ExclusiveStartKey: this.next })
    }, { signal: this.stopped.signal })
    if (this.stopped.signal.aborted) return []
    if (!answer.ok) {
      this.error.value = answer.error
      return []
    }
    this.next = answer.value.LastEvaluatedKey
    this.is_complete.value = this.next === undefined
    return answer.value.Items.map((item) => pickKey(item, this.key_names))
  }

  private async loadPlaces(keys: readonly Key[]): Promise<void> {
    const answers = await Promise.all(keys.map((key) => fetchPlaces(this.place, key, { signal: this.stopped.signal })))
    if (this.stopped.signal.aborted) return
    const rows = answers.flatMap((answer, i) => (answer.ok ? [presenceOf(keys[i]!, answer.value, this.index)] : []))
    // An item that was deleted meanwhile is not listed.
    const failed = answers.find((answer) => !answer.ok && answer.error.status !== 404)
    if (failed && !failed.ok) this.error.value = failed.error
    this.rows.value = [...this.rows.peek(), ...rows]
  }
}
