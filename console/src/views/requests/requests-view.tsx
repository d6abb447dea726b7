// The latest calls of the server, with their units: a tail that can be filtered. The server's list has no
// bodies, so only the requests that this page made itself can be repeated.

import { useMemo, useRef, useState } from 'preact/hooks'
import type { CallError } from '../../api/answer'
import { control, queryText } from '../../api/control'
import type { AnyRequest, RequestsQuery } from '../../api/control-types'
import { call } from '../../api/dynamodb'
import { useShortcut } from '../../frame/keyboard'
import { hrefOf, type Place } from '../../frame/routes'
import { codeOf } from '../../model/code'
import { addRows, kPriceBasis, unitRows, unitsPhrase, unitsText, usdPerMillion, usdText, type ConsumedCapacity, type UnitRow } from '../../model/price'
import { subjectOf } from '../../model/partiql'
import { isSelect, own_requests, ownIds, type OwnRequest } from '../../state/own-requests'
import { usePoll } from '../../state/poll'
import { is_read_only } from '../../state/server'
import { Button } from '../../ui/button'
import { DataGrid, isNarrow, type GridColumn } from '../../ui/data-grid'
import { confirmAction } from '../../ui/dialog'
import { ErrorNotice } from '../../ui/error-notice'
import { CheckField, SelectField, TextField } from '../../ui/field'
import { countOf, countText } from '../../ui/figures'
import { DataText } from '../../ui/item-value'
import { useStill } from '../../ui/still'
import { Tabs } from '../../ui/tabs'
import { toast } from '../../ui/toast'
import { clockText, secondText } from '../changes/changes-view'
import { CodeText } from '../query/code-text'

const kMaxShown = 5000

export function RequestsView({ place }: { place: Place }) {
  const [shown, setShown] = useState<'server' | 'own'>('server')
  return (
    <div class="requests">
      <header class="toolbar">
        <h2>Requests</h2>
        <Tabs
          label="Whose requests" chosen={shown} onChoose={setShown}
          tabs={[{ name: 'server', title: 'Of all clients' }, { name: 'own', title: `Of this page (${own_requests.value.length})` }]}
        />
      </header>
      {shown === 'server' ? <ServerRequests place={place} /> : <OwnRequests />}
    </div>
  )
}

function accessesUnits({ accesses }: AnyRequest): number {
  return accesses.reduce((sum, access) => sum + access.units, 0)
}

/** Returns units of both kinds as a text: "12 read units, 3 write units". */
function unitsOfKinds(rows: readonly { read_units: number; write_units: number }[]): string {
  const read_units = rows.reduce((sum, row) => sum + row.read_units, 0)
  const write_units = rows.reduce((sum, row) => sum + row.write_units, 0)
  const parts = [...(read_units > 0 ? [unitsPhrase(read_units, 'read')] : []), ...(write_units > 0 ? [unitsPhrase(write_units, 'write')] : [])]
  return parts.join(', ') || '0 units'
}

function isScan({ accesses }: AnyRequest): boolean {
  return accesses.some((access) => access.kind === 'scan')
}

const kWriteKinds = new Set(['write', 'condition_check'])

/** Returns the units of a listed request as rows, for its price. */
function unitsOf({ accesses }: AnyRequest): UnitRow[] {
  return accesses.reduce<UnitRow[]>((rows, access) => {
    const row = (index: string, units: number): UnitRow =>
      kWriteKinds.has(access.kind) ? { index, read_units: 0, write_units: units } : { index, read_units: units, write_units: 0 }
    return addRows(rows, [row('', access.table_units), ...Object.entries(access.index_units ?? {}).map(([index, units]) => row(index, units))])
  }, []).filter((row) => row.read_units + row.write_units > 0)
}

