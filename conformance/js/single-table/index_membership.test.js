// An item that gains, changes or loses an index key appears, moves or disappears in that index at the same instant,
// with every operation that writes it.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, cancelled, expectAnswer, failure, page, validation } from '../support/answers.js'
import { singleTable, uniqueName, useTable } from '../support/tables.js'

const { db, doc } = connect()
const TableName = useTable(db, singleTable)

// Index partitions are named after the case, so that cases do not affect each other. `A` and `B` mean two partitions.
const TRANSITIONS = [
  ['appears when it gains both keys', {}, { GSI1PK: 'A', GSI1SK: '1' }],
  ['appears when it gains the missing sort key', { GSI1PK: 'A' }, { GSI1PK: 'A', GSI1SK: '1' }],
  ['appears when it gains the missing partition key', { GSI1SK: '1' }, { GSI1PK: 'A', GSI1SK: '1' }],
  ['moves when its partition key changes', { GSI1PK: 'A', GSI1SK: '1' }, { GSI1PK: 'B', GSI1SK: '1' }],
  ['moves when its sort key changes', { GSI1PK: 'A', GSI1SK: '1' }, { GSI1PK: 'A', GSI1SK: '2' }],
  ['moves when both keys change', { GSI1PK: 'A', GSI1SK: '1' }, { GSI1PK: 'B', GSI1SK: '2' }],
  ['stays and shows another attribute', { GSI1PK: 'A', GSI1SK: '1', v: 1 }, { GSI1PK: 'A', GSI1SK: '1', v: 2 }],
  ['stays when nothing changes', { GSI1PK: 'A', GSI1SK: '1' }, { GSI1PK: 'A', GSI1SK: '1' }],
  ['vanishes when it loses the partition key', { GSI1PK: 'A', GSI1SK: '1' }, { GSI1SK: '1' }],
  ['vanishes when it loses the sort key', { GSI1PK: 'A', GSI1SK: '1' }, { GSI1PK: 'A' }],
  ['vanishes when it loses both keys', { GSI1PK: 'A', GSI1SK: '1' }, {}],
  ['moves from one index to the other', { GSI1PK: 'A', GSI1SK: '1' }, { GSI2PK: 'A', GSI2SK: '1' }],
  ['is in both indexes at once', { GSI1PK: 'A', GSI1SK: '1' }, { GSI1PK: 'A', GSI1SK: '1', GSI2PK: 'B', GSI2SK: '2' }],
]

/** Returns an UpdateExpression that turns one item into another: SET for all its attributes, REMOVE for those that it no longer has. */
function difference(before, after) {
  const set = Object.keys(after).filter((name) => !['PK', 'SK'].includes(name))
  const removed = Object.keys(before).filter((name) => !(name in after))
  const parts = [
    set.length && `SET ${set.map((name) => `${name} = :${name}`).join(', ')}`,
    removed.length && `REMOVE ${removed.join(', ')}`,
  ].filter(Boolean)
  return {
    ...(parts.length && { UpdateExpression: parts.join(' ') }),
    ...(set.length && { ExpressionAttributeValues: Object.fromEntries(set.map((name) => [`:${name}`, after[name]])) }),
  }
}

const keyOf = ({ PK, SK }) => ({ PK, SK })

const WRITES = {
  PutItem: (before, after) => doc.put({ TableName, Item: after }),
  UpdateItem: (before, after) => doc.update({ TableName, Key: keyOf(after), ...difference(before, after) }),
  BatchWriteItem: (before, after) => doc.batchWrite({ RequestItems: { [TableName]: [{ PutRequest: { Item: after } }] } }),
  'TransactWriteItems with Put': (before, after) => doc.transactWrite({ TransactItems: [{ Put: { TableName, Item: after } }] }),
  'TransactWriteItems with Update': (before, after) =>
    doc.transactWrite({ TransactItems: [{ Update: { TableName, Key: keyOf(after), UpdateExpression: 'REMOVE nothing', ...difference(before, after) } }] }),
}

const DELETES = {
  DeleteItem: (item) => doc.delete({ TableName, Key: keyOf(item) }),
  'BatchWriteItem with Delete': (item) => doc.batchWrite({ RequestItems: { [TableName]: [{ DeleteRequest: { Key: keyOf(item) } }] } }),
  'TransactWriteItems with Delete': (item) => doc.transactWrite({ TransactItems: [{ Delete: { TableName, Key: keyOf(item) } }] }),
}

const queryIndex = (IndexName, hash, value) => () => doc.query({
  TableName, IndexName, KeyConditionExpression: '#h = :h', ExpressionAttributeNames: { '#h': hash }, ExpressionAttributeValues: { ':h': value } })

