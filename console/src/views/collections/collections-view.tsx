// Item collections: a table as its designer draws it, and the same as each of its indexes sees it.
//
// The parameters of the URL: index, order (key, hash), at, prefix, entity and as (table, board), sort and
// down (of the table), key (one collection alone), item (the one that is open beside the board).

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { KeyEntity } from '../../api/control-types'
import { parseKey } from '../../api/values'
import { useShortcut } from '../../frame/keyboard'
import { go, hrefOf, route, setParameters, type Place } from '../../frame/routes'
import { useReturn } from '../../state/connection'
import { indexesOf, keyNames, loadTable, table, type TableDescription } from '../../state/tables'
import { Button } from '../../ui/button'
import { ErrorNotice } from '../../ui/error-notice'
import { TextField } from '../../ui/field'
import { countOf, countText } from '../../ui/figures'
import { keyText } from '../../ui/item-value'
import { itemHref } from '../../ui/key-link'
import { entityName } from '../../model/template-choice'
import { projectionText } from '../tables/table-details'
import { Board } from './board'
import { CollectionList, type KeptDirectory, type ListRequest } from './collection-list'
import './collections.css'
import { EntityColumns } from './columns'
import { hueClass } from './entities'
import { EntityTable } from './entity-table'
import { TemplateText } from './entity-tag'
import { ItemPanel } from './item-panel'
import { queryHref } from './query-link'
import { ItemStore, sourceOf, type BoardItem, type Source } from './item-store'
import { VectorIndexView } from './vector-index'

export function CollectionsView({ place }: { place: Place }) {
  const description = table.value
  const index = route.value.parameters.get('index') ?? ''
  const source = useMemo(() => description && sourceOf(place, description, index), [place, description, index])
  if (!description) return <p class="muted">Reading …</p>
  const vector_index = description.VectorIndexes?.find((each) => each.IndexName === index)
  if (vector_index) {
    return (
      <div class="collections">
        <IndexPivot description={description} chosen={index} />
        <VectorIndexView key={index} place={place} description={description} index={vector_index} />
      </div>
    )
  }
  if (!source) return <p class="notice notice-error" role="alert">{place.table} has no index {index}.</p>
  return (
    <div class="collections">
      <IndexPivot description={description} chosen={index} />
      <Collections key={`${description.TableName} ${index}`} source={source} description={description} />
    </div>
  )
}

/** The tabs that choose who sees the data: the table, or one of its indexes. */
function IndexPivot({ description, chosen }: { description: TableDescription; chosen: string }) {
  const places = [
    { name: '', key: keyNames(description.KeySchema), items: description.ItemCount },
    ...indexesOf(description).map((index) => ({ name: index.IndexName, key: keyNames(index.KeySchema), items: index.ItemCount })),
    ...(description.VectorIndexes ?? []).map((index) => ({ name: index.IndexName, key: [index.VectorAttribute.AttributeName], items: index.ItemCount }))
  ]
  return (
    <nav class="pivot" aria-label="Seen by the table or an index">
      {places.map(({ name, key, items }) => (
        <a key={name} href={hrefOf({ parameters: { index: name } })} aria-current={name === chosen ? 'true' : undefined} class="pivot-place">
          <span class="pivot-name">{name || 'Table'}</span>
          <span class="pivot-key mono">{key.join(' · ')}</span>
          <span class="pivot-count">{countText(items ?? 0)}</span>
        </a>
      ))}
    </nav>
  )
}

function numberOf(entities: readonly KeyEntity[], name: string): number | undefined {
  return entities.find((entity) => entityName(entity) === name)?.entity
}

