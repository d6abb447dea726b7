// The columns of each entity on the board: its attributes, and how wide they are.

import type { KeyEntity } from '../../api/control-types'
import { typeOf } from '../../api/values'
import { valueText } from '../../ui/item-value'
import type { BoardItem, Source } from './item-store'

export interface Column {
  name: string
  width: number
  is_numeric: boolean
  /** How many values were measured. */
  measured: number
}

const kMaxColumns = 100
const kLeastWidth = 56
const kLeastFirstWidth = 130
const kGreatestWidth = 300
const kCharacterWidth = 7.3
const kPadding = 20
/** The first column has the edge in the colour of its entity, too. */
const kEdge = 12
/** A width is settled after so many values, so that columns do not move while a reader scrolls. */
const kSettledValues = 40

/** Columns grow with the items that are seen. One for each table, index or list. */
export class EntityColumns {
  private readonly columns = new Map<number, Map<string, Column>>()
  /** Changes whenever a column came or another width did. */
  version = 0

  private readonly added = new WeakSet<BoardItem>()

  constructor(private readonly source: Source) {}

  /** Returns the columns, of which the first ones are the RANGE attributes. */
  of(entity: KeyEntity | undefined): Column[] {
    return [...this.columnsOf(entity).values()]
  }

  add(item: BoardItem): void {
    if (this.added.has(item)) return
    this.added.add(item)
    const all = this.columnsOf(item.entity)
    for (const values of item.left_out ? [item.item, item.left_out] : [item.item]) {
      for (const [name, value] of Object.entries(values)) {
        if (this.source.hash_names.includes(name)) continue
        let column = all.get(name)
        if (!column) {
          if (all.size >= kMaxColumns) continue
          column = newColumn(name)
          all.set(name, column)
          ++this.version
        }
        if (column.measured >= kSettledValues) continue
        ++column.measured
        const edge = name === this.source.range_names[0] ? kEdge : 0
        const width = Math.max(column.width, widthOf(valueText(value, 60)) + edge)
        const is_numeric = column.is_numeric && typeOf(value) === 'N'
        if (width !== column.width || is_numeric !== column.is_numeric) ++this.version
        Object.assign(column, { width, is_numeric })
      }
    }
  }

  private columnsOf(entity: KeyEntity | undefined): Map<string, Column> {
    const id = entity?.entity ?? -1
    let all = this.columns.get(id)
    if (!all) {
      all = new Map()
      for (const name of this.source.range_names) all.set(name, { ...newColumn(name), width: Math.max(newColumn(name).width, kLeastFirstWidth), is_numeric: false })
      for (const name of entity?.attributes ?? []) {
        if (!this.source.hash_names.includes(name) && !all.has(name)) all.set(name, newColumn(name))
      }
      this.columns.set(id, all)
    }
    return all
  }
}

function newColumn(name: string): Column {
  return { name, width: widthOf(name), is_numeric: true, measured: 0 }
}

/** Returns the width of a column for a text, in pixels. */
export function widthOf(text: string): number {
  return Math.round(Math.min(kGreatestWidth, Math.max(kLeastWidth, text.length * kCharacterWidth + kPadding)))
}
