// What differs between two images of an item, as rows that stand side by side. Pure functions.

import { printPath, type Path } from './paths'
import { attributeOf, typeOf, type AttributeValue, type Item } from '../api/values'
import { areEqual } from './values'

export type DifferenceKind = 'same' | 'added' | 'removed' | 'changed'

export interface DifferenceRow {
  /** "address.lines[0]"; see paths.ts. */
  path: string
  kind: DifferenceKind
  old?: AttributeValue
  new?: AttributeValue
}

/**
 * Returns a row for each attribute, names ascending, `first` (the keys) at the beginning. Maps and lists that are on both sides and
 * differ are replaced by the rows of their members, so that a row shows the least that differs.
 */
export function differenceRows(old: Item | undefined, next: Item | undefined, first: readonly string[] = []): DifferenceRow[] {
  const rows: DifferenceRow[] = []
  const visit = (path: Path, a: AttributeValue | undefined, b: AttributeValue | undefined) => {
    if (a && b && !areEqual(a, b) && typeOf(a) === typeOf(b)) {
      if ('M' in a && 'M' in b) return members(path, a.M, b.M)
      if ('L' in a && 'L' in b) {
        for (let at = 0; at < Math.max(a.L.length, b.L.length); at += 1) visit([...path, at], a.L[at], b.L[at])
        return
      }
    }
    const kind = !a ? 'added' : !b ? 'removed' : areEqual(a, b) ? 'same' : 'changed'
    rows.push({ path: printPath(path), kind, ...(a && { old: a }), ...(b && { new: b }) })
  }
  const members = (path: Path, a: Item, b: Item, ahead: readonly string[] = []) => {
    const others = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !ahead.includes(name)).sort()
    for (const name of [...ahead, ...others]) {
      const [left, right] = [attributeOf(a, name), attributeOf(b, name)]
      if (left || right) visit([...path, name], left, right)
    }
  }
  members([], old ?? {}, next ?? {}, first)
  return rows
}

/** Returns a sentence such as "2 changed, 1 added"; "" when nothing differs. */
export function differenceText(rows: readonly DifferenceRow[]): string {
  return (['changed', 'added', 'removed'] as const)
    .map((kind) => ({ kind, count: rows.filter((row) => row.kind === kind).length }))
    .filter(({ count }) => count > 0).map(({ kind, count }) => `${count} ${kind}`).join(', ')
}
