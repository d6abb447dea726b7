// The tables of an account and Region: a list, and beside it the table that is chosen.

import { useEffect, useRef, useState } from 'preact/hooks'
import { useShortcut } from '../../frame/keyboard'
import { go, hrefOf, type Place } from '../../frame/routes'
import { useReturn } from '../../state/connection'
import { is_read_only } from '../../state/server'
import { indexesOf, loadTable, loadTableNames, table_names, tables_error } from '../../state/tables'
import { Button } from '../../ui/button'
import { DataGrid, type GridColumn } from '../../ui/data-grid'
import { ErrorNotice } from '../../ui/error-notice'
import { TextField } from '../../ui/field'
import { bytesText, countOf, countText } from '../../ui/figures'
import { CreateTableDialog } from './create-table'
import { SeedDialog } from './seed-dialog'
import { forgetSummaries, needSummary, summaries, type TableSummary } from './summaries'
import { KeySchemaText, TableDetails } from './table-details'
import './tables.css'

type Open = { what: 'create'; json?: string } | { what: 'seed'; file: File } | null

export function TablesView({ place }: { place: Place }) {
  const [open, setOpen] = useState<Open>(null)
  const [filter, setFilter] = useState('')
  const [is_over, setOver] = useState(false)
  const find = useRef<HTMLInputElement | HTMLTextAreaElement | null>(null)
  const picker = useRef<HTMLInputElement>(null)
  const can_write = !is_read_only.value

  useEffect(forgetSummaries, [place.account, place.region])
  useReturn(forgetSummaries)
  useShortcut('/', 'Find a table', () => find.current?.focus())
  useShortcut('r', 'Read the tables again', refresh)

  const names = table_names.value
  const shown = namesWith(names ?? [], filter)
  const chosen = place.table === '' ? undefined : summaries.value.get(place.table)
  if (place.table !== '') void needSummary(place, place.table)
  const openFile = async (file: File | undefined) => {
    if (!file || !can_write) return
    if (/\.table\.json$/i.test(file.name)) setOpen({ what: 'create', json: await file.text() })
    else setOpen({ what: 'seed', file })
  }

  return (
    <div
      class={`tables${is_over ? ' tables-over' : ''}`}
      onDragOver={(event) => {
        if (!can_write || !event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void openFile(event.dataTransfer?.files[0])
      }}
    >
      <header class="toolbar">
        <h2>Tables</h2>
        <span class="muted">{names && countOf(names.length, 'table')}</span>
        <span class="toolbar-space" />
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (filter !== '' && shown[0] !== undefined) go({ table: shown[0], view: 'collections' })
          }}
        >
          <TextField
            label="Find a table" has_hidden_label type="search" placeholder="Find a table  /" value={filter} onInput={setFilter}
            input_ref={(element) => (find.current = element)}
          />
        </form>
        {can_write && (
          <>
            <input
              ref={picker} type="file" class="for-screen-readers" tabIndex={-1} aria-label="A file of items"
              onChange={(event) => {
                void openFile(event.currentTarget.files?.[0])
                event.currentTarget.value = ''
              }}
            />
            <Button onClick={() => picker.current?.click()}>Load a file</Button>
            <Button kind="main" onClick={() => setOpen({ what: 'create' })}>Create a table</Button>
          </>
        )}
      </header>
      <ErrorNotice error={tables_error.value} />
      <div class="tables-body">
        <DataGrid
          label="Tables"
          columns={columnsOf(place)}
          rows={shown}
          keyOf={(name) => name}
          row_height={30}
          rowClass={(name) => (name === place.table ? 'grid-chosen' : undefined)}
          onOpen={(name) => go({ table: name })}
          empty={names === null ? 'Reading …' : names.length > 0 ? 'No table has this name.' : <NoTables can_write={can_write} />}
        />
        {chosen && <TableDetails place={place} summary={chosen} onSeed={() => picker.current?.click()} />}
        {chosen === null && <p class="notice notice-error">There is no table {place.table}.</p>}
      </div>
      {is_over && <p class="drop-note" aria-hidden="true">Drop a file: items as JSON, DynamoDB JSON or CSV, or a definition (*.table.json)</p>}
      {open?.what === 'create' && <CreateTableDialog place={place} initial_json={open.json} onClose={() => setOpen(null)} />}
      {open?.what === 'seed' && <SeedDialog place={place} file={open.file} onClose={() => setOpen(null)} />}
    </div>
  )
}

/** Returns the names that have the text, those that begin with it first: Enter opens the first one. */
export function namesWith(names: readonly string[], text: string): string[] {
  const wanted = text.toLowerCase()
  const found = names.filter((name) => name.toLowerCase().includes(wanted))
  const isBeginning = (name: string) => name.toLowerCase().startsWith(wanted)
  return [...found.filter(isBeginning), ...found.filter((name) => !isBeginning(name))]
}

function NoTables({ can_write }: { can_write: boolean }) {
  return (
    <>
      <strong>No tables in this account and Region.</strong>
      <br />
      {can_write ? 'Create one, drop a file here, or let a program do it: any SDK with this address as its endpoint.' : 'Other accounts are in the list of the header.'}
    </>
  )
}

function refresh(): void {
  forgetSummaries()
  void loadTableNames()
  void loadTable()
}

function columnsOf(place: Place): GridColumn<string>[] {
  const column = (name: string, title: string, width: number, cell: (summary: TableSummary) => preact.ComponentChildren, is_numeric = false): GridColumn<string> => ({
    name, title, width, is_numeric,
    cell: (table) => {
      const summary = summaries.value.get(table)
      return summary ? cell(summary) : ''
    }
  })
  return [
    {
      name: 'name', title: 'Name', width: 220, is_sticky: true,
      cell: (name) => {
        void needSummary(place, name)
        return <a class="mono table-name" href={hrefOf({ table: name, view: 'collections' })}>{name}</a>
      }
    },
    column('key', 'Key', 190, ({ description }) => <KeySchemaText schema={description.KeySchema} description={description} />),
    column('items', 'Items', 90, ({ description }) => countText(description.ItemCount), true),
    column('size', 'Size', 80, ({ description }) => bytesText(description.TableSizeBytes), true),
    column('indexes', 'Indexes', 190, ({ description }) => (
      <span class="mono">{[...indexesOf(description), ...(description.VectorIndexes ?? [])].map((index) => index.IndexName).join('  ')}</span>
    )),
    column('stream', 'Stream', 150, ({ description }) => (
      <span class="muted">{description.StreamSpecification?.StreamEnabled ? kStreamTexts[description.StreamSpecification.StreamViewType ?? ''] : '–'}</span>
    )),
    column('ttl', 'Expiry', 110, ({ ttl_attribute }) => <span class="mono">{ttl_attribute ?? <span class="muted">–</span>}</span>)
  ]
}

const kStreamTexts: Record<string, string> = {
  NEW_AND_OLD_IMAGES: 'new and old images', NEW_IMAGE: 'new images', OLD_IMAGE: 'old images', KEYS_ONLY: 'keys'
}
