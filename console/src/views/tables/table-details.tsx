// What the chosen table is made of, and what can be done with it as a whole.

import { control } from '../../api/control'
import { call } from '../../api/dynamodb'
import { useShortcut } from '../../frame/keyboard'
import { go, hrefOf, type Place } from '../../frame/routes'
import { is_read_only } from '../../state/server'
import { indexesOf, loadTable, loadTableNames, type IndexDescription, type KeyElement, type TableDescription } from '../../state/tables'
import { Button } from '../../ui/button'
import { confirmAction } from '../../ui/dialog'
import { bytesText, countOf, countText, timeText } from '../../ui/figures'
import { DataText } from '../../ui/item-value'
import { Menu } from '../../ui/menu'
import { toast } from '../../ui/toast'
import { downloadDefinition, downloadItems } from './download'
import { forgetSummaries, type TableSummary } from './summaries'

export function TableDetails({ place, summary, onSeed }: { place: Place; summary: TableSummary; onSeed: () => void }) {
  const { description } = summary
  useShortcut('Escape', 'Close the details', () => go({ table: '' }))
  return (
    <section class="details" aria-label={`The table ${place.table}`}>
      <header class="details-head">
        <h2 class="mono">{place.table}</h2>
        {description.TableStatus !== 'ACTIVE' && <span class="tag hue-2">{description.TableStatus.toLowerCase()}</span>}
        <Button kind="quiet" label="Close the details" onClick={() => go({ table: '' })}>✕</Button>
      </header>
      <div class="details-actions">
        <a class="button button-main" href={hrefOf({ view: 'collections' })}>Collections</a>
        <Menu
          label="Download"
          items={[
            { title: 'Items as DynamoDB JSON', run: () => void downloadItems(place, 'dynamodb') },
            { title: 'Items as JSON', run: () => void downloadItems(place, 'json') },
            { title: 'Items as CSV', run: () => void downloadItems(place, 'csv') },
            { title: 'The definition', run: () => void downloadDefinition(place) }
          ]}
        >
          Download <span aria-hidden="true">▾</span>
        </Menu>
        {!is_read_only.value && (
          <>
            <Button onClick={onSeed}>Load a file</Button>
            <Menu
              label="More"
              items={[
                { title: 'Empty the table …', is_danger: true, run: () => void emptyTable(place, description) },
                { title: 'Delete the table …', is_danger: true, run: () => void deleteTable(place, description) }
              ]}
            >
              <span aria-hidden="true">⋯</span>
            </Menu>
          </>
        )}
      </div>
      <h3>Keys</h3>
      <div class="key-table" role="table" aria-label="The table and its indexes">
        <div role="row" class="key-row key-head">
          <span role="columnheader">Where</span>
          <span role="columnheader">Key</span>
          <span role="columnheader" class="number">Items</span>
          <span role="columnheader" class="number">Size</span>
        </div>
        <KeyRow description={description} schema={description.KeySchema} title="Table" note="" items={description.ItemCount} bytes={description.TableSizeBytes} />
        {indexesOf(description).map((index) => (
          <KeyRow
            key={index.IndexName}
            description={description}
            schema={index.KeySchema}
            title={index.IndexName}
            index={index.IndexName}
            note={`${isLocal(description, index) ? 'local' : 'global'} · ${projectionText(index)}`}
            items={index.ItemCount ?? 0}
            bytes={index.IndexSizeBytes ?? 0}
          />
        ))}
        {description.VectorIndexes?.map((index) => (
          <KeyRow
            key={index.IndexName}
            description={description}
            schema={[{ AttributeName: index.VectorAttribute.AttributeName, KeyType: 'HASH' }]}
            title={index.IndexName}
            index={index.IndexName}
            note={`vector · ${index.Dimensions} · ${index.DistanceFunction} · ${projectionText(index)}`}
            items={index.ItemCount ?? 0}
            bytes={index.IndexSizeBytes ?? 0}
          />
        ))}
      </div>
      <dl class="facts">
        <Fact title="Time to live">{summary.ttl_attribute === null ? 'off' : <DataText text={summary.ttl_attribute} />}</Fact>
        <Fact title="Stream">{description.StreamSpecification?.StreamEnabled ? <code>{description.StreamSpecification.StreamViewType}</code> : 'off'}</Fact>
        <Fact title="Billing">{billingText(description)}</Fact>
        {description.TableClassSummary && <Fact title="Class">{description.TableClassSummary.TableClass}</Fact>}
        <Fact title="Deletion">{description.DeletionProtectionEnabled ? 'protected' : 'allowed'}</Fact>
        {description.CreationDateTime !== undefined && <Fact title="Created">{timeText(description.CreationDateTime)}</Fact>}
      </dl>
    </section>
  )
}

