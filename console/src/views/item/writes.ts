// The writes of the console, and what undoes them. Every write has the condition that the item is as the
// reader saw it; the before-images are kept as long as the page is open.

import { signal } from '@preact/signals'
import type { CallError } from '../../api/answer'
import { call } from '../../api/dynamodb'
import type { Item } from '../../api/values'
import type { Place } from '../../frame/routes'
import { keyOf, type TablePlan } from '../../model/tables'
import { areItemsEqual } from '../../model/values'
import { changeThatHappened, reversed, writeOf, type Change } from '../../model/writes'
import { countOf } from '../../ui/figures'
import { keyText } from '../../ui/item-value'
import { toast } from '../../ui/toast'

/** What one click wrote. */
export interface DoneWrite {
  id: number
  place: Place
  table: TablePlan
  /** "Deleted 3 items". */
  text: string
  changes: Change[]
  epoch_ms: number
}

const kMaxDone = 50
const kParallel = 6

/** The latest ones first. */
export const done_writes = signal<readonly DoneWrite[]>([])
let last_id = 0

export type WriteOutcome =
  | { ok: true; change: Change; uncompared: number }
  /** `present` is the item as it is now, where the write was refused because the item changed. */
  | { ok: false; error: CallError; is_conflict: boolean; present?: Item }

/** Makes one change under its condition. A change that changes nothing is done. */
export async function applyChange(place: Place, table: TablePlan, change: Change): Promise<WriteOutcome> {
  const request = writeOf(table, change)
  if (!request) return { ok: true, change, uncompared: 0 }
  const answer = await call<{ Attributes?: Item }>(place, request.operation, request.input)
  if (answer.ok) {
    return { ok: true, change: changeThatHappened(change, request.operation, answer.value.Attributes), uncompared: request.uncompared }
  }
  const { error } = answer
  const body = error.body as { Item?: Item } | undefined
  const is_conflict = error.type === 'ConditionalCheckFailedException'
    || (error.type === 'TransactionCanceledException' && error.message.includes('ConditionalCheckFailed'))
  return { ok: false, error, is_conflict, ...(body?.Item && { present: body.Item }) }
}

function note(place: Place, table: TablePlan, text: string, changes: Change[]): DoneWrite {
  last_id += 1
  const done: DoneWrite = { id: last_id, place, table, text, changes, epoch_ms: Date.now() }
  done_writes.value = [done, ...done_writes.peek()].slice(0, kMaxDone)
  return done
}

/** Makes one change, and offers to undo it. */
export async function writeItem(place: Place, table: TablePlan, change: Change): Promise<WriteOutcome> {
  const outcome = await applyChange(place, table, change)
  if (!outcome.ok) return outcome
  const item = (change.after ?? change.before)!
  const verb = !change.before ? 'Put' : !change.after ? 'Deleted' : 'Changed'
  announce(note(place, table, `${verb} ${keyText(keyOf(table, item), 60)}`, [outcome.change]), outcome.change, change)
  if (outcome.uncompared > 0) {
    toast(`The item has more attributes than a condition can compare: ${countOf(outcome.uncompared, 'attribute')} that did not change were not compared.`)
  }
  return outcome
}

function announce(done: DoneWrite, happened: Change, wanted: Change): void {
  const had_more = wanted.before && happened.before && !areItemsEqual(happened.before, wanted.before)
  const more = had_more ? '. Somebody had added attributes that were not seen; undo brings them back, too' : ''
  toast(`${done.text}${more}.`, { action: { label: 'Undo', run: () => void undoWrite(done) } })
}

/** Deletes items that are as they were read. Returns those that were deleted. */
export async function deleteItems(place: Place, table: TablePlan, items: readonly Item[]): Promise<Item[]> {
  const { done, failed, changed } = await applyAll(place, table, items.map((before) => ({ before })))
  if (done.length > 0) {
    const write = note(place, table, `Deleted ${countOf(done.length, 'item')}`, done.map((each) => each.happened))
    toast(`${write.text}.`, { action: { label: 'Undo', run: () => void undoWrite(write) } })
  }
  if (changed > 0) toast(`${countOf(changed, 'item')} changed since the read, and stayed.`, { kind: 'error' })
  if (failed) toast(`${countOf(items.length - done.length - changed, 'item')} stayed: ${failed.message}`, { kind: 'error' })
  return done.map((each) => each.wanted.before!)
}

/** Writes the before-images of a write back, each if nobody has changed the item since. */
export async function undoWrite(write: DoneWrite): Promise<void> {
  if (!done_writes.peek().includes(write)) return
  const { done, failed, changed, left } = await applyAll(write.place, write.table, write.changes.map(reversed))
  done_writes.value = done_writes.peek().flatMap((each) =>
    each !== write ? [each] : left.length > 0 ? [{ ...each, changes: left.map(reversed) }] : [])
  undone.value += 1
  if (done.length > 0) toast(`Undone: ${write.text}${left.length > 0 ? `, ${done.length} of ${write.changes.length}` : ''}.`)
  if (changed > 0) toast(`${countOf(changed, 'item')} changed since the write, and stayed as they are now.`, { kind: 'error' })
  if (failed) toast(`Not undone: ${failed.message}`, { kind: 'error' })
}

/** Grows with every undo, so that a view reads its item again. */
export const undone = signal(0)

interface Applied {
  done: { wanted: Change; happened: Change }[]
  /** Changes that were not made. */
  left: Change[]
  /** How many of them were refused because an item changed. */
  changed: number
  /** The error that ended the work. */
  failed?: CallError
}

// An error other than a changed item, such as a server that stopped, ends the work: what is left stays as it is.
async function applyAll(place: Place, table: TablePlan, changes: readonly Change[]): Promise<Applied> {
  const applied: Applied = { done: [], left: [], changed: 0 }
  let next = 0
  const work = async () => {
    while (next < changes.length) {
      const wanted = changes[next++]!
      if (applied.failed) {
        applied.left.push(wanted)
        continue
      }
      const outcome = await applyChange(place, table, wanted)
      if (outcome.ok) {
        applied.done.push({ wanted, happened: outcome.change })
        continue
      }
      applied.left.push(wanted)
      if (outcome.is_conflict) applied.changed += 1
      else applied.failed = outcome.error
    }
  }
  await Promise.all(Array.from({ length: kParallel }, work))
  return applied
}
