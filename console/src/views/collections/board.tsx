// The board: collections one below the other, the items of each in sort-key order under the names of
// their entity's attributes. Only the lines in sight are in the page.

import { useCallback, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useShortcut } from '../../frame/keyboard'
import type { KeyEntity } from '../../api/control-types'
import { entityName } from '../../model/template-choice'
import { countText } from '../../ui/figures'
import { DataText, ItemValue, keyText } from '../../ui/item-value'
import { memo } from '../../ui/memo'
import { AttributeCell } from './attribute-cell'
import { entryAt, heightOf, kHeadHeight, kLineHeight, kTallHeadHeight, linesOf, moveLine, startsOf, type Line, type LinePosition } from './board-layout'
import type { Entry } from './collection-list'
import type { EntityColumns } from './columns'
import { hueClass } from './entities'
import { EntityTag } from './entity-tag'
import type { BoardItem, ItemStore, LoadedItems, Source } from './item-store'
import { queryHref } from './query-link'

export interface BoardProps {
  entries: readonly Entry[]
  store: ItemStore
  columns: EntityColumns
  /** Collections whose items are not shown; with `is_inverse`, those whose items are. */
  folds: { ids: ReadonlySet<string>; is_inverse: boolean }
  onFold: (entry: Entry) => void
  onOpen: (item: BoardItem) => void
  /** The item that is open beside the board. */
  open_id: string
  /** The name of the entity that the reader looks for: other items are grey. "" for none. */
  only: string
  onNearEnd: () => void
  onEdit: (item: BoardItem) => void
}

const kAround = 160
// Below this width, the entities of a collection stand in a line of their own.
const kTallBelow = 560

