// Writes of the console: a change of one item from an image that was seen to another one, as a request that fails when the item is
// no longer as it was seen. Undo is the change in the other direction. Pure functions.
//
//   before   after   request
//   –        item    PutItem, attribute_not_exists
//   item     –       DeleteItem, every attribute as seen
//   item     item    UpdateItem of what differs, every attribute as seen; attributes that somebody else added meanwhile stay
//   item     item with another key    TransactWriteItems of a Put and a Delete

import { attributeOf, type AttributeValue, type Item } from '../api/values'
import { areEqual, areItemsEqual } from './values'
import { isKeyAttribute, keyOf, type TablePlan } from './tables'

/** The images of one item before and after a write; an image that is undefined means that there is no item. */
export interface Change {
  before?: Item
  after?: Item
}

export interface WriteRequest {
  operation: 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'TransactWriteItems'
  input: Record<string, unknown>
  /** How many attributes of the item the condition leaves out, because an expression has a limit. */
  uncompared: number
}

// An expression has at most 300 operators and 4,096 bytes (docs/service/04-expressions.md): 150 comparisons with an AND between them.
const kMaxCompared = 150
// "#s123=:s123," is 12 bytes.
const kMaxAssigned = 300

export function reversed({ before, after }: Change): Change {
  return { ...(after && { before: after }), ...(before && { after: before }) }
}

interface Condition {
  ConditionExpression: string
  ExpressionAttributeNames: Record<string, string>
  ExpressionAttributeValues?: Record<string, AttributeValue>
}

/** Returns the condition that an item is as it was seen; attributes in `ahead` are compared first. */
function asSeen(table: TablePlan, seen: Item, ahead: ReadonlySet<string>): { condition: Condition; uncompared: number } {
  const names = Object.keys(seen).filter((name) => !isKeyAttribute(table.table, name))
  const ordered = [...names.filter((name) => ahead.has(name)), ...names.filter((name) => !ahead.has(name))]
  const compared = ordered.slice(0, kMaxCompared)
  if (compared.length === 0) return { condition: exists('attribute_exists', table), uncompared: 0 }
  return {
    uncompared: ordered.length - compared.length,
    condition: {
      ConditionExpression: compared.map((_, at) => `#c${at}=:c${at}`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(compared.map((name, at) => [`#c${at}`, name])),
      ExpressionAttributeValues: Object.fromEntries(compared.map((name, at) => [`:c${at}`, attributeOf(seen, name)!])),
    },
  }
}

function exists(fn: 'attribute_exists' | 'attribute_not_exists', table: TablePlan): Condition {
  return { ConditionExpression: `${fn}(#k)`, ExpressionAttributeNames: { '#k': table.table.hash[0]!.name } }
}

const kTellOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }

/** Returns the request that makes a change; undefined when nothing differs. */
export function writeOf(table: TablePlan, { before, after }: Change): WriteRequest | undefined {
  const TableName = table.name
  if (!before) {
    return after && {
      operation: 'PutItem', uncompared: 0,
      input: { TableName, Item: after, ...exists('attribute_not_exists', table), ...kTellOld, ReturnConsumedCapacity: 'INDEXES' },
    }
  }
  if (!after) {
    const { condition, uncompared } = asSeen(table, before, new Set())
    return {
      operation: 'DeleteItem', uncompared,
      input: { TableName, Key: keyOf(table, before), ...condition, ReturnValues: 'ALL_OLD', ...kTellOld, ReturnConsumedCapacity: 'INDEXES' },
    }
  }
  if (!areItemsEqual(keyOf(table, before), keyOf(table, after))) {
    const { condition, uncompared } = asSeen(table, before, new Set())
    return {
      operation: 'TransactWriteItems', uncompared,
      input: {
        TransactItems: [
          { Put: { TableName, Item: after, ...exists('attribute_not_exists', table) } },
          { Delete: { TableName, Key: keyOf(table, before), ...condition } },
        ],
        ReturnConsumedCapacity: 'INDEXES',
      },
    }
  }
  return updateOf(table, before, after)
}

function updateOf(table: TablePlan, before: Item, after: Item): WriteRequest | undefined {
  const set = Object.keys(after).filter((name) => !areEqual(after[name], attributeOf(before, name)))
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  if (set.length + removed.length === 0) return undefined
  const { condition, uncompared } = asSeen(table, before, new Set([...set, ...removed]))
  // An attribute that comes new was not there.
  const compared = before && Object.keys(condition.ExpressionAttributeValues ?? {}).length
  const added = set.filter((name) => !Object.hasOwn(before, name)).slice(0, kMaxCompared - compared)
  const absent = added.map((name) => ` AND attribute_not_exists(#s${set.indexOf(name)})`).join('')
  const names = { ...condition.ExpressionAttributeNames, ...Object.fromEntries(added.map((name) => [`#s${set.indexOf(name)}`, name])) }
  const ConditionExpression = condition.ConditionExpression + absent
  if (set.length + removed.length > kMaxAssigned) {
    return {
      operation: 'PutItem', uncompared,
      input: {
        TableName: table.name, Item: after, ...condition, ConditionExpression, ExpressionAttributeNames: names,
        ReturnValues: 'ALL_OLD', ...kTellOld, ReturnConsumedCapacity: 'INDEXES',
      },
    }
  }
  const parts = [
    ...(set.length > 0 ? [`SET ${set.map((_, at) => `#s${at}=:s${at}`).join(',')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map((_, at) => `#r${at}`).join(',')}`] : []),
  ]
  return {
    operation: 'UpdateItem', uncompared,
    input: {
      TableName: table.name,
      Key: keyOf(table, before),
      UpdateExpression: parts.join(' '),
      ConditionExpression,
      ExpressionAttributeNames: {
        ...names,
        ...Object.fromEntries(set.map((name, at) => [`#s${at}`, name])),
        ...Object.fromEntries(removed.map((name, at) => [`#r${at}`, name])),
      },
      ...((condition.ExpressionAttributeValues || set.length > 0) && {
        ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ...Object.fromEntries(set.map((name, at) => [`:s${at}`, after[name]!])) },
      }),
      ReturnValues: 'ALL_OLD',
      ...kTellOld,
      ReturnConsumedCapacity: 'INDEXES',
    },
  }
}

/**
 * Returns the change that really happened. `old` is what the answer gave as ALL_OLD: it has also the attributes that somebody else
 * added after the item was seen, which no condition can exclude.
 */
export function changeThatHappened(change: Change, operation: WriteRequest['operation'], old: Item | undefined): Change {
  const { before, after } = change
  if (!old || !before) return change
  if (!after || operation !== 'UpdateItem') return { ...change, before: old }
  const added = Object.entries(old).filter(([name]) => !Object.hasOwn(before, name) && !Object.hasOwn(after, name))
  return { before: old, after: Object.fromEntries([...Object.entries(after), ...added]) }
}

/**
 * Returns what a reader's draft means for an item that somebody else changed meanwhile: attributes that the reader changed are as in
 * the draft, the others as they are now.
 */
export function rebased(seen: Item, draft: Item, present: Item): Item {
  const isOwn = (name: string) => !areEqual(attributeOf(seen, name), attributeOf(draft, name))
  const names = [...new Set([...Object.keys(present), ...Object.keys(draft)])]
  return Object.fromEntries(names.flatMap((name) => {
    const value = attributeOf(isOwn(name) ? draft : present, name)
    return value ? [[name, value] as const] : []
  }))
}
