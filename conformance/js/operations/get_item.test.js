// GetItem: projections, equal keys in different spellings, refusals.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, failure, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { L, M, N, S } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S', 'sk:N'] }))

let last = 0
const freshKey = () => ({ pk: S('k'), sk: N(++last) })
const get = (Key, options) => answer(db.getItem({ TableName, Key, ConsistentRead: true, ...options }))
const put = (Item, options) => db.putItem({ TableName, Item, ...options })

describe('GetItem', () => {
  const Item = { pk: S('get'), sk: N(1), a: S('x'), seq: L(N(0), N(1), N(2)), map: M({ in: M({ deep: S('y'), other: S('z') }) }), 'dot.ted': S('d') }
  const Key = { pk: Item.pk, sk: Item.sk }

  it.each([
    ['a', { a: S('x') }],
    ['sk, a', { sk: N(1), a: S('x') }],
    ['seq[2], seq[0]', { seq: L(N(0), N(2)) }],
    ['seq[9]', {}],
    ['#m.#i.deep', { map: M({ in: M({ deep: S('y') }) }) }],
    ['#m.#i.deep, #m.#i.#o', { map: M({ in: M({ deep: S('y'), other: S('z') }) }) }],
    ['#d', { 'dot.ted': S('d') }],
    ['nothing', {}],
  ])('projects %s', async (ProjectionExpression, expected) => {
    await put(Item)
    const all = { '#m': 'map', '#i': 'in', '#o': 'other', '#d': 'dot.ted' }
    const names = Object.fromEntries(Object.entries(all).filter(([alias]) => ProjectionExpression.includes(alias)))
    const ExpressionAttributeNames = Object.keys(names).length ? names : undefined
    expect(await get(Key, { ProjectionExpression, ExpressionAttributeNames })).toEqual({ Item: expected })
  })

  it('answers nothing for an item that does not exist', async () => {
    expect(await get(freshKey())).toEqual({})
    expect(await get(freshKey(), { ProjectionExpression: 'a' })).toEqual({})
  })

  it('finds a number key however it is written', async () => {
    await put({ pk: S('spelling'), sk: N('1.50') })
    for (const spelled of ['1.5', '01.5', '15e-1', '+1.5']) {
      expect(await get({ pk: S('spelling'), sk: N(spelled) })).toEqual({ Item: { pk: S('spelling'), sk: N('1.5') } })
    }
  })

  const mismatch = 'The provided key element does not match the schema'
  it.each([
    ['a missing sort key', { Key: { pk: S('k') } }, mismatch],
    ['an attribute too many', { Key: { pk: S('k'), sk: N(1), x: S('1') } }, mismatch],
    ['a key of another type', { Key: { pk: N(1), sk: N(1) } }, mismatch],
    ['an empty key', { Key: { pk: S(''), sk: N(1) } },
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk'],
    ['a syntax error', { Key, ProjectionExpression: '!!! INVALID !!!' }, 'Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"'],
    ['a reserved word', { Key, ProjectionExpression: 'map' }, 'Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: map'],
    ['a name that is not defined', { Key, ProjectionExpression: '#x' },
      'Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; attribute name: #x'],
    ['a name that is not used', { Key, ProjectionExpression: 'a', ExpressionAttributeNames: { '#x': 'x' } },
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}'],
    ['overlapping paths', { Key, ProjectionExpression: 'a, a.b' },
      'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]'],
    ['no key', {}, "1 validation error detected: Value null at 'key' failed to satisfy constraint: Member must not be null"],
  ])('refuses %s', async (_, request, message) => {
    expect(await failure(db.getItem({ TableName, ...request }))).toEqual(validation(message))
  })
})
