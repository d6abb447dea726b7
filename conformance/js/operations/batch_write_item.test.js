// BatchWriteItem: puts and deletes in several tables, limits, and batches refused before anything is written.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, failure, notFound, validation } from '../support/answers.js'
import { definition, uniqueName, useTable } from '../support/tables.js'
import { N, S } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S', 'sk:N'], gsi: { byName: ['name:S'] } }))
const Second = useTable(db, definition({ key: ['id:S'] }))

const key = (pk, sk) => ({ pk: S(pk), sk: N(sk) })
const write = (...requests) => db.batchWriteItem({ RequestItems: { [TableName]: requests } })
const put = (Item) => ({ PutRequest: { Item } })
const remove = (Key) => ({ DeleteRequest: { Key } })
const read = (Keys, options) => db.batchGetItem({ RequestItems: { [TableName]: { Keys, ConsistentRead: true, ...options } } })
const bySort = (list) => list.toSorted((a, b) => a.sk.N - b.sk.N)

describe('BatchWriteItem', () => {
  it('puts and deletes in several tables', async () => {
    await write(put(key('mix', 1)), put(key('mix', 2)))
    expect(await answer(db.batchWriteItem({ RequestItems: {
      [TableName]: [put({ ...key('mix', 3), a: S('x') }), remove(key('mix', 1)), remove(key('mix', 99))],
      [Second]: [put({ id: S('mix') })],
    } }))).toEqual({ UnprocessedItems: {} })
    const { Responses, UnprocessedKeys } = await answer(db.batchGetItem({ RequestItems: {
      [TableName]: { Keys: [1, 2, 3].map((n) => key('mix', n)), ConsistentRead: true },
      [Second]: { Keys: [{ id: S('mix') }], ConsistentRead: true },
    } }))
    expect(bySort(Responses[TableName])).toEqual([key('mix', 2), { ...key('mix', 3), a: S('x') }])
    expect(Responses[Second]).toEqual([{ id: S('mix') }])
    expect(UnprocessedKeys).toEqual({})
  })

  it('takes 25 and no more', async () => {
    const puts = Array.from({ length: 26 }, (_, n) => put(key('full', n)))
    expect(await answer(write(...puts.slice(0, 25)))).toEqual({ UnprocessedItems: {} })
    const { name, message } = await failure(write(...puts))
    expect(name).toBe('ValidationException')
    expect(message).toMatch(/^1 validation error detected: Value .*failed to satisfy constraint: (Map value must satisfy constraint: \[)?Member must have length less than or equal to 25/)
  })

  const mismatch = 'The provided key element does not match the schema'
  const empty = 'One or more parameter values are not valid. '
  it.each([
    ['the same key twice', [put(key('no', 1)), put(key('no', '1.0'))], 'Provided list of item keys contains duplicates'],
    ['a put and a delete of one key', [put(key('no', 1)), remove(key('no', 1))], 'Provided list of item keys contains duplicates'],
    ['a put without its sort key', [put(key('no', 1)), put({ pk: S('no') })], mismatch],
    ['a put with a key of another type', [put(key('no', 1)), put({ pk: S('no'), sk: S('2') })], mismatch],
    ['a delete with an attribute too many', [put(key('no', 1)), remove({ ...key('no', 2), x: S('x') })], mismatch],
    ['an empty key', [put(key('no', 1)), put(key('', 2))], `${empty}The AttributeValue for a key attribute cannot contain an empty string value. Key: pk`],
    ['an index key of another type', [put(key('no', 1)), put({ ...key('no', 2), name: N(1) })],
      'One or more parameter values were invalid: Type mismatch for Index Key name Expected: S Actual: N IndexName: byName'],
    ['a number that is none', [put(key('no', 1)), put({ ...key('no', 2), a: N('abc') })], 'The parameter cannot be converted to a numeric value: abc'],
    ['an item over 400 KB', [put(key('no', 1)), put({ ...key('no', 2), a: S('x'.repeat(409_600)) })], 'Item size has exceeded the maximum allowed size'],
  ])('writes nothing of a batch with %s', async (_, requests, message) => {
    expect(await failure(write(...requests))).toEqual(validation(message))
    expect(await answer(read([key('no', 1)]))).toEqual({ Responses: { [TableName]: [] }, UnprocessedKeys: {} })
  })

  it('writes nothing when one table is missing', async () => {
    expect(await failure(db.batchWriteItem({ RequestItems: { [TableName]: [put(key('no', 1))], [uniqueName()]: [put(key('no', 1))] } }))).toEqual(notFound())
    expect(await answer(read([key('no', 1)]))).toEqual({ Responses: { [TableName]: [] }, UnprocessedKeys: {} })
  })

  it('reports both unknown words', async () => {
    const request = { RequestItems: { [TableName]: [put(key('no', 1))] }, ReturnConsumedCapacity: 'X', ReturnItemCollectionMetrics: 'Y' }
    expect(await failure(db.batchWriteItem(request))).toEqual(validation('2 validation errors detected: '
      + "Value 'X' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; "
      + "Value 'Y' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]"))
  })
})
