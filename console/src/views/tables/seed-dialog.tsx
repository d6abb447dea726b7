// The dialog that loads a file of items into a table, which it creates where there is none.

import { useRef, useState } from 'preact/hooks'
import { parseJson } from '../../api/answer'
import { control } from '../../api/control'
import { go, type Place } from '../../frame/routes'
import { loadTable, loadTableNames, table_names } from '../../state/tables'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { bytesText, countOf } from '../../ui/figures'
import { toast } from '../../ui/toast'
import { createTableInput, kEmptyForm } from './definition'
import { seedParts, textOfFile } from './seed-parts'
import { forgetSummaries } from './summaries'

/** Returns the name of the table that a file is named after: "users" of "users.jsonl.gz". */
export function tableNameOf(file_name: string): string {
  return file_name.replace(/\.gz$/i, '').replace(/\.(jsonl?|ndjson|csv|table\.json)$/i, '').replace(/[^A-Za-z0-9_.-]/g, '-')
}

export function SeedDialog({ place, file, onClose }: { place: Place; file: File; onClose: () => void }) {
  const [table, setTable] = useState(place.table || tableNameOf(file.name))
  const [definition, setDefinition] = useState(() => JSON.stringify(createTableInput({ ...kEmptyForm, name: tableNameOf(file.name) }), null, 2))
  const [error, setError] = useState<string | null>(null)
  const [progress, setProgress] = useState<string | null>(null)
  const stop = useRef<AbortController | null>(null)
  const names = table_names.value ?? []
  const is_new = !names.includes(table)

  const load = async () => {
    if (stop.current) return
    const parsed = is_new ? parseJson(definition) : undefined
    if (is_new && (typeof parsed !== 'object' || parsed === null)) return setError('The definition is not JSON.')
    setError(null)
    stop.current = new AbortController()
    const problem = await loadParts(place, table, file, parsed as object | undefined, stop.current.signal, setProgress)
    stop.current = null
    setProgress(null)
    forgetSummaries()
    await loadTableNames()
    void loadTable()
    if (problem) return setError(problem)
    go({ table })
    onClose()
  }

  return (
    <Dialog
      title="Load a file"
      onClose={() => {
        stop.current?.abort()
        onClose()
      }}
      onSubmit={() => void load()}
      actions={
        <>
          {progress && <p class="muted seed-progress" role="status">{progress}</p>}
          <Button onClick={() => (stop.current ? stop.current.abort() : onClose())}>{progress ? 'Stop' : 'Cancel'}</Button>
          <Button kind="main" type="submit" disabled={table === '' || progress !== null}>
            {is_new ? `Create ${table || 'the table'} and load the file` : `Load the file into ${table}`}
          </Button>
        </>
      }
    >
      <p class="mono">{file.name} <span class="muted">{bytesText(file.size)}</span></p>
      <p class="muted">
        JSON, DynamoDB JSON, CSV with a header (<code>PK,age:N</code>), or a file of an export; also with gzip. An item that the table already has is replaced.
      </p>
      {error && <p class="notice notice-error" role="alert">{error}</p>}
      <TextField label="Table" value={table} onInput={setTable} suggestions={names} is_mono />
      {is_new && (
        <TextField
          label="Definition of the new table"
          hint="An input of CreateTable, or an answer of DescribeTable."
          value={definition}
          onInput={setDefinition}
          rows={12}
          is_mono
        />
      )}
    </Dialog>
  )
}

// Returns what went wrong; null when the whole file is loaded.
async function loadParts(
  place: Place,
  table: string,
  file: File,
  definition: object | undefined,
  signal: AbortSignal,
  onProgress: (text: string) => void
): Promise<string | null> {
  const { account, region } = place
  const format = /\.csv(\.gz)?$/i.test(file.name) ? { format: 'csv' as const } : {}
  const warnings: string[] = []
  let loaded = 0
  let parts = 0
  const afterwards = () => (parts > 0 ? ` ${countOf(loaded, 'item')} of the parts before stay loaded.` : '')
  try {
    for await (const data of seedParts(textOfFile(file), file.name)) {
      onProgress(parts === 0 ? 'Loading …' : `${countOf(loaded, 'item')} loaded …`)
      const body = { account, region, table, ...format, data, ...(parts === 0 && definition && { definition }) }
      const answer = await control('POST', 'seed', body, { signal })
      if (!answer.ok) return answer.error.message + afterwards()
      loaded += answer.value.tables[table] ?? 0
      warnings.push(...(answer.value.warnings ?? []))
      ++parts
    }
  } catch (thrown) {
    return (thrown instanceof TypeError ? 'The file cannot be read: it is not text in UTF-8.' : (thrown as Error).message) + afterwards()
  }
  toast(`${countOf(loaded, 'item')} loaded into ${table}.`)
  for (const warning of warnings) toast(warning, { kind: 'error' })
  return null
}
