// An entity alone, as a plain table: one row for each of its items, one column for each attribute.

import { useEffect, useMemo } from 'preact/hooks'
import { fetchCollections, type Entity } from '../../api/collections'
import { pickAttributes } from '../../api/values'
import { DataGrid, type GridColumn } from '../../ui/data-grid'
import { KeyLink } from '../../ui/key-link'
import { AttributeCell } from './attribute-cell'
import type { KeptDirectory } from './collection-list'
import { EntityColumns } from './columns'
import { entityName } from './entities'
import { EntityReader } from './entity-reader'
import type { BoardItem, Source } from './item-store'

const kPageCollections = 100

export interface EntityTableProps {
  source: Source
  entity: Entity
  entities: readonly Entity[]
  prefix: string
  kept: KeptDirectory
  onOpen: (item: BoardItem) => void
  open_id: string
}

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

  const grid_columns: GridColumn<BoardItem>[] = [
    {
      name: ' hash', title: source.hash_names.join(' · '), width: 170, is_sticky: true,
      cell: (item) => <KeyLink hash_key={pickAttributes(item.item, source.hash_names)} index={source.index?.IndexName} tab_index={-1} />
    },
    ...columns.of(entity).map((column): GridColumn<BoardItem> => ({
      ...column,
      title: column.name,
      cell: (item) => <AttributeCell source={source} item={item} name={column.name} />
    }))
  ]
  return (
    <>
      {reader.error.value && <p class="notice notice-error" role="alert">{reader.error.value}</p>}
      <DataGrid
        label={`Items of the entity ${Object.values(entity.key).join(' ')}`}
        columns={grid_columns}
        rows={items}
        keyOf={(item) => item.id}
        total={Math.max(entity.items, items.length)}
        onOpen={onOpen}
        onNearEnd={() => void reader.loadMore()}
        rowClass={(item) => (item.id === open_id ? 'grid-chosen' : undefined)}
        empty={reader.is_complete.value ? 'No item of this entity.' : 'Reading …'}
      />
    </>
  )
}

function collectionPages(source: Source, entity: Entity, prefix: string, kept: KeptDirectory) {
  let after: unknown
  let is_complete = false
  return async () => {
    if (is_complete) return null
    const answer = await fetchCollections(source.place, {
      order: 'key',
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
