// The buttons that save a query and that show the kept ones.

import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { timeText } from '../../ui/figures'
import { DataText } from '../../ui/item-value'
import { toast } from '../../ui/toast'
import { forgetQuery, keepQuery, kept_queries, type KeptQuery } from './history'

export interface HistoryProps {
  kind: KeptQuery['kind']
  table: string
  /** What is saved, and its line in the list. */
  content: unknown
  text: string
  onChoose: (content: unknown) => void
}

export function HistoryButtons(props: HistoryProps) {
  const [open, setOpen] = useState<'save' | 'list' | null>(null)
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen('list')}>History</Button>
      <Button kind="quiet" onClick={() => setOpen('save')}>Save</Button>
      {open === 'list' && <HistoryDialog {...props} onClose={() => setOpen(null)} />}
      {open === 'save' && <SaveDialog {...props} onClose={() => setOpen(null)} />}
    </>
  )
}

function SaveDialog({ kind, table, content, text, onClose }: HistoryProps & { onClose: () => void }) {
  const [name, setName] = useState('')
  const field = useRef<HTMLInputElement | HTMLTextAreaElement | null>(null)
  // The dialog is open by now: it has given the focus to its first button.
  useEffect(() => field.current?.focus(), [])
  const save = () => {
    if (name.trim() === '') return
    keepQuery({ kind, table, content, text, epoch_ms: Date.now(), name: name.trim().slice(0, 100) })
    toast('Saved in this browser.')
    onClose()
  }
  return (
    <Dialog
      title="Save the query in this browser" width="narrow" onClose={onClose} onSubmit={save}
      actions={<Button kind="main" type="submit" disabled={name.trim() === ''}>Save the query</Button>}
    >
      <TextField label="Name" value={name} onInput={setName} input_ref={(element) => (field.current = element)} />
      <p class="muted"><DataText text={text} /></p>
    </Dialog>
  )
}

function HistoryDialog({ kind, table, onChoose, onClose }: HistoryProps & { onClose: () => void }) {
  const all = kept_queries.value.filter((query) => query.kind === kind && query.table === table)
  const list = (title: string, queries: KeptQuery[], none: string) => (
    <section class="history">
      <h3>{title}</h3>
      {queries.length === 0 && <p class="muted">{none}</p>}
      <ul>
        {queries.map((query) => (
          <li key={JSON.stringify([query.name, query.content])}>
            <button
              type="button" class="history-entry"
              onClick={() => {
                onChoose(query.content)
                onClose()
              }}
            >
              <span>{query.name !== undefined ? <strong><DataText text={query.name} /></strong> : null} <DataText text={query.text} /></span>
              <span class="muted">{timeText(query.epoch_ms / 1000)}</span>
            </button>
            <Button kind="quiet" label="Forget the query" onClick={() => forgetQuery(query)}>✕</Button>
          </li>
        ))}
      </ul>
    </section>
  )
  return (
    <Dialog title={kind === 'Query' ? `Queries of ${table}` : `Statements of ${table}`} width="wide" onClose={onClose}>
      {list('Saved', all.filter((query) => query.name !== undefined), 'None was saved yet.')}
      {list('Latest', all.filter((query) => query.name === undefined), 'None was run yet.')}
    </Dialog>
  )
}