function ServerRequests({ place }: { place: Place }) {
  const [records, setRecords] = useState<readonly AnyRequest[]>([])
  const [is_enabled, setEnabled] = useState<boolean | null>(null)
  const [missed, setMissed] = useState(0)
  const [error, setError] = useState<CallError | null>(null)
  const [is_paused, setPaused] = useState(false)
  const [text, setText] = useState('')
  const [operation, setOperation] = useState('')
  const [only_table, setOnlyTable] = useState(place.table !== '')
  const [only_scans, setOnlyScans] = useState(false)
  const [only_failed, setOnlyFailed] = useState(false)
  const [only_others, setOnlyOthers] = useState(false)
  const [chosen_id, setChosen] = useState<number | null>(null)
  const since = useRef<number | undefined>(undefined)
  const find = useRef<HTMLInputElement | HTMLTextAreaElement | null>(null)

  usePoll(!is_paused, '', async (signal) => {
    const answer = await control('GET', `requests?${queryText<RequestsQuery>(since.current === undefined ? {} : { since: since.current })}`, undefined, { signal })
    if (signal.aborted) return 'wait'
    setError(answer.ok ? null : answer.error)
    if (!answer.ok) return 'failed'
    const { enabled, last_id, missed: lost = 0, requests } = answer.value
    setEnabled(enabled)
    // After a restart of the server the ids begin anew.
    since.current = since.current !== undefined && last_id < since.current ? 0 : last_id
    if (lost > 0) setMissed((count) => count + lost)
    if (requests.length > 0) {
      const fresh = [...requests].reverse()
      setRecords((known) => [...fresh, ...known].slice(0, kMaxShown))
    }
    return 'wait'
  })
  useShortcut('/', 'Find a request', () => find.current?.focus())
  useShortcut('p', 'Pause the tail', () => setPaused(!is_paused))

  const turn = async (enabled: boolean) => {
    const answer = await control('POST', 'requests', { enabled })
    if (answer.ok) setEnabled(enabled)
    else setError(answer.error)
  }
  const operations = useMemo(() => [...new Set(records.map((record) => record.operation ?? '(none)'))].sort(), [records])
  const wanted = text.toLowerCase()
  const still = useStill(records)
  const own = useMemo(() => ownIds(records, own_requests.value), [records, own_requests.value])
  const isOfTable = (record: AnyRequest) => record.accesses.some((access) => access.table === place.table)
  const filtered = (among: readonly AnyRequest[]) => among.filter((record) =>
    (operation === '' || (record.operation ?? '(none)') === operation)
    && (!only_scans || isScan(record))
    && (!only_failed || record.status >= 400)
    && (!only_others || !own.has(record.id))
    && (wanted === '' || searchText(record).includes(wanted)))
  const matching = useMemo(() => filtered(still.rows), [still.rows, operation, only_scans, only_failed, only_others, only_others && own, wanted])
  const shown = useMemo(() => (only_table ? matching.filter(isOfTable) : matching), [matching, only_table, place.table])
  // A call that failed early has no table.
  const elsewhere = matching.length - shown.length
  const waiting = filtered(still.waiting).filter((record) => !only_table || isOfTable(record)).length
  const chosen = shown.find((record) => record.id === chosen_id) ?? shown[0]
  const is_narrow = isNarrow()
  const columns: GridColumn<AnyRequest>[] = [
    { name: 'time', title: 'time', width: is_narrow ? 76 : 104, cell: (record) => <span class="mono">{(is_narrow ? secondText : clockText)(Date.parse(record.time))}</span> },
    {
      name: 'operation', title: 'operation', width: is_narrow ? 86 : 140,
      cell: (record) => (
        <>
          <span class={isScan(record) ? 'request-scan' : ''}><DataText text={record.operation ?? '(none)'} max_length={40} /></span>
          {own.has(record.id) && <> <span class="tag" title="This page made it">page</span></>}
        </>
      )
    },
    { name: 'where', title: 'table and index', width: is_narrow ? 96 : 140, cell: (record) => <DataText text={whereText(record)} max_length={80} /> },
    { name: 'units', title: 'units', width: 56, is_numeric: true, cell: (record) => (record.accesses.length === 0 ? '' : unitsText(accessesUnits(record))) },
    { name: 'returned', title: 'examined', width: 92, is_numeric: true, cell: (record) => examinedText(record) },
    { name: 'status', title: 'status', width: 58, is_numeric: true, cell: (record) => <span class={record.status >= 400 ? 'request-failed' : 'muted'}>{record.status}</span> },
    { name: 'time_us', title: 'µs', width: 66, is_numeric: true, cell: (record) => countText(record.duration_us) }
  ]
  return (
    <>
      {is_enabled === false && (
        <div class="notice scan-notice">
          <p>The server does not list calls{records.length > 0 && ' at present'}. It can keep the latest 1,000 in memory, each with what it read, wrote and took.</p>
          <Button kind="main" onClick={() => void turn(true)}>List the calls from now on</Button>
        </div>
      )}
      <ErrorNotice error={error} />
      <div class="tail-head">
        <TextField label="Find a request" has_hidden_label type="search" placeholder="Find  /" value={text} onInput={setText} input_ref={(element) => (find.current = element)} />
        <SelectField label="Operation" has_hidden_label value={operation} onChange={setOperation} options={[{ value: '', title: 'all operations' }, ...operations]} />
        {place.table !== '' && <CheckField label={`only ${place.table}`} checked={only_table} onChange={setOnlyTable} />}
        <CheckField label="only Scans" checked={only_scans} onChange={setOnlyScans} />
        <CheckField label="only failed" checked={only_failed} onChange={setOnlyFailed} />
        <CheckField label="without this page's" checked={only_others} onChange={setOnlyOthers} />
        <Button pressed={is_paused} onClick={() => setPaused(!is_paused)}>{is_paused ? 'Continue' : 'Pause'}</Button>
        <Button kind="quiet" onClick={() => setRecords([])}>Clear</Button>
        {is_enabled && <Button kind="quiet" onClick={() => void turn(false)}>Stop listing</Button>}
        <span class="muted" role="status">{countOf(shown.length, 'request')}, {unitsOfKinds(shown.flatMap(unitsOf))}{missed > 0 && ` · ${countText(missed)} were forgotten before they could be read`}</span>
        {waiting > 0 && <Button onClick={still.release}>Show {countText(waiting)} new</Button>}
        {elsewhere > 0 && <Button kind="quiet" onClick={() => setOnlyTable(false)}>{countText(elsewhere)} more of no table or of another one: show them</Button>}
      </div>
      <div class="changes-body">
        <div class="live" {...still.handlers}><DataGrid
          label="Requests" columns={columns} rows={shown} keyOf={(record) => String(record.id)} onOpen={(record) => setChosen(record.id)}
          rowClass={(record) => (record === chosen ? 'grid-chosen' : undefined)} empty={emptyText(is_enabled, elsewhere)}
        /></div>
        {chosen && <RequestDetails request={chosen} />}
      </div>
    </>
  )
}

