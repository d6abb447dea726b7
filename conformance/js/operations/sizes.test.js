// Limits in bytes: the item of 400 KB, the page of 1 MB, keys, and how sizes are counted.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, failure, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { BOOL, L, M, N, NULL, S, SS } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S', 'sk:N'] }))
const LIMIT = 409_600

const key = (pk, sk = 0) => ({ pk: S(pk), sk: N(sk) })
const put = (Item) => answer(db.putItem({ TableName, Item }))
const size = (text) => 'pk'.length + text.length + 'sk'.length // and 1 byte for the number 0

describe('an item', () => {
  const exact = (pk) => LIMIT - size(pk) - 1 - 'a'.length

  it('may have 409,600 bytes and no more', async () => {
    expect(await put({ ...key('fits'), a: S('x'.repeat(exact('fits'))) })).toEqual({})
    expect(await failure(put({ ...key('over'), a: S('x'.repeat(exact('over') + 1)) }))).toEqual(validation('Item size has exceeded the maximum allowed size'))
  })

  it('is measured in UTF-8 bytes', async () => {
    expect(await failure(put({ ...key('utf8'), a: S('é'.repeat(exact('utf8') / 2 + 1)) }))).toEqual(validation('Item size has exceeded the maximum allowed size'))
  })

  // each with the bytes of its value
  it.each([
    ['a number', N('123.45'), 1 + 2 + 1], ['a negative number', N(-42), 3], ['a hundred', N(100), 2], ['zero', N(0), 1], ['a boolean', BOOL(true), 1],
    ['NULL', NULL, 1], ['a set', SS('a', 'bcd'), 4], ['a list', L(S('ab'), N(1)), 3 + 2 + 2 + 2], ['a map', M({ k: S('ab') }), 3 + 1 + 1 + 2], ['an empty list', L(), 3],
  ])('counts %s', async (name, value, bytes) => {
    const fits = exact(name) - bytes - 'v'.length
    expect(await put({ ...key(name), v: value, a: S('x'.repeat(fits)) })).toEqual({})
    expect(await failure(put({ ...key(name), v: value, a: S('x'.repeat(fits + 1)) }))).toEqual(validation('Item size has exceeded the maximum allowed size'))
  })

  it('does not grow beyond it by an update', async () => {
    const Key = key('grow')
    await put({ ...Key, a: S('x'.repeat(exact('grow') - 100)) })
    expect(await failure(db.updateItem({ TableName, Key, UpdateExpression: 'SET b = :b', ExpressionAttributeValues: { ':b': S('x'.repeat(100)) } })))
      .toEqual(validation('Item size to update has exceeded the maximum allowed size'))
    expect((await answer(db.getItem({ TableName, Key, ConsistentRead: true }))).Item.b).toBeUndefined()
  })
})

describe('a page', () => {
  const BIG = 60_000
  const items = Array.from({ length: 20 }, (_, n) => ({ ...key('page', n), a: S('x'.repeat(BIG)), n: N(n) }))

  const Paged = useTable(db, definition({ key: ['pk:S', 'sk:N'] }), async (created) => {
    for (let first = 0; first < items.length; first += 10) {
      await db.batchWriteItem({ RequestItems: { [created]: items.slice(first, first + 10).map((Item) => ({ PutRequest: { Item } })) } })
    }
  })

  it('ends when it has read one megabyte, before filter and projection', async () => {
    const request = { TableName: Paged, ConsistentRead: true, KeyConditionExpression: 'pk = :p', FilterExpression: 'n < :n', ProjectionExpression: 'n',
      ExpressionAttributeValues: { ':p': S('page'), ':n': N(1) } }
    const first = await answer(db.query(request))
    // 18 items of about 60 KB pass one megabyte
    expect(first).toEqual({ Items: [{ n: N(0) }], Count: 1, ScannedCount: 18, LastEvaluatedKey: key('page', 17) })
    expect(await answer(db.query({ ...request, ExclusiveStartKey: first.LastEvaluatedKey }))).toEqual({ Items: [], Count: 0, ScannedCount: 2 })
  })

  it('ends so backward too', async () => {
    const first = await answer(db.query({ TableName: Paged, ConsistentRead: true, ScanIndexForward: false, Select: 'COUNT',
      KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S('page') } }))
    expect(first).toEqual({ Count: 18, ScannedCount: 18, LastEvaluatedKey: key('page', 2) })
  })
})

describe('a key', () => {
  it.each([['partition key', 2048], ['partition key', 1]])('that is a %s of %i bytes is fine', async (_, length) => {
    const Key = key('x'.repeat(length))
    expect(await put(Key)).toEqual({})
    expect(await answer(db.getItem({ TableName, Key, ConsistentRead: true }))).toEqual({ Item: Key })
  })

  it('that is too long is refused by reads and writes', async () => {
    const tooLong = validation('One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes')
    const Key = key('x'.repeat(2049))
    expect(await failure(put(Key))).toEqual(tooLong)
    expect(await failure(db.getItem({ TableName, Key }))).toEqual(tooLong)
    expect(await failure(db.deleteItem({ TableName, Key }))).toEqual(tooLong)
  })

  const Ranged = useTable(db, definition({ key: ['pk:S', 'sk:S'] }))
  it('that sorts may have 1024 bytes', async () => {
    expect(await answer(db.putItem({ TableName: Ranged, Item: { pk: S('p'), sk: S('x'.repeat(1024)) } }))).toEqual({})
    expect(await failure(db.putItem({ TableName: Ranged, Item: { pk: S('p'), sk: S('x'.repeat(1025)) } }))).toEqual(
      validation('One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes'))
  })
})
