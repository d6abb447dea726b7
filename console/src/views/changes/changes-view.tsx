// Changes of a table as they come: from its stream, or from the tail of changes that the server keeps of
// a table without one. Of the chosen change, the old and the new image stand side by side.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CallError } from '../../api/answer'
import { useShortcut } from '../../frame/keyboard'
import type { Place } from '../../frame/routes'
import { differenceRows, differenceText, type DifferenceRow } from '../../model/difference'
import { keyNames, table as described_table, type TableDescription } from '../../state/tables'
import { returns } from '../../state/connection'
import { usePoll } from '../../state/poll'
import { Button } from '../../ui/button'
import { DataGrid, type GridColumn } from '../../ui/data-grid'
import { confirmAction } from '../../ui/dialog'
import { ErrorNotice } from '../../ui/error-notice'
import { TextField } from '../../ui/field'
import { countOf, countText } from '../../ui/figures'
import { DataText, ItemValue, keyText, valueText } from '../../ui/item-value'
import { itemHref } from '../../ui/key-link'
import { shownText } from '../../ui/shown-text'
import { useStill } from '../../ui/still'
import { Tabs } from '../../ui/tabs'
import { Difference } from './difference'
import { keepsChanges, streamSource, switchChanges, tailSource, type ChangeRecord } from './tail'

type SourceName = 'stream' | 'tail'

const kMaxShown = 2000
const kEvents = { INSERT: { text: 'put', hue: 'hue-0' }, MODIFY: { text: 'changed', hue: 'hue-1' }, REMOVE: { text: 'deleted', hue: 'hue-5' } }

export function ChangesView({ place }: { place: Place }) {
  const description = described_table.value
  if (!description || description.TableName !== place.table) return <p class="muted">Reading the table…</p>
  return <Changes key={JSON.stringify([place, description.LatestStreamArn])} place={place} description={description} />
}

/** Returns the ARN of the table's stream, if it is on. */
function streamArn(description: TableDescription): string | undefined {
  return description.StreamSpecification?.StreamEnabled ? description.LatestStreamArn : undefined
}

function Changes({ place, description }: { place: Place; description: TableDescription }) {
  const arn = streamArn(description)
  const view_type = description.StreamSpecification?.StreamViewType
  const [source, setSource] = useState<SourceName>(arn ? 'stream' : 'tail')
  const [is_kept, setKept] = useState<boolean | null>(null)
  const [problem, setProblem] = useState<CallError | null>(null)

  useEffect(() => {
    void keepsChanges(place).then((kept) => {
      if (typeof kept === 'boolean') setKept(kept)
      else if (source === 'tail') setProblem(kept)
    })
  }, [returns.value])

  const turn = async (enabled: boolean) => {
    const action = 'Stop keeping the changes'
    if (!enabled && !(await confirmAction({ title: `${action}?`, text: `The server forgets the changes of ${place.table} that it has kept so far.`, action }))) return
    const error = await switchChanges(place, enabled)
    setProblem(error ?? null)
    if (!error) setKept(enabled)
  }
  const keeps = source === 'tail' && is_kept === true
  return (
    <div class="changes">
      <header class="toolbar">
        <h2>Changes</h2>
        {arn && (
          <Tabs
            label="Source" chosen={source} onChoose={setSource}
            tabs={[{ name: 'stream', title: `Stream (${(view_type ?? '').toLowerCase().replaceAll('_', ' ')})` }, { name: 'tail', title: 'Latest changes' }]}
          />
        )}
        <span class="toolbar-space" />
        {keeps && <Button kind="quiet" onClick={() => void turn(false)}>Stop keeping the changes</Button>}
      </header>
      <ErrorNotice error={problem} />
      {source === 'tail' && is_kept === false && (
        <div class="notice scan-notice">
          <p>{arn ? 'The stream shows the changes of this table.' : 'This table has no stream.'} The server can keep its latest 1,000 changes in memory, with the old and the new image of each.</p>
          <Button kind="main" onClick={() => void turn(true)}>Keep the changes of {place.table} from now on</Button>
        </div>
      )}
      {(source === 'stream' || keeps) && <Tail key={source} place={place} description={description} source={source} arn={arn} />}
    </div>
  )
}

