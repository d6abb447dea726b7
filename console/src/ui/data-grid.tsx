// A table of many rows. Only the rows in sight are in the page, so that a million rows cost as much
// as thirty; every row has the same height.
//
// The grid is one stop for Tab. ↑ ↓ PageUp PageDown Home End move the active row, ← → scroll,
// Enter opens the row, Space selects it where rows can be selected, and Shift+↑ ↓ selects many. Where
// rows can be sorted, ↑ from the first row leads to the heads: ← → choose one, and Enter sorts by it.

import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface GridColumn<Row> {
  /** Unique in the grid. */
  name: string
  title: ComponentChildren
  /** In pixels; 160 unless set. */
  width?: number
  cell: (row: Row, index: number) => ComponentChildren
  is_numeric?: boolean
  /** The column stays at the left edge; only the first ones may. */
  is_sticky?: boolean
}

/** A column by which the rows are sorted. */
export interface GridSort {
  column: string
  is_descending: boolean
}

export interface DataGridProps<Row> {
  /** For screen readers: what the rows are. */
  label: string
  columns: readonly GridColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row, index: number) => string
  onOpen?: (row: Row, index: number) => void
  /** Rows can be selected when it is there; `selected` has their keys. */
  selection?: { selected: ReadonlySet<string>; onChange: (selected: ReadonlySet<string>) => void }
  /** The rows can be sorted when it is there: `rows` are in the order of `by`; null: in their own. */
  sorting?: { by: GridSort | null; onSort: (column: string) => void }
  /** Called when the reader comes near the last row, so that more rows can be fetched. */
  onNearEnd?: () => void
  /** How many rows there are in all, where more can be fetched. */
  total?: number
  /** Shown in place of rows when there are none. */
  empty?: ComponentChildren
  row_height?: number
  /** Another class of a row: for a row that is greyed out. */
  rowClass?: (row: Row, index: number) => string | undefined
}

/** Whether columns have the room of a phone only. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 640px)').matches
}

const kColumnWidth = 160
const kCheckWidth = 34
const kRowsAround = 8
/** The active "row" while a head is active. */
const kHeads = -1

/** Returns the first row to draw and the one behind the last. */
export function rowsInSight(scroll_top: number, height: number, row_height: number, count: number): { from: number; to: number } {
  const from = Math.max(0, Math.floor(scroll_top / row_height) - kRowsAround)
  const to = Math.min(count, Math.ceil((scroll_top + height) / row_height) + kRowsAround)
  return { from: Math.min(from, to), to }
}