export function Board(props: BoardProps) {
  const { entries, store, columns, folds } = props
  const { source } = store
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [sight, setSight] = useState({ top: 0, height: 700, width: 0 })
  const [active, setActive] = useState<LinePosition>({ entry: 0, line: 0 })
  const version = store.version.value

  const is_tall = sight.width > 0 && sight.width < kTallBelow
  const head_height = is_tall ? kTallHeadHeight : kHeadHeight
  const isFolded = (entry: Entry) => folds.ids.has(entry.id) !== folds.is_inverse
  const known_lines = useRef(new Map<Entry, { loaded: LoadedItems | undefined; is_folded: boolean; lines: Line[] }>())
  const { lines, starts } = useMemo(() => {
    // Of thousands of collections, few have other lines than before.
    const before = known_lines.current
    const now: typeof before = new Map()
    const all = entries.map((entry) => {
      const loaded = store.get(entry.id)
      const is_folded = isFolded(entry)
      let known = before.get(entry)
      if (!known || known.loaded !== loaded || known.is_folded !== is_folded) known = { loaded, is_folded, lines: linesOf(entry, loaded, is_folded) }
      now.set(entry, known)
      return known.lines
    })
    known_lines.current = now
    return { lines: all, starts: startsOf(all, head_height) }
  }, [entries, version, folds, head_height])

  const measure = () => {
    const element = scroller.current
    if (!element) return
    const { scrollTop: top, clientHeight: height, clientWidth: width } = element
    setSight((before) => (before.top === top && before.height === height && before.width === width ? before : { top, height, width }))
  }
  useLayoutEffect(() => {
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(scroller.current!)
    return () => observer.disconnect()
  }, [])

  // Another list begins at its top.
  useLayoutEffect(() => {
    if (sight.top > 0) scroller.current!.scrollTop = 0
    setActive((before) => (before.entry === 0 && before.line === 0 ? before : { entry: 0, line: 0 }))
  }, [entries[0]?.id])

  // What stands at the top stays there when items above it turn out to need other space.
  const anchor = useRef({ id: '', y: 0 })
  useLayoutEffect(() => {
    if (sight.top === 0) return
    const at = entries.findIndex((entry) => entry.id === anchor.current.id)
    if (at >= 0 && starts[at]! + anchor.current.y !== sight.top) scroller.current!.scrollTop = starts[at]! + anchor.current.y
  }, [starts])
  const first = entryAt(starts, sight.top)
  anchor.current = { id: entries[first]?.id ?? '', y: sight.top - (starts[first] ?? 0) }

  const from = entryAt(starts, Math.max(0, sight.top - kAround))
  const to = Math.min(entries.length, entryAt(starts, sight.top + sight.height + kAround) + 1)
  // Before the frame is drawn, so that the items are on their way meanwhile.
  useLayoutEffect(() => {
    store.want(entries.slice(from, to).filter((entry) => !isFolded(entry)))
    if (to >= entries.length - 5) props.onNearEnd()
  }, [entries, from, to, folds])

  const activate = (next: LinePosition) => {
    setActive(next)
    const element = scroller.current!
    const top = next.line === 0 ? starts[next.entry]! : starts[next.entry]! + heightOf(next.line, head_height)
    const height = next.line === 0 ? head_height : kLineHeight
    if (top - head_height < element.scrollTop) element.scrollTop = next.line === 0 ? top : top - head_height
    if (top + height > element.scrollTop + element.clientHeight) element.scrollTop = top + height - element.clientHeight
  }
  const act = (position: LinePosition) => {
    const entry = entries[position.entry]
    const line = lines[position.entry]?.[position.line]
    if (!entry || !line) return
    if (line.kind === 'head') props.onFold(entry)
    if (line.kind === 'item') props.onOpen(line.item)
    if (line.kind === 'more') store.more(entry)
  }
  // The lines keep one function, which always does what the latest state wants.
  const latest_act = useRef(act)
  latest_act.current = act
  const press = useCallback((position: LinePosition) => {
    setActive(position)
    latest_act.current(position)
  }, [])
  const activeLine = lines[active.entry]?.[active.line]
  useShortcut('e', 'Edit the item', () => activeLine?.kind === 'item' && props.onEdit(activeLine.item))
  useShortcut('q', 'Query the collection, or the items of the entity', () => {
    const entry = entries[active.entry]
    if (entry) location.hash = queryHref(source, { key: entry.key, entity: activeLine?.kind === 'item' ? activeLine.item.entity : undefined })
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current || event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor(sight.height / kLineHeight) - 3)
    const entry = entries[active.entry]
    const steps: Record<string, () => void> = {
      ArrowDown: () => activate(moveLine(lines, active, 1)),
      ArrowUp: () => activate(moveLine(lines, active, -1)),
      PageDown: () => activate(moveLine(lines, active, page)),
      PageUp: () => activate(moveLine(lines, active, -page)),
      Home: () => activate({ entry: 0, line: 0 }),
      End: () => activate({ entry: entries.length - 1, line: 0 }),
      n: () => activate({ entry: Math.min(active.entry + 1, entries.length - 1), line: 0 }),
      p: () => activate({ entry: active.line > 0 ? active.entry : Math.max(active.entry - 1, 0), line: 0 }),
      ArrowRight: () => (entry && isFolded(entry) ? props.onFold(entry) : (scroller.current!.scrollLeft += 120)),
      ArrowLeft: () => {
        if (scroller.current!.scrollLeft > 0) scroller.current!.scrollLeft -= 120
        else if (active.line > 0) activate({ entry: active.entry, line: 0 })
        else if (entry && !isFolded(entry)) props.onFold(entry)
      },
      Enter: () => act(active)
    }
    if (entries.length === 0 || !steps[event.key]) return
    event.preventDefault()
    steps[event.key]!()
  }

  const shown = entries.slice(from, to)
  for (const each of lines.slice(from, to)) for (const line of each) if (line.kind === 'item') columns.add(line.item)
  const pinned = entries[first]
  return (
    <div class={`board-frame${is_tall ? ' board-tall' : ''}`}>
      {pinned && sight.top > starts[first]! && !isFolded(pinned) && (
        <div class="board-pinned" aria-hidden="true" style={{ width: `${sight.width}px` }}>
          <HeadContent entry={pinned} loaded={store.get(pinned.id)} is_folded={false} board={props} />
        </div>
      )}
      <div
        ref={scroller}
        class="board"
        role="treegrid"
        aria-label={`Item collections of ${source.place.table}${source.index ? ` in ${source.index.IndexName}` : ''}`}
        aria-activedescendant={active.entry >= from && active.entry < to ? `${id}-${active.entry}-${active.line}` : undefined}
        tabIndex={0}
        onScroll={measure}
        onKeyDown={onKeyDown}
        style={{ '--board-width': `${sight.width}px` }}
      >
        <div class="board-lines" role="presentation">
          <div role="presentation" style={{ height: `${starts[from] ?? 0}px` }} />
          {shown.map((entry, i) => (
            // By its index, so that another list takes over the elements of the one before.
            <CollectionLines
              key={from + i}
              id={id}
              at={from + i}
              entry={entry}
              lines={lines[from + i]!}
              is_folded={isFolded(entry)}
              top={starts[from + i]!}
              head_height={head_height}
              sight={sight}
              active_line={active.entry === from + i ? active.line : -1}
              board={props}
              onPress={press}
            />
          ))}
          <div role="presentation" style={{ height: `${starts.at(-1)! - (starts[to] ?? 0)}px` }} />
        </div>
      </div>
    </div>
  )
}