function Tail({ place, description, source, arn }: { place: Place; description: TableDescription; source: SourceName; arn: string | undefined }) {
  const [records, setRecords] = useState<readonly ChangeRecord[]>([])
  const [missed, setMissed] = useState(0)
  const [error, setError] = useState<CallError | null>(null)
  const [is_paused, setPaused] = useState(false)
  const [filter, setFilter] = useState('')
  const [chosen_id, setChosen] = useState<string | null>(null)
  const find = useRef<HTMLInputElement | HTMLTextAreaElement | null>(null)
  const changes = useMemo(() => (source === 'stream' ? streamSource(place, arn!) : tailSource(place)), [])
  const first = keyNames(description.KeySchema)

  usePoll(!is_paused, source, async (signal) => {
    const fetched = await changes.fetchNew(signal)
    if (signal.aborted) return 'wait'
    setError(fetched.error ?? null)
    if (fetched.missed > 0) setMissed((count) => count + fetched.missed)
    if (fetched.records.length > 0) {
      const fresh = [...fetched.records].reverse()
      setRecords((known) => [...fresh, ...known].slice(0, kMaxShown))
    }
    return fetched.error ? 'failed' : fetched.has_more ? 'more' : 'wait'
  })
  useShortcut('/', 'Find a change', () => find.current?.focus())
  useShortcut('p', 'Pause the tail', () => setPaused(!is_paused))

  const wanted = filter.toLowerCase()
  const still = useStill(records)
  const filtered = (among: readonly ChangeRecord[]) => (wanted === '' ? among : among.filter((record) => searchText(record).includes(wanted)))
  const shown = filtered(still.rows)
  const waiting = filtered(still.waiting).length
  const chosen = shown.find((record) => record.id === chosen_id) ?? shown[0]
  const list = useRef<HTMLDivElement>(null)
  const width = useWidth(list)
  const is_stacked = width < kStackedBelow
  return (
    <>
      <div class="tail-head">
        <TextField label="Find a change" has_hidden_label type="search" placeholder="Find in keys and values  /" value={filter} onInput={setFilter} input_ref={(element) => (find.current = element)} />
        <Button pressed={is_paused} onClick={() => setPaused(!is_paused)}>{is_paused ? 'Continue' : 'Pause'}</Button>
        <Button kind="quiet" onClick={() => setRecords([])}>Clear</Button>
        <span class="muted" role="status">
          {error ? '' : is_paused ? 'paused · ' : 'live · '}{countOf(shown.length, 'change')}{missed > 0 && ` · ${countText(missed)} were forgotten before they could be read`}
        </span>
        {waiting > 0 && <Button onClick={still.release}>Show {countText(waiting)} new</Button>}
      </div>
      <ErrorNotice error={error} />
      <div class="changes-body">
        <div class={`live live-tall${is_stacked ? ' live-stacked' : ''}`} ref={list} {...still.handlers}><DataGrid
          label="Changes" columns={columnsOf(source, width)} rows={shown} row_height={is_stacked ? 70 : 44} keyOf={(record) => record.id} onOpen={(record) => setChosen(record.id)}
          rowClass={(record) => (record === chosen ? 'grid-chosen' : undefined)} empty="No change has come yet. This page asks every second."
        /></div>
        {chosen && (
          <section class="change" aria-label="The chosen change">
            <header>
              <EventTag record={chosen} />
              <strong><DataText text={keyText(chosen.key)} max_length={120} /></strong>
              <span class="toolbar-space" />
              <a href={itemHref(chosen.key)}>Open the item</a>
            </header>
            {chosen.old || chosen.next ? (
              <Difference old={chosen.old} next={chosen.next} first={first} />
            ) : (
              <p class="muted">The stream has only keys.</p>
            )}
          </section>
        )}
      </div>
    </>
  )
}

function searchText(record: ChangeRecord): string {
  return JSON.stringify([record.key, record.old, record.next, kEvents[record.event]?.text]).toLowerCase()
}

const kTimeWidth = 104
const kEventWidth = 84
const kKeyWidth = 160
// Below this width of the list, what differs stands below the key.
const kStackedBelow = 560
// The borders of the list and its bar for scrolling.
const kEdge = 18