export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { rows, columns, selection, sorting, row_height = 26 } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [sight, setSight] = useState({ top: 0, height: 600, goes_on: false })
  const [active, setActive] = useState(0)
  const [active_head, setActiveHead] = useState(0)
  const anchor = useRef(0)

  const measure = () => {
    const element = scroller.current
    if (element) setSight({ top: element.scrollTop, height: element.clientHeight, goes_on: element.scrollLeft + element.clientWidth < element.scrollWidth - 1 })
  }
  useLayoutEffect(() => {
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(scroller.current!)
    return () => observer.disconnect()
  }, [])

  const { from, to } = rowsInSight(sight.top, sight.height - row_height, row_height, rows.length)
  useEffect(() => {
    if (to >= rows.length - kRowsAround) props.onNearEnd?.()
  }, [to, rows.length])

  const widths = [...(selection ? [kCheckWidth] : []), ...columns.map((column) => column.width ?? kColumnWidth)]
  const template = `${widths.map((width) => `${width}px`).join(' ')} minmax(0, 1fr)`
  const width = widths.reduce((sum, each) => sum + each, 0)

  const activate = (index: number) => {
    if (index < 0 && sorting && active <= 0) return setActive(kHeads)
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setActive(next)
    const element = scroller.current
    if (!element) return
    const top = next * row_height
    if (top < element.scrollTop) element.scrollTop = top
    if (top + 2 * row_height > element.scrollTop + element.clientHeight) element.scrollTop = top + 2 * row_height - element.clientHeight
  }
  const keyAt = (index: number) => props.keyOf(rows[index]!, index)
  const toggle = (index: number) => {
    const selected = new Set(selection!.selected)
    const key = keyAt(index)
    if (!selected.delete(key)) selected.add(key)
    anchor.current = index
    selection!.onChange(selected)
  }
  const selectTo = (index: number) => {
    const selected = new Set(selection!.selected)
    for (let i = Math.min(anchor.current, index); i <= Math.max(anchor.current, index); ++i) selected.add(keyAt(i))
    selection!.onChange(selected)
  }
  // Returns whether the key does something at a head.
  const onHeadKey = ({ key }: KeyboardEvent) => {
    if (key === 'Enter' || key === ' ') sorting!.onSort(columns[active_head]!.name)
    else if (key === 'ArrowRight' || key === 'ArrowLeft') activateHead(active_head + (key === 'ArrowRight' ? 1 : -1))
    else return false
    return true
  }
  const activateHead = (at: number) => {
    const next = Math.max(0, Math.min(columns.length - 1, at))
    setActiveHead(next)
    document.getElementById(`${id}-head-${next}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current || event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor(sight.height / row_height) - 2)
    const moves: Record<string, number> = {
      ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: rows.length - 1
    }
    const to_row = moves[event.key]
    if (rows.length === 0) return
    if (active === kHeads && onHeadKey(event)) return event.preventDefault()
    if (to_row !== undefined) {
      activate(to_row)
      if (event.shiftKey && selection) selectTo(Math.max(0, Math.min(rows.length - 1, to_row)))
      else anchor.current = to_row
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      scroller.current!.scrollLeft += event.key === 'ArrowRight' ? kColumnWidth : -kColumnWidth
    } else if (event.key === 'Enter' && props.onOpen) {
      props.onOpen(rows[active]!, active)
    } else if (event.key === ' ' && selection) {
      toggle(active)
    } else {
      return
    }
    event.preventDefault()
  }

  const stickyLefts = stickyOffsets(columns, selection ? kCheckWidth : 0)
  const allSelected = selection !== undefined && rows.length > 0 && rows.every((row, i) => selection.selected.has(props.keyOf(row, i)))
  return (
    <div
      ref={scroller}
      class={`grid${sight.goes_on ? ' grid-goes-on' : ''}`}
      role="grid"
      aria-label={props.label}
      aria-rowcount={(props.total ?? rows.length) + 1}
      aria-colcount={columns.length + (selection ? 1 : 0)}
      aria-multiselectable={selection ? true : undefined}
      aria-activedescendant={active === kHeads ? `${id}-head-${active_head}` : rows.length > 0 && active >= from && active < to ? `${id}-${active}` : undefined}
      tabIndex={0}
      onScroll={measure}
      onKeyDown={onKeyDown}
      style={{ '--grid-columns': template, '--grid-width': `${width}px`, '--grid-row': `${row_height}px` }}
    >
      <div class="grid-head" role="row" aria-rowindex={1}>
        {selection && (
          <div class="grid-cell grid-check grid-sticky" role="columnheader">
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label="Select all rows that are loaded"
              checked={allSelected}
              onChange={() => selection.onChange(new Set(allSelected ? [] : rows.map((row, i) => props.keyOf(row, i))))}
            />
          </div>
        )}
        {columns.map((column, i) => (
          <div
            key={column.name}
            id={`${id}-head-${i}`}
            class={`${cellClass(column)}${active === kHeads && i === active_head ? ' grid-active-head' : ''}`}
            role="columnheader"
            aria-sort={sorting && ariaSort(sorting.by, column.name)}
            style={stickyStyle(stickyLefts[i])}
          >
            {sorting ? (
              <button type="button" class="grid-sort" tabIndex={-1} title="Sort the rows that are loaded" onClick={() => sorting.onSort(column.name)}>
                {column.title}{sorting.by?.column === column.name && <span aria-hidden="true">{sorting.by.is_descending ? ' ▼' : ' ▲'}</span>}
              </button>
            ) : column.title}
          </div>
        ))}
      </div>
      {rows.length === 0 && props.empty && (
        <div role="row" class="grid-empty"><div role="gridcell">{props.empty}</div></div>
      )}
      <div class="grid-space" role="presentation" style={{ height: `${from * row_height}px` }} />
      {rows.slice(from, to).map((row, i) => {
        const index = from + i
        const key = props.keyOf(row, index)
        const is_selected = selection?.selected.has(key)
        return (
          <div
            key={key}
            id={`${id}-${index}`}
            class={`grid-row${index === active ? ' grid-active' : ''} ${props.rowClass?.(row, index) ?? ''}`}
            role="row"
            aria-rowindex={index + 2}
            aria-selected={selection ? is_selected : undefined}
            onClick={(event) => {
              setActive(index)
              if ((event.target as HTMLElement).closest('a,button,input')) return
              if (selection && event.shiftKey) selectTo(index)
              else props.onOpen?.(row, index)
            }}
          >
            {selection && (
              <div class="grid-cell grid-check grid-sticky" role="gridcell">
                <input type="checkbox" tabIndex={-1} aria-label={`Select row ${index + 1}`} checked={is_selected} onChange={() => toggle(index)} />
              </div>
            )}
            {columns.map((column, c) => (
              <div key={column.name} class={cellClass(column)} role="gridcell" style={stickyStyle(stickyLefts[c])}>{column.cell(row, index)}</div>
            ))}
          </div>
        )
      })}
      <div class="grid-space" role="presentation" style={{ height: `${(rows.length - to) * row_height}px` }} />
    </div>
  )
}

function ariaSort(by: GridSort | null, column: string): 'ascending' | 'descending' | 'none' {
  if (by?.column !== column) return 'none'
  return by.is_descending ? 'descending' : 'ascending'
}

function cellClass<Row>(column: GridColumn<Row>): string {
  return `grid-cell${column.is_numeric ? ' grid-number' : ''}${column.is_sticky ? ' grid-sticky' : ''}`
}

function stickyOffsets<Row>(columns: readonly GridColumn<Row>[], from: number): (number | undefined)[] {
  let left = from
  return columns.map((column) => {
    if (!column.is_sticky) return undefined
    const at = left
    left += column.width ?? kColumnWidth
    return at
  })
}

function stickyStyle(left: number | undefined) {
  return left === undefined ? undefined : { left: `${left}px` }
}