function Collections({ source, description }: { source: Source; description: TableDescription }) {
  const parameters = route.value.parameters
  const parameter = (name: string) => parameters.get(name) ?? ''
  const [generation, setGeneration] = useState(0)
  const kept = useRef<KeptDirectory>({})
  const [folds, setFolds] = useState<{ ids: ReadonlySet<string>; is_inverse: boolean }>({ ids: new Set(), is_inverse: false })

  const request: ListRequest = {
    index: source.index?.IndexName ?? '',
    order: parameter('order') === 'hash' ? 'hash' : 'key',
    at: Math.min(1, Math.max(0, Number(parameter('at')) || 0)),
    prefix: parameter('prefix'),
    entity: parameter('entity'),
    key: parseKey(parameters.get('key'))
  }
  const store = useMemo(() => new ItemStore(source), [source, generation])
  const list = useMemo(() => {
    const made = new CollectionList(source.place, request, kept.current, store, numberOf)
    void made.loadMore() // at once, so that the page is on its way while the view is drawn
    return made
  }, [store, JSON.stringify(request)])
  const columns = useMemo(() => new EntityColumns(source), [store])
  // The figures of a list that is being made are not there yet; those of the one before are as good.
  const known = useRef<{ entities: readonly KeyEntity[]; directory: CollectionList['directory']['value'] }>({ entities: [], directory: null })
  if (list.directory.value) known.current = { entities: list.entities.value, directory: list.directory.value }
  const { entities, directory } = known.current
  // Until a list has its first page, the one before is shown.
  const shown = useRef<CollectionList>(list)
  if (list.entries.value.length > 0 || list.is_complete.value || list.error.value) shown.current = list
  const entries = shown.current.entries.value
  useEffect(() => () => list.stop(), [list])
  useEffect(() => () => store.stop(), [store])
  useEffect(() => store.setEntities(entities), [store, entities])

  const readAgain = () => {
    kept.current = {}
    setGeneration(generation + 1)
  }
  const refresh = () => {
    readAgain()
    void loadTable()
  }
  // The frame reads the description of the table.
  useReturn(readAgain)
  useShortcut('r', 'Read the collections again', refresh)
  useShortcut('f', 'Fold or unfold all', () => setFolds({ ids: new Set(), is_inverse: !folds.is_inverse }))

  const entity = entities.find((each) => entityName(each) === request.entity)
  const is_table = entity !== undefined && parameter('as') !== 'board'
  const item_key = parseKey(parameters.get('item'))
  const open = (item: BoardItem) => setParameters({ item: JSON.stringify(item.key) })
  const counted = countedText(entries.length, shown.current.is_complete.value, is_table ? entity : undefined, request, entity?.collections ?? directory?.collections)
  return (
    <>
      <PivotNote source={source} description={description} />
      <div class="toolbar collections-toolbar">
        <FindField request={request} />
        <OrderChoice request={request} />
        {entity && (
          <div class="choice" role="group" aria-label="How to show the entity">
            <Button kind="quiet" pressed={is_table} title="Its items alone" onClick={() => setParameters({ as: undefined })}>Table</Button>
            <Button kind="quiet" pressed={!is_table} title="The collections that have its items" onClick={() => setParameters({ as: 'board', sort: undefined, down: undefined })}>Board</Button>
          </div>
        )}
        {!is_table && request.key === null && (
          <Button kind="quiet" onClick={() => setFolds({ ids: new Set(), is_inverse: !folds.is_inverse })}>{folds.is_inverse ? 'Unfold all' : 'Fold all'}</Button>
        )}
        <span class="toolbar-space" />
        <span class="muted collections-count" role="status">
          {counted}
          {list.is_loading.value && ' · reading …'}
        </span>
        <a class="button button-quiet" href={queryHref(source, { entity })}>
          Query {source.index ? source.index.IndexName : 'the table'}
        </a>
        {directory && (
          <Button kind="quiet" label="Read the collections again" title={`As of ${new Date(directory.made_epoch_ms).toLocaleTimeString('en-GB')}; made in ${directory.took_ms} ms`} onClick={refresh}>↻</Button>
        )}
      </div>
      {request.key && (
        <p class="notice one-collection">
          <span>One collection: <strong class="mono">{keyText(request.key)}</strong></span>
          <a href={hrefOf({ parameters: { index: request.index } })}>All collections</a>
        </p>
      )}
      {directory?.is_cut && <p class="notice notice-warning">There are more collections than a directory holds: this is an even selection of them.</p>}
      <ErrorNotice error={list.error.value}><Button kind="quiet" onClick={refresh}>Try again</Button></ErrorNotice>
      <div class="collections-body">
        <EntityList entities={entities} request={request} source={source} />
        {is_table ? (
          <EntityTable source={source} entity={entity} entities={entities} prefix={request.prefix} kept={kept.current} onOpen={open} open_id={JSON.stringify(item_key)} />
        ) : entries.length === 0 && shown.current.is_complete.value ? (
          <p class="notice collections-empty">{emptyText(source, description, request)}</p>
        ) : (
          <Board
            entries={entries}
            store={store}
            columns={columns}
            folds={folds}
            onFold={(entry) => {
              const ids = new Set(folds.ids)
              if (!ids.delete(entry.id)) ids.add(entry.id)
              setFolds({ ...folds, ids })
            }}
            onOpen={open}
            open_id={JSON.stringify(item_key)}
            only={request.entity}
            onNearEnd={() => void list.loadMore()}
            onEdit={(item) => (location.hash = itemHref(item.key))}
          />
        )}
        {item_key && <ItemPanel place={source.place} description={description} item_key={item_key} onClose={() => setParameters({ item: undefined })} />}
      </div>
    </>
  )
}

/** What is shown, of how much: "50 of 200,000 collections". */
function countedText(shown: number, is_complete: boolean, table_of: KeyEntity | undefined, request: ListRequest, total: number | undefined): string {
  if (request.key) return ''
  if (table_of) return countOf(table_of.items, 'item')
  if (request.prefix || request.at > 0) return `${is_complete ? '' : 'at least '}${countOf(shown, 'collection')}`
  const which = request.entity ? ' with its items; other items are grey' : ''
  return total === undefined ? '' : `${countText(shown)} of ${countOf(total, 'collection')}${which}`
}

