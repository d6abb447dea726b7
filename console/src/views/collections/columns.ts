// The columns of each entity on the board: its attributes, and how wide they are.

import type { Entity } from '../../api/collections'
import { typeOf, valueText } from '../../ui/item-value'
import type { BoardItem, Source } from './item-store'

export interface Column {
  name: string
  width: number
  is_numeric: boolean
}

const kMaxColumns = 100
const kLeastWidth = 56
const kGreatestWidth = 300
const kCharacterWidth = 7.3
const kPadding = 20
/** The first column has the edge in the colour of its entity, too. */
const kEdge = 12
/** Widths are settled after so many items, so that columns do not move while a reader scrolls. */
const kSettledItems = 40

/** Columns grow with the items that are seen. One for each table, index or list. */
export class EntityColumns {
  private readonly columns = new Map<number, { all: Map<string, Column>; seen: number }>()

  constructor(private readonly source: Source) {}

  /** Returns the columns, of which the first ones are the RANGE attributes. */
  of(entity: Entity | undefined): Column[] {
    return [...this.stateOf(entity).all.values()]
  }

  add(item: BoardItem): void {
    const state = this.stateOf(item.entity)
    ++state.seen
    for (const values of item.left_out ? [item.item, item.left_out] : [item.item]) {
      for (const [name, value] of Object.entries(values)) {
        if (this.source.hash_names.includes(name)) continue
        let column = state.all.get(name)
        if (!column) {
          if (state.all.size >= kMaxColumns) continue
          column = newColumn(name)
          state.all.set(name, column)
        }
        if (state.seen > kSettledItems) continue
        const edge = name === this.source.range_names[0] ? kEdge : 0
        column.width = Math.max(column.width, widthOf(valueText(value, 60)) + edge)
        if (typeOf(value) !== 'N') column.is_numeric = false
      }
    }
  }

  private stateOf(entity: Entity | undefined) {
    const id = entity?.entity ?? -1
    let state = this.columns.get(id)
    if (!state) {
      state = { all: new Map(), seen: 0 }
      for (const name of this.source.range_names) state.all.set(name, { ...newColumn(name), width: Math.max(newColumn(name).width, 150), is_numeric: false })
      for (const name of entity?.attributes ?? []) {
        if (!this.source.hash_names.includes(name) && !state.all.has(name)) state.all.set(name, newColumn(name))
      }
      this.columns.set(id, state)
    }
    return state
  }
}

function newColumn(name: string): Column {
  return { name, width: widthOf(name), is_numeric: true }
}

function widthOf(text: string): number {
  return Math.round(Math.min(kGreatestWidth, Math.max(kLeastWidth, text.length * kCharacterWidth + kPadding)))
}
