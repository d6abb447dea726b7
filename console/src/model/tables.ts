// What DescribeTable says of a table, as the models need it: the keys of the table and of its indexes. Pure functions.

import { pickKey, type Item, type Key } from '../api/values'

export type KeyType = 'S' | 'N' | 'B'
export interface KeyAttribute {
  name: string
  type: KeyType
}

/** The key of a table or of an index. An index may have up to four HASH and four RANGE attributes. */
export interface KeyPlan {
  /** Undefined for the table itself. */
  index?: string
  hash: KeyAttribute[]
  range: KeyAttribute[]
  is_local: boolean
  projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
  /** The attributes that are projected besides the keys. */
  included: string[]
}

export interface TablePlan {
  name: string
  table: KeyPlan
  indexes: KeyPlan[]
  has_infrequent_access: boolean
}

interface Described {
  IndexName?: string
  KeySchema?: { AttributeName: string; KeyType: string }[]
  Projection?: { ProjectionType?: string; NonKeyAttributes?: string[] }
}

/** DescribeTable's `Table`, as far as it is read here. */
export interface TableDescription extends Described {
  TableName?: string
  AttributeDefinitions?: { AttributeName: string; AttributeType: string }[]
  GlobalSecondaryIndexes?: Described[]
  LocalSecondaryIndexes?: Described[]
  TableClassSummary?: { TableClass?: string }
}

export function planOf(description: TableDescription): TablePlan {
  const types = new Map(description.AttributeDefinitions?.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]))
  const keyPlan = (part: Described, is_local: boolean): KeyPlan => {
    const attributes = (key_type: string) => (part.KeySchema ?? []).filter((element) => element.KeyType === key_type)
      .map(({ AttributeName }) => ({ name: AttributeName, type: (types.get(AttributeName) ?? 'S') as KeyType }))
    return {
      ...(part.IndexName !== undefined && { index: part.IndexName }),
      hash: attributes('HASH'),
      range: attributes('RANGE'),
      is_local,
      projection: (part.Projection?.ProjectionType ?? 'ALL') as KeyPlan['projection'],
      included: part.Projection?.NonKeyAttributes ?? [],
    }
  }
  return {
    name: description.TableName ?? '',
    table: keyPlan(description, false),
    indexes: [
      ...(description.GlobalSecondaryIndexes ?? []).map((index) => keyPlan(index, false)),
      ...(description.LocalSecondaryIndexes ?? []).map((index) => keyPlan(index, true)),
    ],
    has_infrequent_access: description.TableClassSummary?.TableClass === 'STANDARD_INFREQUENT_ACCESS',
  }
}

/** Returns the plan of an index, or of the table when `index` is undefined or unknown. */
export function keyPlanOf(table: TablePlan, index: string | undefined): KeyPlan {
  return table.indexes.find((plan) => plan.index === index) ?? table.table
}

/** Returns the primary key of an item. */
export function keyOf(table: TablePlan, item: Item): Key {
  return keyIn(table.table, item)
}

/** Returns those attributes of an item that are in the key of a table or an index. */
export function keyIn(plan: KeyPlan, item: Item): Key {
  return pickKey(item, [...plan.hash, ...plan.range].map(({ name }) => name))
}

export function isKeyAttribute(plan: KeyPlan, name: string): boolean {
  return [...plan.hash, ...plan.range].some((attribute) => attribute.name === name)
}