function emptyText(source: Source, description: TableDescription, request: ListRequest): string {
  if (request.prefix) return `No collection begins with ${request.prefix}.`
  if (request.entity) return 'No collection has items of this entity.'
  if (source.index && description.ItemCount > 0) return `No item of the table is in ${source.index.IndexName}: none has all attributes of its key.`
  return 'The table is empty.'
}

/** What the index lacks of the table: items without its key, and attributes out of its projection. */
function PivotNote({ source, description }: { source: Source; description: TableDescription }) {
  if (!source.index) return null
  const { index } = source
  const has = index.ItemCount ?? 0
  const lacking = description.ItemCount - has
  const key = [...source.hash_names, ...source.range_names].join(' or ')
  return (
    <p class="pivot-note">
      <span>
        {lacking > 0
          ? `${countText(has)} of the table's ${countOf(description.ItemCount, 'item')}: ${countText(lacking)} ${lacking === 1 ? 'lacks' : 'lack'} ${key}.`
          : `All ${countOf(description.ItemCount, 'item')} of the table.`}
      </span>
      <span>
        Projection: {projectionText(index)}.
        {index.Projection.ProjectionType !== 'ALL' && <> <span class="left-out">Grey</span> is what it leaves out, read from the table.</>}
      </span>
    </p>
  )
}

function FindField({ request }: { request: ListRequest }) {
  const [text, setText] = useState(request.prefix)
  const field = useRef<HTMLInputElement | HTMLTextAreaElement | null>(null)
  // While the reader types, the field is newer than the URL, which follows it.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(request.prefix)
  }, [request.prefix])
  useShortcut('/', 'Find a key or a prefix', () => field.current?.focus())
  const apply = (prefix: string) => setParameters({ prefix, key: undefined, order: undefined, at: undefined })
  return (
    <div class="find" onKeyDown={(event) => event.key === 'Enter' && document.querySelector<HTMLElement>('.collections-body [tabindex="0"]')?.focus()}>
      <TextField
        label="Key or prefix"
        has_hidden_label
        type="search"
        is_mono
        placeholder="Key or prefix  /"
        value={text}
        input_ref={(element) => (field.current = element)}
        onInput={(typed) => {
          setText(typed)
          apply(typed)
        }}
      />
    </div>
  )
}

function OrderChoice({ request }: { request: ListRequest }) {
  if (request.key) return null
  const is_hash = request.order === 'hash'
  return (
    <>
      <div class="choice" role="group" aria-label="Order of the collections">
        <Button kind="quiet" pressed={!is_hash} onClick={() => setParameters({ order: undefined, at: undefined })}>By key</Button>
        <Button kind="quiet" pressed={is_hash} title="As a Scan reads them" onClick={() => setParameters({ order: 'hash', prefix: undefined, entity: undefined, as: undefined })}>By hash</Button>
      </div>
      {is_hash && (
        <label class="hash-place">
          <span class="muted">from</span>
          <input type="range" min={0} max={1} step={0.001} value={request.at} aria-label="Place among the hashes" onInput={(event) => setParameters({ at: event.currentTarget.value })} />
          <span class="muted number">{(request.at * 100).toFixed(1)} %</span>
        </label>
      )}
    </>
  )
}

/** The entities, below the templates of their HASH attributes; those with the most items first. */
function EntityList({ entities, request, source }: { entities: readonly KeyEntity[]; request: ListRequest; source: Source }) {
  if (entities.length === 0) return null
  const groups = new Map<string, KeyEntity[]>()
  for (const entity of entities) {
    const hash = source.hash_names.map((name) => entity.key[name]).join(' · ')
    groups.set(hash, [...(groups.get(hash) ?? []), entity])
  }
  const key_names = source.range_names.length > 0 ? source.range_names : source.hash_names
  return (
    <section class="entities" aria-label="Entities">
      <h2 class="entities-title">Entities <span class="muted">{entities.length}</span></h2>
      {[...groups].map(([hash, members]) => (
        <div class="entity-group" key={hash}>
          {source.range_names.length > 0 && <p class="entity-hash"><TemplateText template={hash} /></p>}
          {members.map((entity) => {
            const is_chosen = entityName(entity) === request.entity
            return (
              <button
                key={entity.entity}
                type="button"
                class={`entity ${hueClass(entity)}-edge`}
                aria-pressed={is_chosen}
                title={`${countOf(entity.items, 'item')} in ${countOf(entity.collections, 'collection')}`}
                onClick={() => go({ parameters: { index: request.index, ...(!is_chosen && { entity: entityName(entity), as: route.value.parameters.get('as') }) } })}
              >
                <span class="entity-key"><TemplateText template={key_names.map((name) => entity.key[name]).join(' · ')} /></span>
                <span class="entity-count">{countText(entity.items)}</span>
              </button>
            )
          })}
        </div>
      ))}
    </section>
  )
}