function emptyText(is_enabled: boolean | null, elsewhere: number): string {
  if (elsewhere > 0) return `No such call of this table. ${countOf(elsewhere, 'call')} of no table or of another one ${elsewhere === 1 ? 'is' : 'are'} left out.`
  return is_enabled ? 'No such call has come yet. This page asks every second.' : 'There is no call in the list.'
}

function searchText(record: AnyRequest): string {
  return JSON.stringify([record.operation, record.error, record.message, record.accesses]).toLowerCase()
}

function whereText({ accesses }: AnyRequest): string {
  return [...new Set(accesses.map((access) => (access.index ? `${access.table}.${access.index}` : access.table)))].join(', ')
}

function examinedText(request: AnyRequest): string {
  const accesses = request.accesses.filter(({ kind }) => !kWriteKinds.has(kind))
  const examined = accesses.reduce((sum, access) => sum + access.examined, 0)
  const returned = accesses.reduce((sum, access) => sum + access.returned, 0)
  return examined === 0 ? '' : examined === returned ? countText(examined) : `${countText(returned)} of ${countText(examined)}`
}

function RequestDetails({ request }: { request: AnyRequest }) {
  const rows = unitsOf(request)
  return (
    <section class="change" aria-label="The chosen request">
      <header><strong><DataText text={request.operation ?? '(none)'} max_length={60} /></strong><span class="muted">{clockText(Date.parse(request.time))}</span></header>
      {request.error && <p class="request-failed"><strong>{request.error}</strong> {request.message && <DataText text={request.message} max_length={1000} />}</p>}
      <dl class="facts">
        <div><dt>Account, Region</dt><dd class="mono">{request.account} {request.region}</dd></div>
        <div><dt>Bytes</dt><dd>{countText(request.request_bytes)} sent, {countText(request.answer_bytes)} answered</dd></div>
        {request.accesses.length > 0 && <div><dt>A million times this call</dt><dd>{usdText(usdPerMillion(rows, false))}, {kPriceBasis}</dd></div>}
      </dl>
      {request.accesses.map((access, at) => (
        <div class="access" key={at}>
          <p>
            <span class={`tag ${access.kind === 'scan' ? 'hue-2' : 'hue-0'}`}>{access.kind}</span>{' '}
            <DataText text={access.index ? `${access.table}.${access.index}` : access.table} max_length={120} />
            {access.count > 1 && <span class="muted"> × {countText(access.count)}</span>}
          </p>
          <p class="muted">
            {unitsPhrase(access.units, kWriteKinds.has(access.kind) ? 'write' : 'read')}: table {unitsText(access.table_units)}
            {Object.entries(access.index_units ?? {}).map(([index, each]) => <>, <DataText text={index} max_length={60} /> {unitsText(each)}</>)}
            {access.examined > 0 && !kWriteKinds.has(access.kind) && ` · ${countText(access.returned)} returned of ${countText(access.examined)} examined`}
            {access.written > 0 && ` · ${countText(access.written)} written`}
            {access.sort_key && ` · sort key: ${access.sort_key}`}
          </p>
          {access.kind === 'scan' && <p class="request-scan">A Scan reads the items of all keys, page by page: a Query needs the HASH key of the table or of an index.</p>}
          {(access.kind === 'query' || access.kind === 'scan') && (
            <p><a href={hrefOf({ account: request.account ?? '', region: request.region ?? '', table: access.table, view: 'query', parameters: { index: access.index, listed: access.kind } })}>Open a {access.kind === 'query' ? 'Query' : 'Scan'} of it</a></p>
          )}
        </div>
      ))}
      <p class="muted">The list has no keys, no values and no bodies of requests, so this call cannot be repeated from here. Those of this page can: they are in the other tab.</p>
    </section>
  )
}