/** Returns the columns of a list that is so wide. */
function columnsOf(source: SourceName, width: number): GridColumn<ChangeRecord>[] {
  const is_stacked = width < kStackedBelow
  const what_width = is_stacked ? width - kEdge : Math.max(290, width - kEdge - kTimeWidth - kEventWidth - kKeyWidth)
  const time = ({ epoch_ms }: ChangeRecord) => <span class="mono">{source === 'stream' || is_stacked ? secondText(epoch_ms) : clockText(epoch_ms)}</span>
  const key = (record: ChangeRecord) => <DataText text={keyText(record.key)} max_length={100} />
  const what = (record: ChangeRecord) => <div class="two-lines"><p><WhatDiffers record={record} width={what_width} /></p></div>
  if (is_stacked) {
    return [{
      name: 'change', title: 'change, and what differs', width: what_width,
      cell: (record) => <><div class="change-head">{time(record)} <EventTag record={record} /> {key(record)}</div>{what(record)}</>
    }]
  }
  return [
    { name: 'time', title: 'time', width: kTimeWidth, cell: time },
    { name: 'event', title: 'event', width: kEventWidth, cell: (record) => <EventTag record={record} /> },
    { name: 'key', title: 'key', width: kKeyWidth, cell: (record) => <div class="two-lines"><p>{key(record)}</p></div> },
    { name: 'what', title: 'what differs', width: what_width, cell: what }
  ]
}

function EventTag({ record: { event, by_ttl } }: { record: ChangeRecord }) {
  return <span class={`tag ${kEvents[event]?.hue ?? ''}`}>{by_ttl ? 'expired' : kEvents[event]?.text ?? event}</span>
}

/** Returns the width of an element, also after it has changed. */
function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(700)
  useLayoutEffect(() => {
    const measure = () => setWidth(element.current!.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [])
  return width
}

/** Returns whether a text needs no more than the two lines of a cell. Words stay whole, unless one is longer than a line. */
function fits(text: string, width: number): boolean {
  const kCellPadding = 16
  const kCharacterWidth = 7.5
  const line_length = Math.floor((width - kCellPadding) / kCharacterWidth)
  let lines = 1
  let at = 0
  for (const { length } of text.split(' ')) {
    if (at > 0 && at + 1 + length > line_length) {
      lines += 1
      at = 0
    }
    at += (at > 0 ? 1 : 0) + length
    for (; at > line_length; at -= line_length) lines += 1
  }
  return lines <= 2
}

const kMaxDifferences = 3
const kMaxPath = 60
const kValueLengths = [40, 24, 14]

/** Returns what OneDifference shows. */
function textOf({ path, old, new: next }: DifferenceRow, max_length: number): string {
  const shown = (value: DifferenceRow['old']) => (value ? shownText(valueText(value, max_length + 1), max_length) : 'none')
  return `${shownText(path, kMaxPath)}: ${shown(old)} → ${shown(next)}`
}

/**
 * "status: pending → shipped", or which attributes differ, or how many: what two lines of this width have room for, so that nothing is cut
 * off; or what the images do not tell.
 */
function WhatDiffers({ record: { old, next, event }, width }: { record: ChangeRecord; width: number }) {
  if (!old || !next) {
    const image = event === 'MODIFY' ? undefined : next ?? old
    return <span class="muted">{image && countOf(Object.keys(image).length, 'attribute')}</span>
  }
  const rows = differenceRows(old, next).filter((row) => row.kind !== 'same')
  const max_length = kValueLengths.find((each) => fits(rows.map((row) => textOf(row, each)).join(', '), width))
  if (rows.length <= kMaxDifferences && max_length) return <>{rows.map((row, at) => <>{at > 0 && ', '}<OneDifference row={row} max_length={max_length} /></>)}</>
  const counts = differenceText(rows)
  const has_room = fits(`${counts}: ${rows.map(({ path }) => shownText(path, kMaxPath)).join(', ')}`, width)
  return <span class="muted">{counts}{has_room && <>: {rows.map(({ path }, at) => <>{at > 0 && ', '}<DataText text={path} max_length={kMaxPath} /></>)}</>}</span>
}

function OneDifference({ row, max_length }: { row: DifferenceRow; max_length: number }) {
  return (
    <>
      <span class="muted"><DataText text={row.path} max_length={kMaxPath} />: </span>
      {row.old ? <ItemValue value={row.old} max_length={max_length} /> : <span class="muted">none</span>}
      <span class="muted"> → </span>
      {row.new ? <ItemValue value={row.new} max_length={max_length} /> : <span class="muted">none</span>}
    </>
  )
}

// A stream has whole seconds.
export function secondText(epoch_ms: number): string {
  return new Date(epoch_ms).toLocaleTimeString('en-GB')
}

/** "12:00:00.123" in the reader's own time zone. */
export function clockText(epoch_ms: number): string {
  return `${secondText(epoch_ms)}.${String(new Date(epoch_ms).getMilliseconds()).padStart(3, '0')}`
}
