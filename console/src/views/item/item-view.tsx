// One item: its attributes as a tree or as JSON, changed under the condition that the item is still as it
// was read, and its places in the table and in the indexes.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CallError } from '../../api/answer'
import { fetchPlaces } from '../../api/collections'
import type { Places } from '../../api/control-types'
import { call } from '../../api/dynamodb'
import type { Item, Key } from '../../api/values'
import { useShortcut } from '../../frame/keyboard'
import { go, hrefOf, route, type Place } from '../../frame/routes'
import { differenceRows, differenceText } from '../../model/difference'
import { isKeyAttribute, keyOf, planOf, type TablePlan } from '../../model/tables'
import { itemOfTree, makeNode, problems as problemsOf, treeOf, type TreeNode } from '../../model/tree'
import { parseItem, printItem, type ItemFormat } from '../../model/values'
import { rebased } from '../../model/writes'
import { returns } from '../../state/connection'
import { is_read_only } from '../../state/server'
import { table as described_table } from '../../state/tables'
import { Button } from '../../ui/button'
import { confirmAction } from '../../ui/dialog'
import { ErrorNotice } from '../../ui/error-notice'
import { keyText } from '../../ui/item-value'
import { Tabs } from '../../ui/tabs'
import { toast } from '../../ui/toast'
import { Difference } from '../changes/difference'
import { ItemTree } from './item-tree'
import { PlacesOfItem } from './places'
import { UndoButton } from './undo'
import { undone, writeItem } from './writes'

type Mode = 'tree' | ItemFormat

const kUnansweredWrite = 'The change got no answer, so it may be written or not. Sent again, it is written only if the item is still as it was read.'

/** Changes that were not written when the item was left, by its place and key. They are there again when the item is. */
const kept_changes = new Map<string, { seen: Item; item: Item }>()

export function ItemView({ place }: { place: Place }) {
  const description = described_table.value
  const table = useMemo(() => (description ? planOf(description) : undefined), [description])
  const key_text = route.value.parameters.get('key') ?? ''
  if (!table || table.name !== place.table) return <p class="muted">Reading the table…</p>
  return <ItemOfKey key={JSON.stringify([place, key_text])} place={place} table={table} key_text={key_text} />
}

interface Read {
  state: 'reading' | 'there' | 'absent' | 'failed'
  /** The item as it was seen; undefined for a new one. */
  seen?: Item
  places?: Places
  error?: CallError
}

async function readItem(place: Place, key: Key): Promise<Read> {
  const told = await fetchPlaces(place, key)
  if (told.ok) return { state: 'there', seen: told.value.item, places: told.value }
  const got = await call<{ Item?: Item }>(place, 'GetItem', { TableName: place.table, Key: key, ConsistentRead: true })
  if (!got.ok) return { state: 'failed', error: got.error }
  return got.value.Item ? { state: 'there', seen: got.value.Item } : { state: 'absent' }
}

/** Returns the tree of a new item: the table's key attributes, with the values of `key` where there are any. */
function newTree(table: TablePlan, key: Key): TreeNode {
  const attributes = [...table.table.hash, ...table.table.range]
  return makeNode('M', '', '', attributes.map(({ name, type }) => makeNode(type, name, Object.hasOwn(key, name) ? String(Object.values(key[name]!)[0]) : '')))
}