// --- Of this page ---

const kReads = new Set(['Query', 'Scan', 'GetItem', 'BatchGetItem', 'TransactGetItems'])

function isRead({ operation, input }: OwnRequest): boolean {
  return kReads.has(operation) || (operation === 'ExecuteStatement' && isSelect(input))
}

/** Returns the table and the index of a request, or its tables. */
function ownWhere({ input }: OwnRequest): string {
  const { TableName, IndexName, RequestItems, TransactItems, Statement } = input as {
    TableName?: string; IndexName?: string; RequestItems?: object; TransactItems?: Record<string, { TableName: string }>[]; Statement?: string
  }
  const subject = Statement === undefined ? { table: TableName, index: IndexName } : subjectOf(Statement)
  if (subject.table !== undefined) return subject.index === undefined ? subject.table : `${subject.table}.${subject.index}`
  const tables = RequestItems ? Object.keys(RequestItems) : (TransactItems ?? []).flatMap((action) => Object.values(action).map((each) => each.TableName))
  return [...new Set(tables)].join(', ')
}

function OwnRequests() {
  const [chosen_id, setChosen] = useState<number | null>(null)
  const rows = own_requests.value
  const chosen = rows.find((each) => each.id === chosen_id) ?? rows[0]
  const columns: GridColumn<OwnRequest>[] = [
    { name: 'time', title: 'time', width: 104, cell: (each) => <span class="mono">{clockText(each.epoch_ms)}</span> },
    { name: 'operation', title: 'operation', width: 150, cell: (each) => each.operation },
    { name: 'table', title: 'table and index', width: 160, cell: (each) => <DataText text={ownWhere(each)} max_length={80} /> },
    { name: 'units', title: 'units', width: 70, is_numeric: true, cell: (each) => (each.error !== undefined ? <span class="request-failed">failed</span> : each.units.length === 0 ? '' : unitsText(each.units.reduce((sum, row) => sum + row.read_units + row.write_units, 0))) }
  ]
  return (
    <div class="changes-body">
      <DataGrid
        label="Requests of this page" columns={columns} rows={rows} keyOf={(each) => String(each.id)} onOpen={(each) => setChosen(each.id)}
        rowClass={(each) => (each === chosen ? 'grid-chosen' : undefined)} empty="This page has not asked for or written items yet."
      />
      {chosen && <OwnDetails key={chosen.id} request={chosen} onRepeat={() => setChosen(chosen.id)} />}
    </div>
  )
}

function OwnDetails({ request, onRepeat }: { request: OwnRequest; onRepeat: () => void }) {
  const is_read = isRead(request)
  const [answer, setAnswer] = useState<string | null>(null)
  const repeat = async () => {
    // The repeated request is a new one in the list: this one stays chosen.
    onRepeat()
    if (!is_read && !(await confirmAction({ title: `Repeat the ${request.operation}?`, text: 'It writes again, under the same condition.', action: `Repeat the ${request.operation}` }))) return
    const got = await call<{ ConsumedCapacity?: ConsumedCapacity; Count?: number; Items?: unknown[] }>(request.owner, request.operation, request.input)
    if (!got.ok) return setAnswer(`${got.error.type}: ${got.error.message}`)
    const { ConsumedCapacity, Count, Items } = got.value
    const units = ConsumedCapacity && !Array.isArray(ConsumedCapacity) ? unitRows(ConsumedCapacity, is_read ? 'read' : 'write') : []
    const count = Count ?? Items?.length
    setAnswer(`${count === undefined ? 'Done' : countOf(count, 'item')}, ${unitsOfKinds(units)}`)
    toast(`Repeated the ${request.operation}.`)
  }
  return (
    <section class="change" aria-label="The chosen request">
      <header>
        <strong>{request.operation}</strong>
        <span class="toolbar-space" />
        {(is_read || !is_read_only.value) && <Button kind={is_read ? 'plain' : 'danger'} onClick={() => void repeat()}>Repeat the {request.operation}</Button>}
      </header>
      {request.error !== undefined && <p class="request-failed"><DataText text={request.error} max_length={1000} /></p>}
      {answer !== null && <p role="status">{answer}</p>}
      <CodeText text={codeOf('cli', { operation: request.operation, input: request.input }, { endpoint: location.origin, account: request.owner.account, region: request.owner.region })} />
    </section>
  )
}
