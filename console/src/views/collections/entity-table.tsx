// An entity alone, as a plain table: one row for each of its items, one column for each attribute.

import { useEffect, useMemo } from 'preact/hooks'
import { fetchByKey } from '../../api/collections'
import type { KeyEntity } from '../../api/control-types'
import { attributeOf, pickKey } from '../../api/values'
import { route, setParameters } from '../../frame/routes'
import { entityName } from '../../model/template-choice'
import { compareValues } from '../../model/order'
import { Button } from '../../ui/button'
import { DataGrid, type GridColumn } from '../../ui/data-grid'
import { countOf, countText } from '../../ui/figures'
import { DataText } from '../../ui/item-value'
import { KeyLink } from '../../ui/key-link'
import { AttributeCell } from './attribute-cell'
import type { KeptDirectory } from './collection-list'
import { EntityColumns } from './columns'
import { EntityReader } from './entity-reader'
import type { BoardItem, Source } from './item-store'

const kPageCollections = 100
const kMoreSorted = 1000

export interface EntityTableProps {
  source: Source
  entity: KeyEntity
  entities: readonly KeyEntity[]
  prefix: string
  kept: KeptDirectory
  onOpen: (item: BoardItem) => void
  open_id: string
}

/** The column of the HASH attributes; no attribute has this name, as `columns` leaves these out. */
const kHashColumn = ' hash'

export function EntityTable({ source, entity, entities, prefix, kept, onOpen, open_id }: EntityTableProps) {
  // Each answer of the server has entities of its own, which are the same as before: their names tell.
  const reader = useMemo(
    () => new EntityReader(source, entity, entities, collectionPages(source, entity, prefix, kept)),
    [source, entityName(entity), prefix, kept])
  const columns = useMemo(() => new EntityColumns(source), [reader])
  useEffect(() => {
    void reader.loadMore()
    return () => reader.stop()
  }, [reader])
  const items = reader.items.value
  for (const item of items.slice(0, 60)) columns.add(item)

  const sorted_by = route.value.parameters.get('sort')
  const is_descending = route.value.parameters.get('down') === '1'
  const rows = useMemo(() => sortedItems(items, source, sorted_by, is_descending), [items, source, sorted_by, is_descending])
  const sort = (column: string) => {
    // A third press gives the order of the keys back.
    const next = sorted_by !== column ? { sort: column, down: undefined } : is_descending ? { sort: undefined, down: undefined } : { sort: column, down: 1 }
    setParameters(next)
  }
  const grid_columns: GridColumn<BoardItem>[] = [
    {
      name: kHashColumn, title: source.hash_names.join(' · '), width: 170, is_sticky: true,
      cell: (item) => <KeyLink hash_key={pickKey(item.item, source.hash_names)} index={source.index?.IndexName} tab_index={-1} />
    },
    ...columns.of(entity).map((column): GridColumn<BoardItem> => ({
      ...column,
      title: column.name,
      cell: (item) => <AttributeCell source={source} item={item} name={column.name} />
    }))
  ]
  return (
    <div class="entity-table">
      {reader.error.value && <p class="notice notice-error" role="alert">{reader.error.value}</p>}
      {sorted_by !== undefined && (
        <p class="sort-note" role="status">
          <span>
            Sorted by {sorted_by === kHashColumn ? source.hash_names.join(' · ') : <DataText text={sorted_by} max_length={60} />}, {is_descending ? 'descending' : 'ascending'}
            {reader.is_complete.value ? ': all ' : ': only the '}{countOf(items.length, 'item')}{!reader.is_complete.value && ` that are loaded, of ${countText(Math.max(entity.items, items.length))}`}.
          </span>
          {!reader.is_complete.value && <Button kind="quiet" disabled={reader.is_loading.value} onClick={() => void reader.loadMore(kMoreSorted)}>Load {countText(kMoreSorted)} more</Button>}
          <Button kind="quiet" onClick={() => setParameters({ sort: undefined, down: undefined })}>In the order of the keys</Button>
        </p>
      )}
      <DataGrid
        label={`Items of the entity ${Object.values(entity.key).join(' ')}`}
        columns={grid_columns}
        rows={rows}
        keyOf={(item) => item.id}
        total={Math.max(entity.items, items.length)}
        onOpen={onOpen}
        sorting={{ by: sorted_by === undefined ? null : { column: sorted_by, is_descending }, onSort: sort }}
        // Of rows that are sorted, those that come later would change the place of the others.
        onNearEnd={() => sorted_by === undefined && void reader.loadMore()}
        rowClass={(item) => (item.id === open_id ? 'grid-chosen' : undefined)}
        empty={reader.is_complete.value ? 'No item of this entity.' : 'Reading …'}
      />
    </div>
  )
}

/** Returns the items in the order of an attribute, and those without it at the end; undefined: as they are. */
function sortedItems(items: readonly BoardItem[], source: Source, name: string | undefined, is_descending: boolean): readonly BoardItem[] {
  if (name === undefined) return items
  const names = name === kHashColumn ? source.hash_names : [name]
  const valueOf = ({ item, left_out }: BoardItem, each: string) => attributeOf(item, each) ?? (left_out ? attributeOf(left_out, each) : undefined)
  const compare = (a: BoardItem, b: BoardItem) => {
    for (const each of names) {
      const [left, right] = [valueOf(a, each), valueOf(b, each)]
      if (!left || !right) return Number(!left) - Number(!right)
      const order = compareValues(left, right)
      if (order !== 0) return is_descending ? -order : order
    }
    return 0
  }
  return [...items].sort(compare)
}

function collectionPages(source: Source, entity: KeyEntity, prefix: string, kept: KeptDirectory) {
  let after: string | undefined
  let is_complete = false
  return async () => {
    if (is_complete) return null
    const answer = await fetchByKey(source.place, {
      limit: kPageCollections,
      entity: entity.entity,
      ...(source.index && { index: source.index.IndexName }),
      ...(prefix && { prefix }),
      ...(after !== undefined && { after }),
      ...(kept.id && { directory: kept.id })
    })
    if (!answer.ok) return answer.error.message
    after = answer.value.after
    is_complete = after === undefined
    return answer.value.collections.length > 0 ? answer.value.collections : null
  }
}
