// BatchGetItem: whole answers, limits, refusals, and items that do not fit into the answer.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, failure, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { N, S } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S', 'sk:N'] }))
const Second = useTable(db, definition({ key: ['id:S'] }))

const key = (pk, sk) => ({ pk: S(pk), sk: N(sk) })
const write = (...requests) => db.batchWriteItem({ RequestItems: { [TableName]: requests } })
const put = (Item) => ({ PutRequest: { Item } })
const read = (Keys, options) => db.batchGetItem({ RequestItems: { [TableName]: { Keys, ConsistentRead: true, ...options } } })
const bySort = (list) => list.toSorted((a, b) => a.sk.N - b.sk.N)

describe('BatchGetItem', () => {
  it('leaves missing items out and lists every table', async () => {
    await write(put({ ...key('get', 1), a: S('x'), b: S('y') }), put(key('get', 2)))
    const { Responses, UnprocessedKeys } = await answer(db.batchGetItem({ RequestItems: {
      [TableName]: { Keys: [key('get', 9), key('get', 2), key('get', 1)], ConsistentRead: true }, [Second]: { Keys: [{ id: S('none') }] } } }))
    expect({ [TableName]: bySort(Responses[TableName]), [Second]: Responses[Second] })
      .toEqual({ [TableName]: [{ ...key('get', 1), a: S('x'), b: S('y') }, key('get', 2)], [Second]: [] })
    expect(UnprocessedKeys).toEqual({})
  })

  it('projects, and keeps an item of which nothing is left', async () => {
    await write(put({ ...key('project', 1), a: S('x') }), put(key('project', 2)))
    const { Responses } = await answer(read([key('project', 1), key('project', 2)], { ProjectionExpression: '#a', ExpressionAttributeNames: { '#a': 'a' } }))
    expect(Responses[TableName].toSorted((a, b) => (a.a ? -1 : 1))).toEqual([{ a: S('x') }, {}])
  })

  it('reads a hundred keys', async () => {
    for (let first = 0; first < 100; first += 25) await write(...Array.from({ length: 25 }, (_, n) => put(key('hundred', first + n))))
    const { Responses } = await answer(read(Array.from({ length: 100 }, (_, n) => key('hundred', n))))
    expect(bySort(Responses[TableName])).toEqual(Array.from({ length: 100 }, (_, n) => key('hundred', n)))
  })

  const keys = (rule) => `1 validation error detected: Value at 'RequestItems.${TableName}.member.Keys' failed to satisfy constraint: Member must have length ${rule}`
  it.each([
    ['no key', [], {}, keys('greater than or equal to 1')],
    ['101 keys', Array.from({ length: 101 }, (_, n) => key('many', n)), {}, keys('less than or equal to 100')],
    ['one key twice', [key('get', 1), { sk: N('01'), pk: S('get') }], {}, 'Provided list of item keys contains duplicates'],
    ['half a key', [{ pk: S('get') }], {}, 'The provided key element does not match the schema'],
    ['a bad projection', [key('get', 1)], { ProjectionExpression: '!!! INVALID !!!' }, 'Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"'],
    ['projection and AttributesToGet', [key('get', 1)], { ProjectionExpression: 'a', AttributesToGet: ['a'] },
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}'],
  ])('refuses %s', async (_, Keys, options, message) => {
    expect(await failure(read(Keys, options))).toEqual(validation(message))
  })

  it('refuses an empty request', async () => {
    expect(await failure(db.batchGetItem({ RequestItems: {} }))).toEqual(validation(
      "1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or equal to 1"))
  })

  it('returns what does not fit as unprocessed, and all of it in the end', async () => {
    const big = 'x'.repeat(400_000)
    for (let n = 0; n < 45; n += 9) await write(...Array.from({ length: 9 }, (_, i) => put({ ...key('big', n + i), a: S(big) })))
    let Keys = Array.from({ length: 45 }, (_, n) => key('big', n))
    const seen = []
    let rounds = 0
    while (Keys.length) {
      const { Responses, UnprocessedKeys } = await answer(read(Keys, { ProjectionExpression: 'sk' }))
      expect(Responses[TableName].length).toBeGreaterThan(0)
      seen.push(...Responses[TableName])
      const rest = UnprocessedKeys[TableName]
      if (rest) expect(rest).toEqual({ Keys: rest.Keys, ConsistentRead: true, ProjectionExpression: 'sk' })
      Keys = rest?.Keys ?? []
      rounds += 1
    }
    expect(bySort(seen)).toEqual(Array.from({ length: 45 }, (_, n) => ({ sk: N(n) })))
    expect(rounds).toBeGreaterThan(1)
  })
})
