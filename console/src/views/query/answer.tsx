// The answer of a run: what it took, the items, and what can be done with those that are selected.

import { useMemo, useState } from 'preact/hooks'
import { attributeOf, type Item } from '../../api/values'
import { go, type Place } from '../../frame/routes'
import { kPriceBasis, usdPerMillion, usdText, unitsText } from '../../model/price'
import { keyOf, keyPlanOf, type TablePlan } from '../../model/tables'
import { printItem } from '../../model/values'
import { is_read_only } from '../../state/server'
import { Button } from '../../ui/button'
import { DataGrid, type GridColumn } from '../../ui/data-grid'
import { confirmAction } from '../../ui/dialog'
import { countOf, countText } from '../../ui/figures'
import { DataText, ItemValue, valueText } from '../../ui/item-value'
import { Menu } from '../../ui/menu'
import { toast } from '../../ui/toast'
import { widthOf } from '../collections/columns'
import { deleteItems } from '../item/writes'
import { csvOf } from '../tables/csv'
import { saveFile } from '../tables/download'
import { pagesText, wholeText } from './explained'
import { fetchAllPages, fetchPage, kMaxItems, requestText, stopRun, type Run, type RunSignal } from './run'

const kMaxColumns = 60

/** `asked` is the request as it is now (requestText): the answer to another one is grey and says so. */
export function Answer({ run, asked, table, index }: { run: RunSignal; asked: string; table: TablePlan | undefined; index: string | undefined }) {
  const state = run.value
  if (!state) return <p class="notice muted">Nothing was asked yet. Ctrl+Enter runs the request.</p>
  const is_outdated = requestText(state.operation, state.input) !== asked
  return (
    <div class={`answer${is_outdated ? ' answer-outdated' : ''}`}>
      {is_outdated && <p role="status"><strong>The request has changed: this is the answer to the one before.</strong></p>}
      {!(state.error && state.pages === 0) && <Figures run={state} has_infrequent_access={table?.has_infrequent_access ?? false} />}
      {state.error && state.error.type !== 'Unreachable' && <p class="notice notice-error" role="alert">{state.error.type && <strong>{state.error.type}: </strong>}{state.error.message}</p>}
      {(!state.error || state.items.length > 0) && <Items run={run} state={state} is_outdated={is_outdated} table={table} index={index} />}
    </div>
  )
}

// --- What it took ---

function Figures({ run, has_infrequent_access }: { run: Run; has_infrequent_access: boolean }) {
  const places = run.units.map((row) => ({ name: row.index || 'table', units: row.read_units + row.write_units }))
  const total = places.reduce((sum, each) => sum + each.units, 0)
  const ratio = run.examined !== undefined && run.returned > 0 && run.examined > run.returned ? run.examined / run.returned : undefined
  return (
    <dl class="figures" aria-busy={run.is_running}>
      <Figure name={run.is_write ? 'write units' : 'read units'} value={unitsText(total)}>
        {places.map((each) => <span class="figure-place"><DataText text={each.name} max_length={40} /> {unitsText(each.units)}</span>)}
      </Figure>
      <Prices run={run} has_infrequent_access={has_infrequent_access} />
      <Figure name="returned" value={countText(run.returned)}>
        {run.examined !== undefined && <span>of {countText(run.examined)} examined</span>}
        {ratio !== undefined && ratio >= 2 && <span class="figure-bad"> {unitsText(ratio)} examined for each</span>}
      </Figure>
      <Figure name={run.pages === 1 ? 'page' : 'pages'} value={countText(run.pages)}>{run.next ? 'more follow' : run.pages > 0 ? 'the last one' : ''}</Figure>
      <Figure name="time" value={`${run.took_ms < 10 ? run.took_ms.toFixed(1) : Math.round(run.took_ms)} ms`}>{run.is_running && 'running…'}</Figure>
    </dl>
  )
}

/** The price of what was read, and beside it that of the whole answer: a page is as small as its limit, and rounds up. */
function Prices({ run, has_infrequent_access }: { run: Run; has_infrequent_access: boolean }) {
  const usd = usdPerMillion(run.units, has_infrequent_access)
  const limit = run.input['Limit'] as number | undefined
  const is_one = run.pages <= 1
  const read = is_one ? (run.next ? 'this page' : 'this request') : `these ${countText(run.pages)} pages`
  const rounds = !is_one && limit !== undefined && '; each of them rounds up'
  const { whole } = run
  // What was read tells more than a first page that is not the last one.
  const is_told = whole && (whole.told_by !== 'first page' || usdPerMillion([whole], has_infrequent_access) >= usd)
  return (
    <>
      <Figure name={`a million times ${read}`} value={usdText(usd)}>{kPriceBasis}{!is_one && !run.next && ', the whole answer'}{rounds}</Figure>
      {(run.next || (whole && !is_one && limit !== undefined)) && (
        <Figure name="a million times the whole answer" value={is_told ? wholeText(whole, has_infrequent_access) : `more than ${usdText(usd)}`}>
          {whole ? pagesText(whole, limit) : 'more pages follow'}
        </Figure>
      )}
    </>
  )
}

function Figure({ name, value, children }: { name: string; value: string; children?: preact.ComponentChildren }) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd><strong>{value}</strong> <span class="figure-more">{children}</span></dd>
    </div>
  )
}

// --- The items ---