interface CollectionLinesProps {
  id: string
  /** The index of the collection. */
  at: number
  entry: Entry
  lines: readonly Line[]
  is_folded: boolean
  top: number
  head_height: number
  sight: { top: number; height: number }
  active_line: number
  board: BoardProps
  onPress: (position: LinePosition) => void
}

// A long collection has many lines, of which only those in sight are drawn.
function CollectionLines({ id, at, entry, lines, is_folded, top, head_height, sight, active_line, board, onPress }: CollectionLinesProps) {
  const lineAt = (y: number) => Math.floor((y - top - head_height) / kLineHeight) + 1
  const from = Math.max(1, Math.min(lines.length, lineAt(sight.top - kAround)))
  const to = Math.max(from, Math.min(lines.length, lineAt(sight.top + sight.height + kAround) + 1))
  return (
    <>
      <div
        id={`${id}-${at}-0`}
        class={`board-head${active_line === 0 ? ' board-active' : ''}`}
        role="row"
        aria-level={1}
        aria-expanded={!is_folded}
        onClick={(event) => !(event.target as HTMLElement).closest('a') && onPress({ entry: at, line: 0 })}
      >
        <div role="gridcell" class="board-head-cell"><HeadContent entry={entry} loaded={board.store.get(entry.id)} is_folded={is_folded} board={board} /></div>
      </div>
      <div role="presentation" style={{ height: `${(from - 1) * kLineHeight}px` }} />
      {lines.slice(from, to).map((line, i) => (
        <BoardLine
          key={from + i}
          id={id}
          entry={at}
          number={from + i}
          line={line}
          is_active={active_line === from + i}
          is_other={board.only !== '' && line.kind === 'item' && (!line.item.entity || entityName(line.item.entity) !== board.only)}
          is_open={line.kind === 'item' && line.item.id === board.open_id}
          source={board.store.source}
          columns={board.columns}
          columns_version={board.columns.version}
          onPress={onPress}
        />
      ))}
      <div role="presentation" style={{ height: `${(lines.length - to) * kLineHeight}px` }} />
    </>
  )
}

