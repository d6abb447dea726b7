// The tables of the chosen account and Region, and the description of each that was asked for.

import { effect, signal } from '@preact/signals'
import type { CallError } from '../api/answer'
import { call } from '../api/dynamodb'
import { place, type Place } from './place'

export interface KeyElement {
  AttributeName: string
  KeyType: 'HASH' | 'RANGE'
}

export interface IndexDescription {
  IndexName: string
  KeySchema: KeyElement[]
  Projection: { ProjectionType: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'; NonKeyAttributes?: string[] }
  IndexStatus?: string
  ItemCount?: number
  IndexSizeBytes?: number
}

export interface VectorIndexDescription extends Omit<IndexDescription, 'KeySchema'> {
  VectorAttribute: { AttributeName: string }
  Dimensions: number
  DistanceFunction: string
  SearchSchema?: { AttributeName: string; SearchSchemaElementType: 'HASH' | 'INLINE_FILTER' }[]
  Backfilling?: boolean
}

/** The members of DescribeTable's answer that the page uses. */
export interface TableDescription {
  TableName: string
  TableStatus: string
  KeySchema: KeyElement[]
  AttributeDefinitions: { AttributeName: string; AttributeType: 'S' | 'N' | 'B' }[]
  ItemCount: number
  TableSizeBytes: number
  CreationDateTime?: number
  BillingModeSummary?: { BillingMode: string }
  ProvisionedThroughput?: { ReadCapacityUnits: number; WriteCapacityUnits: number }
  GlobalSecondaryIndexes?: IndexDescription[]
  LocalSecondaryIndexes?: IndexDescription[]
  VectorIndexes?: VectorIndexDescription[]
  StreamSpecification?: { StreamEnabled: boolean; StreamViewType?: string }
  LatestStreamArn?: string
  TableClassSummary?: { TableClass: string }
  DeletionProtectionEnabled?: boolean
}

/** The names of the tables of the account and Region, in ascending order; null until they are known. */
export const table_names = signal<string[] | null>(null)
export const tables_error = signal<CallError | null>(null)

/** The description of the table that is chosen; null while it is unknown or no table is chosen. */
export const table = signal<TableDescription | null>(null)
export const table_error = signal<CallError | null>(null)

/** Returns the global and local indexes, in the order of the description: those that have item collections. */
export function indexesOf(description: TableDescription): IndexDescription[] {
  return [...(description.GlobalSecondaryIndexes ?? []), ...(description.LocalSecondaryIndexes ?? [])]
}

/** Returns the names of the key's attributes, HASH before RANGE. */
export function keyNames(schema: readonly KeyElement[], type?: 'HASH' | 'RANGE'): string[] {
  const ordered = [...schema.filter((each) => each.KeyType === 'HASH'), ...schema.filter((each) => each.KeyType === 'RANGE')]
  return ordered.filter((each) => !type || each.KeyType === type).map((each) => each.AttributeName)
}

/** Asks for the names of the tables again. */
export async function loadTableNames(): Promise<void> {
  const { account, region } = place.peek()
  const names: string[] = []
  for (let start: string | undefined; ; ) {
    const answer = await call<{ TableNames: string[]; LastEvaluatedTableName?: string }>(
      { account, region }, 'ListTables', start === undefined ? {} : { ExclusiveStartTableName: start })
    if (place.peek().account !== account || place.peek().region !== region) return
    if (!answer.ok) {
      tables_error.value = answer.error
      return
    }
    names.push(...answer.value.TableNames)
    start = answer.value.LastEvaluatedTableName
    if (start === undefined) break
  }
  tables_error.value = null
  table_names.value = names
}

/** Asks for the description of the chosen table again. */
export async function loadTable(): Promise<void> {
  const at: Place = place.peek()
  if (at.table === '') {
    table.value = null
    table_error.value = null
    return
  }
  const answer = await call<{ Table: TableDescription }>(at, 'DescribeTable', { TableName: at.table })
  if (place.peek() !== at) return
  // What is known of the table is shown until the server is back.
  if (!answer.ok && answer.error.type === 'Unreachable') return
  table.value = answer.ok ? answer.value.Table : null
  table_error.value = answer.ok ? null : answer.error
}

/** Begins to follow the chosen place. Called once, by main.tsx. */
export function followPlace(): void {
  let owner = ''
  effect(() => {
    const { account, region } = place.value
    if (owner !== `${account}/${region}`) {
      owner = `${account}/${region}`
      table_names.value = null
      void loadTableNames()
    }
    table.value = null
    void loadTable()
  })
}