/** Asserts that both sparse indexes and the inverse index have only this item, under its keys. */
async function expectIndexed(partitions, item, exists = true) {
  for (const index of ['GSI1', 'GSI2']) {
    for (const partition of partitions) {
      const member = exists && item[`${index}PK`] === partition && `${index}SK` in item
      await expectAnswer(queryIndex(index, `${index}PK`, partition), page(member ? [item] : []))
    }
  }
  await expectAnswer(queryIndex('inverse', 'SK', item.SK), page(exists ? [item] : []))
}

function place(attributes) {
  const name = uniqueName('item')
  const within = (value) => (value === 'A' || value === 'B' ? `${name}-${value}` : value)
  const build = (some) => ({ PK: `PK#${name}`, SK: `SK#${name}`,
    ...Object.fromEntries(Object.entries(some).map(([key, value]) => [key, within(value)])) })
  return { partitions: [within('A'), within('B')], items: attributes.map(build) }
}

describe.each(Object.entries(WRITES))('an item written by %s', (_, write) => {
  it.each(TRANSITIONS)('%s', async (name, first, second) => {
    const { partitions, items: [before, after] } = place([first, second])
    await doc.put({ TableName, Item: before })
    await expectIndexed(partitions, before)
    await write(before, after)
    expect(await answer(doc.get({ TableName, Key: keyOf(after), ConsistentRead: true }))).toEqual({ Item: after })
    await expectIndexed(partitions, after)
  })
})

describe.each(Object.entries(DELETES))('an item deleted by %s', (_, remove) => {
  it('vanishes from every index', async () => {
    const { partitions, items: [item] } = place([{ GSI1PK: 'A', GSI1SK: '1', GSI2PK: 'B', GSI2SK: '2' }])
    await doc.put({ TableName, Item: item })
    await expectIndexed(partitions, item)
    await remove(item)
    await expectIndexed(partitions, item, false)
  })
})

describe('a write that fails', () => {
  it('moves nothing when its condition fails', async () => {
    const { partitions, items: [item, wanted] } = place([{ GSI1PK: 'A', GSI1SK: '1' }, { GSI1PK: 'B', GSI1SK: '1' }])
    await doc.put({ TableName, Item: item })
    await failure(doc.put({ TableName, Item: wanted, ConditionExpression: 'attribute_not_exists(PK)' }))
    await expectIndexed(partitions, item)
  })

  it('moves nothing when a transaction is cancelled', async () => {
    const { partitions, items: [item, wanted] } = place([{ GSI1PK: 'A', GSI1SK: '1' }, { GSI1PK: 'B', GSI1SK: '1' }])
    await doc.put({ TableName, Item: item })
    expect(await failure(doc.transactWrite({ TransactItems: [
      { Put: { TableName, Item: wanted } },
      { ConditionCheck: { TableName, Key: { PK: 'no', SK: 'such' }, ConditionExpression: 'attribute_exists(PK)' } },
    ] }))).toEqual(cancelled('None', 'ConditionalCheckFailed'))
    await expectIndexed(partitions, item)
  })

  it.each([
    ['PutItem', (item) => doc.put({ TableName, Item: { ...item, GSI1SK: 5 } }),
      'One or more parameter values were invalid: Type mismatch for Index Key GSI1SK Expected: S Actual: N IndexName: GSI1'],
    ['UpdateItem', (item) => doc.update({ TableName, Key: keyOf(item), UpdateExpression: 'SET GSI1SK = :n', ExpressionAttributeValues: { ':n': 5 } }),
      'One or more parameter values were invalid: Type mismatch for Index Key GSI1SK Expected: S Actual: N IndexName: GSI1'],
    ['UpdateItem with a computed value', (item) => doc.update({ TableName, Key: keyOf(item), UpdateExpression: 'SET GSI1SK = n + :n', ExpressionAttributeValues: { ':n': 5 } }),
      'One or more parameter values were invalid: Type mismatch for Index Key GSI1SK Expected: S Actual: N IndexName: GSI1'],
    ['UpdateItem with an attribute\'s value', (item) => doc.update({ TableName, Key: keyOf(item), UpdateExpression: 'SET GSI1SK = n' }),
      'The update expression attempted to update the secondary index key to unsupported type'],
  ])('moves nothing when %s gives an index key another type', async (_, write, message) => {
    const { partitions, items: [item] } = place([{ GSI1PK: 'A', GSI1SK: '1', n: 1 }])
    await doc.put({ TableName, Item: item })
    expect(await failure(write(item))).toEqual(validation(message))
    await expectIndexed(partitions, item)
  })
})