interface KeyRowProps {
  description: TableDescription
  schema: KeyElement[]
  title: string
  index?: string
  note: string
  items: number
  bytes: number
}

function KeyRow({ description, schema, title, index, note, items, bytes }: KeyRowProps) {
  return (
    <div role="row" class="key-row">
      <span role="cell">
        <a class="mono" href={hrefOf({ view: 'collections', parameters: { index } })}>{title}</a>
        {note && <span class="key-note">{note}</span>}
      </span>
      <span role="cell"><KeySchemaText schema={schema} description={description} /></span>
      <span role="cell" class="number">{countText(items)}</span>
      <span role="cell" class="number">{bytesText(bytes)}</span>
    </div>
  )
}

/** "PK S · SK S". */
export function KeySchemaText({ schema, description }: { schema: readonly KeyElement[]; description: TableDescription }) {
  return (
    <>
      {schema.map(({ AttributeName: name, KeyType }) => (
        <span class={KeyType === 'HASH' ? 'key-part key-hash' : 'key-part'} key={name}>
          <DataText text={name} />
          <span class="key-type" title={KeyType === 'HASH' ? 'Partition key' : 'Sort key'}>
            {description.AttributeDefinitions.find((each) => each.AttributeName === name)?.AttributeType}
          </span>
        </span>
      ))}
    </>
  )
}

function Fact({ title, children }: { title: string; children: preact.ComponentChildren }) {
  return <div><dt>{title}</dt><dd>{children}</dd></div>
}

function isLocal(description: TableDescription, index: IndexDescription): boolean {
  return description.LocalSecondaryIndexes?.includes(index) ?? false
}

export function projectionText(index: Pick<IndexDescription, 'Projection'>): string {
  const { ProjectionType, NonKeyAttributes } = index.Projection
  if (ProjectionType === 'ALL') return 'all attributes'
  return ProjectionType === 'KEYS_ONLY' ? 'keys only' : `keys, ${NonKeyAttributes?.join(', ') ?? ''}`
}

function billingText({ BillingModeSummary, ProvisionedThroughput }: TableDescription): string {
  if (BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST') return 'on demand'
  return `provisioned: ${ProvisionedThroughput?.ReadCapacityUnits ?? 0} read, ${ProvisionedThroughput?.WriteCapacityUnits ?? 0} write units a second`
}

async function emptyTable(place: Place, description: TableDescription): Promise<void> {
  const what = countOf(description.ItemCount, 'item')
  const is_confirmed = await confirmAction({
    title: `Empty ${place.table}?`,
    text: `${what} will be deleted. The table keeps its definition; its stream begins anew.`,
    action: `Delete ${what}`
  })
  if (!is_confirmed) return
  const { account, region, table } = place
  const answer = await control('POST', 'reset', { account, region, table })
  toast(answer.ok ? `${table} is empty.` : answer.error.message, { kind: answer.ok ? 'done' : 'error' })
  forgetSummaries()
  void loadTable()
}

async function deleteTable(place: Place, description: TableDescription): Promise<void> {
  const is_confirmed = await confirmAction({
    title: `Delete ${place.table}?`,
    text: `The table, its indexes and ${countOf(description.ItemCount, 'item')} will be deleted.`,
    action: `Delete the table ${place.table}`
  })
  if (!is_confirmed) return
  const answer = await call(place, 'DeleteTable', { TableName: place.table })
  if (!answer.ok) return toast(answer.error.message, { kind: 'error' })
  toast(`${place.table} is deleted.`)
  forgetSummaries()
  go({ table: '' })
  await loadTableNames()
}