function ItemOfKey({ place, table, key_text }: { place: Place; table: TablePlan; key_text: string }) {
  const { key, key_problem } = useMemo((): { key: Key; key_problem?: string } => {
    try {
      return { key: key_text === '' ? {} : parseItem(key_text, 'dynamodb') as Key }
    } catch (error) {
      return { key: {}, key_problem: (error as Error).message }
    }
  }, [key_text])
  const is_new = key_text === ''
  const name = JSON.stringify([place, key_text])
  const [read, setRead] = useState<Read>({ state: is_new ? 'absent' : 'reading' })
  const [mode, setMode] = useState<Mode>('tree')
  const [tree, setTree] = useState<TreeNode>(() => newTree(table, key))
  const [text, setText] = useState('')
  const [conflict, setConflict] = useState<{ present?: Item } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [is_busy, setBusy] = useState(false)
  const unwritten = useRef<{ seen: Item; item: Item } | undefined>(undefined)
  const is_written = useRef(false)

  const show = (item: Item, next_mode: Mode = mode) => {
    setTree(treeOf(item))
    if (next_mode !== 'tree') setText(printItem(item, next_mode))
  }
  const load = async () => {
    setConflict(null)
    setProblem(null)
    is_written.current = false
    const found = await readItem(place, key)
    setRead(found)
    if (!found.seen) return
    const kept = kept_changes.get(name)
    kept_changes.delete(name)
    show(kept ? rebased(kept.seen, kept.item, found.seen) : found.seen)
  }
  const { seen } = read
  const tree_problems = mode === 'tree' ? problemsOf(tree) : new Map<number, string>()
  const draft = useMemo((): { item?: Item; problem?: string } => {
    if (mode === 'tree') return tree_problems.size > 0 ? { problem: 'Some values are not right yet.' } : { item: itemOfTree(tree) }
    try {
      return { item: parseItem(text, mode, seen) }
    } catch (error) {
      return { problem: (error as Error).message }
    }
  }, [mode, tree, text, seen])
  const key_names = [...table.table.hash, ...table.table.range].map(({ name }) => name)
  const rows = draft.item ? differenceRows(seen, draft.item, key_names).filter((row) => row.kind !== 'same') : []
  const can_write = !is_read_only.value
  const can_save = can_write && draft.item !== undefined && rows.length > 0 && !is_busy && read.state !== 'reading'

  unwritten.current = seen && draft.item && rows.length > 0 ? { seen, item: draft.item } : undefined
  useEffect(() => () => {
    if (unwritten.current && !is_written.current) kept_changes.set(name, unwritten.current)
  }, [])

  // After an undo, and when the server is back, the item is read again, unless the reader is editing it.
  useEffect(() => {
    if (!is_new && !key_problem && (read.state === 'reading' || read.state === 'failed' || rows.length === 0)) void load()
  }, [key_text, undone.value, returns.value])

  const changeMode = (next: Mode) => {
    if (next === mode) return
    if (mode !== 'tree' && !draft.item) return setProblem(`Mend the text first: ${draft.problem}`)
    setProblem(null)
    const item = draft.item ?? itemOfTree(tree)
    setMode(next)
    show(item, next)
  }
  const finish = (saved: Item | undefined) => {
    if (saved === undefined) return go({ view: 'query' })
    const saved_key = JSON.stringify(keyOf(table, saved))
    if (saved_key !== JSON.stringify(keyOf(table, key))) go({ view: 'item', parameters: { key: saved_key } }, { replace: true })
    else void load()
  }
  const write = async (before: Item | undefined, after: Item | undefined) => {
    setBusy(true)
    const outcome = await writeItem(place, table, { ...(before && { before }), ...(after && { after }) })
    setBusy(false)
    setConflict(null)
    setProblem(null)
    is_written.current = outcome.ok
    if (outcome.ok) return finish(outcome.change.after)
    if (outcome.is_conflict) setConflict({ ...(outcome.present && { present: outcome.present }) })
    else setProblem(outcome.error.type === 'Unreachable' ? kUnansweredWrite : outcome.error.message)
  }
  const save = () => can_save && void write(seen, draft.item)
  const remove = async () => {
    const is_confirmed = await confirmAction({
      title: 'Delete the item?', text: `${keyText(keyOf(table, seen!))} is deleted if it is still as it was read. Undo writes it back.`, action: 'Delete the item'
    })
    if (is_confirmed) void write(seen, undefined)
  }
  const duplicate = () => {
    setRead({ state: 'absent' })
    toast('This is a copy that is not written yet: give it another key.')
    focusEditor()
  }
  useShortcut('e', 'Edit the item', focusEditor)
  useShortcut('mod+Enter', 'Save the item', save)

  if (key_problem) return <p class="notice notice-error" role="alert">The URL has no key of an item: {key_problem}</p>
  if (read.state === 'reading') return <p class="muted">Reading the item…</p>
  if (read.state === 'failed') return <ErrorNotice error={read.error}><Button kind="quiet" onClick={() => void load()}>Try again</Button></ErrorNotice>
  return (
    <div class="item">
      <header class="toolbar">
        <h2 class="item-title">{seen ? keyText(keyOf(table, seen), 80) : 'New item'}</h2>
        {rows.length > 0 && seen && <span class="muted">{differenceText(rows)}, not written</span>}
        <span class="toolbar-space" />
        <UndoButton />
        {can_write && seen && <Button kind="quiet" onClick={duplicate}>Duplicate</Button>}
        {can_write && seen && <Button kind="danger" disabled={is_busy} onClick={() => void remove()}>Delete the item</Button>}
        {can_write && seen && (rows.length > 0 || draft.problem) && <Button onClick={() => show(seen)}>Discard the changes</Button>}
        {can_write && <Button kind="main" disabled={!can_save} title="Ctrl+Enter" onClick={save}>{seen ? 'Save the changes' : 'Put the item'}</Button>}
      </header>
      {!seen && !is_new && <p class="notice">There is no item with this key{can_write && ': it can be put here'}.</p>}
      {problem && <p class="notice notice-error" role="alert">{problem}</p>}
      {conflict && (
        <div class="notice notice-warning scan-notice" role="alert">
          <p>
            <strong>Not written.</strong> {seen
              ? conflict.present ? 'Somebody changed the item after it was read:' : 'Somebody deleted the item, or its new key is taken.'
              : 'There is an item with this key already.'}
          </p>
          {seen && conflict.present && <Difference old={seen} next={conflict.present} first={key_names} only_changes />}
          <p class="query-run">
            {conflict.present && seen && draft.item && (
              <Button
                onClick={() => {
                  show(rebased(seen, draft.item!, conflict.present!))
                  setRead({ ...read, seen: conflict.present! })
                  setConflict(null)
                }}
              >
                Put my changes onto the present item
              </Button>
            )}
            {!is_new && <Button onClick={() => void load()}>Read the present item</Button>}
          </p>
        </div>
      )}
      <div class="item-body">
        <section class="item-editor" aria-label="The item">
          <Tabs
            label="Form of the item" chosen={mode} onChoose={changeMode}
            tabs={[{ name: 'tree', title: 'Tree' }, { name: 'plain', title: 'JSON' }, { name: 'dynamodb', title: 'DynamoDB JSON' }]}
          />
          {mode === 'tree' ? (
            <ItemTree root={tree} onChange={setTree} problems={tree_problems} key_names={new Set(seen ? key_names : [])} is_read_only={!can_write} />
          ) : (
            <>
              <textarea
                class="input mono item-text" aria-label="The item as JSON" value={text} spellcheck={false} readOnly={!can_write}
                aria-invalid={draft.problem ? true : undefined} onInput={(event) => setText(event.currentTarget.value)}
              />
              {draft.problem && <p class="field-note field-error">{draft.problem}</p>}
              {mode === 'plain' && <p class="field-note">Sets and binary keep their types as long as the values allow it; a new list is a list, a new string a string.</p>}
            </>
          )}
        </section>
        <aside class="item-side">
          {rows.length > 0 && seen && (
            <section>
              <h3>What is written</h3>
              <Difference old={seen} next={draft.item} first={key_names} only_changes />
              <p class="field-note">
                {rows.some((row) => isKeyAttribute(table.table, row.path))
                  ? 'The key changes: one transaction puts the new item and deletes the old one.'
                  : 'Only these attributes are written, if all others are still as they were read.'}
              </p>
            </section>
          )}
          {seen && <PlacesOfItem places={read.places} />}
          {seen && <p><a href={hrefOf({ view: 'query', parameters: { key: JSON.stringify(keyOf(table, seen)) } })}>Query this key</a></p>}
        </aside>
      </div>
    </div>
  )
}

function focusEditor(): void {
  document.querySelector<HTMLElement>('.tree-value :is(input, textarea, select):not([readonly]), .item-text')?.focus()
}
