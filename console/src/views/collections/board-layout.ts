// The board as lines: which lines a collection has, and where they stand. Pure.
//
//   ▾ PK  USER#ada                      head
//     SK          name    email         names    of the entity of the items below
//     PROFILE     Ada     ada@…         item
//     SK          total   status        names
//     ORDER#…     12.5    PAID          item
//     … 940 more                        more

import type { KeyEntity } from '../../api/control-types'
import type { Entry } from './collection-list'
import { kFirstItems, type BoardItem, type LoadedItems } from './item-store'

export type Line =
  | { kind: 'head' }
  | { kind: 'names'; entity: KeyEntity | undefined }
  | { kind: 'item'; item: BoardItem }
  | { kind: 'waiting' }
  | { kind: 'more'; text: string }
  | { kind: 'error'; text: string }

export const kHeadHeight = 34
/** Of a head with its entities in a line of their own, where one line has no room for them. */
export const kTallHeadHeight = 60
export const kLineHeight = 26

/** Returns the lines of a collection. Before its items are read, it has as many lines as they will need, as far as that is known. */
export function linesOf(entry: Entry, loaded: LoadedItems | undefined, is_folded: boolean): Line[] {
  const lines: Line[] = [{ kind: 'head' }]
  if (is_folded) return lines
  if (!loaded || (loaded.is_loading && loaded.items.length === 0)) {
    for (let i = 0; i < expectedLines(entry); ++i) lines.push({ kind: 'waiting' })
    return lines
  }
  let entity: KeyEntity | undefined
  loaded.items.forEach((item, i) => {
    if (i === 0 || item.entity !== entity) lines.push({ kind: 'names', entity: item.entity })
    entity = item.entity
    lines.push({ kind: 'item', item })
  })
  if (loaded.error) lines.push({ kind: 'error', text: loaded.error })
  else if (loaded.next) lines.push({ kind: 'more', text: moreText(entry, loaded) })
  return lines
}

function expectedLines(entry: Entry): number {
  const items = entry.items ?? kFirstItems
  const shown = Math.min(items, kFirstItems)
  const runs = Math.min(entry.entities?.length ?? 1, shown)
  return shown + Math.max(runs, 1) + (items > shown ? 1 : 0)
}

function moreText(entry: Entry, loaded: LoadedItems): string {
  if (loaded.is_loading) return 'Reading …'
  if (entry.items === undefined || entry.items <= loaded.items.length) return 'Show more items'
  return `Show more of ${(entry.items - loaded.items.length).toLocaleString('en')}${entry.has_more_items ? '+' : ''} items`
}

/** Where each collection begins, in pixels; the last element is the height of all. */
export function startsOf(lines: readonly (readonly Line[])[], head_height = kHeadHeight): number[] {
  const starts = [0]
  for (const each of lines) starts.push(starts.at(-1)! + heightOf(each.length, head_height))
  return starts
}

/** The height of a collection with so many lines, its head included. */
export function heightOf(line_count: number, head_height = kHeadHeight): number {
  return head_height + (line_count - 1) * kLineHeight
}

/** Returns the collection at a height: its index, from 0. */
export function entryAt(starts: readonly number[], y: number): number {
  let low = 0
  let high = starts.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= y) low = middle
    else high = middle - 1
  }
  return Math.max(low, 0)
}

/** A line: the index of its collection, and its own in the collection. */
export interface LinePosition {
  entry: number
  line: number
}

/** Returns the next line that a reader can stand on, `step` lines away; names and waiting lines are passed over. */
export function moveLine(lines: readonly (readonly Line[])[], from: LinePosition, step: number): LinePosition {
  let { entry, line } = from
  let last = from
  for (let left = Math.abs(step); left > 0; ) {
    line += Math.sign(step)
    if (line < 0) {
      --entry
      if (entry < 0) return last
      line = lines[entry]!.length - 1
    } else if (line >= (lines[entry]?.length ?? 0)) {
      ++entry
      if (entry >= lines.length) return last
      line = 0
    }
    const { kind } = lines[entry]![line]!
    if (kind !== 'names' && kind !== 'waiting' && kind !== 'error') {
      last = { entry, line }
      --left
    }
  }
  return last
}