/** Returns the names of attributes: `first`, then the others by how many items have them. */
export function columnNames(items: readonly Item[], first: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const item of items) for (const name of Object.keys(item)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const present = first.filter((name) => counts.has(name))
  const others = [...counts].filter(([name]) => !present.includes(name)).sort(([, a], [, b]) => b - a).map(([name]) => name)
  return [...present, ...others].slice(0, kMaxColumns)
}

// Of the first items, so that columns stay as wide as they are when another page comes.
const kMeasuredItems = 40

function widthOfValue(item: Item, name: string): number {
  const value = attributeOf(item, name)
  return value ? widthOf(valueText(value, 60)) : 0
}

function Items({ run, state, is_outdated, table, index }: { run: RunSignal; state: Run; is_outdated: boolean; table: TablePlan | undefined; index: string | undefined }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const { items } = state
  const { hash = [], range = [] } = table ? table.table : {}
  const plan = table && keyPlanOf(table, index)
  const keys = [...hash, ...range, ...(plan?.index ? [...plan.hash, ...plan.range] : [])].map(({ name }) => name)
  const names = useMemo(() => columnNames(items, [...new Set(keys)]), [items])
  const widths = useMemo(() => names.map((name) => Math.max(widthOf(name), ...items.slice(0, kMeasuredItems).map((item) => widthOfValue(item, name)))), [names])
  const key_count = hash.length + range.length
  const has_keys = table !== undefined && key_count > 0 && items.every((item) => Object.keys(keyOf(table, item)).length === key_count)
  const columns: GridColumn<Item>[] = names.map((name, at) => ({
    name,
    title: <DataText text={name} max_length={60} />,
    width: widths[at]!,
    is_sticky: at === 0,
    cell: (item) => <ItemValue value={attributeOf(item, name)} />
  }))
  const keyOfRow = (item: Item, at: number) => (has_keys ? JSON.stringify(keyOf(table, item)) : String(at))
  const chosen = items.filter((item, at) => selected.has(keyOfRow(item, at)))
  const open = (item: Item) => go({ table: state.place.table, view: 'item', parameters: { key: JSON.stringify(keyOf(table!, item)) } })

  if (items.length === 0) {
    return (
      <>
        <p class="notice">
          {state.is_running ? 'Running…' : state.is_write ? 'Done.' : state.input['Select'] === 'COUNT' ? `${countOf(state.returned, 'item')} counted.` : 'No item was returned.'}
          {state.next && ' More pages follow: a filter may leave a page empty.'}
        </p>
        <div class="answer-actions">{!is_outdated && <Paging run={run} state={state} />}</div>
      </>
    )
  }
  return (
    <>
      <DataGrid
        label="Items" columns={columns} rows={items} keyOf={keyOfRow}
        {...(has_keys && { onOpen: open, selection: { selected, onChange: setSelected } })}
      />
      <div class="answer-actions">
        {!is_outdated && <Paging run={run} state={state} />}
        <span class="toolbar-space" />
        {chosen.length > 0 && <span class="muted">{countOf(chosen.length, 'item')} selected</span>}
        {chosen.length > 0 && !is_read_only.value && (
          <Button
            kind="danger"
            onClick={() => void deleteChosen(state.place, table!, chosen).then((deleted) => {
              setSelected(new Set())
              const gone = new Set(deleted.map((item) => JSON.stringify(keyOf(table!, item))))
              if (run.peek()) run.value = { ...run.peek()!, items: run.peek()!.items.filter((item) => !gone.has(JSON.stringify(keyOf(table!, item)))) }
            })}
          >
            Delete {countOf(chosen.length, 'item')}
          </Button>
        )}
        <ExportMenu items={chosen.length > 0 ? chosen : items} name={state.place.table} first={keys} />
      </div>
    </>
  )
}

function Paging({ run, state }: { run: RunSignal; state: Run }) {
  if (state.is_running) return <Button onClick={() => stopRun(run)}>Stop</Button>
  if (!state.next) return null
  return (
    <>
      <Button onClick={() => void fetchPage(run)}>Next page</Button>
      {state.items.length < kMaxItems && <Button kind="quiet" onClick={() => void fetchAllPages(run)}>All pages</Button>}
    </>
  )
}

async function deleteChosen(place: Place, table: TablePlan, items: Item[]): Promise<Item[]> {
  const count = countOf(items.length, 'item')
  const is_confirmed = await confirmAction({
    title: `Delete ${count}?`,
    text: 'Each item is deleted if it is still as it was read. Undo writes the items back.',
    action: `Delete ${count}`
  })
  return is_confirmed ? deleteItems(place, table, items) : []
}

function ExportMenu({ items, name, first }: { items: readonly Item[]; name: string; first: readonly string[] }) {
  const lines = () => items.map((item) => JSON.stringify(item)).join('\n')
  const asCsv = () => {
    const csv = csvOf(lines(), first)
    if (typeof csv === 'string') saveFile(`${name}.csv`, csv)
    else toast(csv.problem, { kind: 'error' })
  }
  return (
    <Menu
      label={`Export ${countOf(items.length, 'item')}`}
      items={[
        { title: 'JSON', run: () => saveFile(`${name}.json`, `[\n${items.map((item) => printItem(item, 'plain', 0)).join(',\n')}\n]\n`) },
        { title: 'DynamoDB JSON', run: () => saveFile(`${name}.jsonl`, lines() + '\n') },
        { title: 'CSV', run: asCsv }
      ]}
    >
      Export {countOf(items.length, 'item')}
    </Menu>
  )
}