function HeadContent({ entry, loaded, is_folded, board }: { entry: Entry; loaded: LoadedItems | undefined; is_folded: boolean; board: BoardProps }) {
  const { source } = board.store
  // Before the first items have come, their number is not 0 but unknown.
  const items = entry.items ?? (loaded?.is_loading && loaded.items.length === 0 ? undefined : loaded?.items.length)
  const is_more = entry.has_more_items || (entry.items === undefined && loaded?.next !== undefined)
  return (
    <>
      <span class="fold" aria-hidden="true">{is_folded ? '▸' : '▾'}</span>
      {Object.entries(entry.key).map(([name, value]) => (
        <span class="board-key" key={name}>
          <span class="board-key-name"><DataText text={name} max_length={40} /></span>
          <strong><ItemValue value={value} max_length={120} /></strong>
        </span>
      ))}
      <span class="board-count">{items !== undefined && `${countText(items)}${is_more ? '+' : ''} ${items === 1 ? 'item' : 'items'}`}</span>
      <span class="board-tags">
        {entry.entities?.map((count) => (
          <EntityLink key={count.entity} entry={entry} entity={entityNumbered(board, count.entity)} source={source} items={count.items} />
        ))}
      </span>
      <a class="board-query" tabIndex={-1} href={queryHref(source, { key: entry.key })}>Query</a>
      {entry.at !== undefined && <span class="board-at" title="The place among all hashes">{(entry.at * 100).toFixed(2)} % of the hashes</span>}
    </>
  )
}

/** Leads to a Query of the items of one entity in a collection. */
function EntityLink({ entry, entity, source, items }: { entry: Entry; entity: KeyEntity | undefined; source: Source; items: number }) {
  const tag = <EntityTag entity={entity} names={source.range_names} {...(items > 1 && { count: items })} />
  if (!entity || source.range_names.length === 0) return tag
  return <a class="board-tag" tabIndex={-1} href={queryHref(source, { key: entry.key, entity })}>{tag}</a>
}

function entityNumbered(board: BoardProps, number: number) {
  return board.store.entities.find((entity) => entity.entity === number)
}

interface BoardLineProps {
  id: string
  /** The index of the collection, and of the line in it. */
  entry: number
  number: number
  line: Line
  is_active: boolean
  is_open: boolean
  is_other: boolean
  source: Source
  columns: EntityColumns
  columns_version: number
  onPress: (position: LinePosition) => void
}

const BoardLine = memo(({ id, entry, number, line, is_active, is_open, is_other, source, columns: entity_columns, onPress }: BoardLineProps) => {
  const line_id = `${id}-${entry}-${number}`
  const press = () => onPress({ entry, line: number })
  const active = is_active ? ' board-active' : ''
  if (line.kind === 'head') return null
  if (line.kind === 'waiting') return <div class="board-line board-waiting" role="row" aria-level={2}><div role="gridcell"><span class="for-screen-readers">Reading …</span></div></div>
  if (line.kind === 'more' || line.kind === 'error') {
    return (
      <div id={line_id} class={`board-line board-${line.kind}${active}`} role="row" aria-level={2} onClick={press}>
        <div role="gridcell">{line.text}</div>
      </div>
    )
  }
  const entity = line.kind === 'item' ? line.item.entity : line.entity
  const columns = entity_columns.of(entity)
  const template = { gridTemplateColumns: columns.map((column) => `${column.width}px`).join(' ') }
  if (line.kind === 'names') {
    return (
      <div class="board-line board-names" role="row" aria-level={2} style={template}>
        {columns.map((column, i) => (
          <div key={column.name} role="columnheader" class={cellClass(i, column.is_numeric, entity)}><DataText text={column.name} max_length={60} /></div>
        ))}
      </div>
    )
  }
  const { item } = line
  return (
    <div
      id={line_id}
      class={`board-line board-item${active}${is_open ? ' board-open' : ''}${is_other ? ' board-other' : ''}`}
      role="row"
      aria-level={2}
      aria-label={keyText(item.key)}
      style={template}
      onClick={(event) => !(event.target as HTMLElement).closest('a') && press()}
    >
      {columns.map((column, i) => (
        <div key={column.name} role="gridcell" class={cellClass(i, column.is_numeric, entity)}>
          <AttributeCell source={source} item={item} name={column.name} />
        </div>
      ))}
    </div>
  )
})

function cellClass(index: number, is_numeric: boolean, entity: BoardItem['entity']): string {
  return `board-cell${index === 0 ? ` board-first ${hueClass(entity)}-edge` : ''}${is_numeric ? ' grid-number' : ''}`
}
