// UpdateItem: how each action changes an item, what it returns, and what it refuses.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, conditionFailed, failure, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { L, M, N, NS, NULL, S, SS } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S'] }))

let last = 0
const freshKey = () => ({ pk: S(`item-${++last}`) })
const get = async (Key) => (await answer(db.getItem({ TableName, Key, ConsistentRead: true }))).Item
const update = (Key, UpdateExpression, values, options) =>
  db.updateItem({ TableName, Key, UpdateExpression, ExpressionAttributeValues: values, ...options })

async function stored(attributes) {
  const Key = freshKey()
  await db.putItem({ TableName, Item: { ...Key, ...attributes } })
  return Key
}

describe('an update', () => {
  // expression, values, the item before, the item after
  it.each([
    ['SET a = :v', { ':v': N(1) }, {}, { a: N(1) }],
    ['SET a = :v', { ':v': S('new') }, { a: N(1), b: N(2) }, { a: S('new'), b: N(2) }],
    ['SET a = b, b = a', undefined, { a: N(1), b: N(2) }, { a: N(2), b: N(1) }],
    ['SET a = a + :v', { ':v': N('0.1') }, { a: N('0.2') }, { a: N('0.3') }],
    ['SET a = :v - a', { ':v': N(1) }, { a: N(5) }, { a: N(-4) }],
    ['SET a = a + :v', { ':v': N('0.00000000000000000001') }, { a: N('123456789012345678') }, { a: N('123456789012345678.00000000000000000001') }],
    ['SET a = if_not_exists(a, :v)', { ':v': N(1) }, {}, { a: N(1) }],
    ['SET a = if_not_exists(a, :v)', { ':v': N(1) }, { a: NULL }, { a: NULL }],
    ['SET a = if_not_exists(a, :v) + :one', { ':v': N(0), ':one': N(1) }, { a: N(41) }, { a: N(42) }],
    ['SET a = list_append(a, :v)', { ':v': L(N(2)) }, { a: L(N(1)) }, { a: L(N(1), N(2)) }],
    ['SET a = list_append(:v, a)', { ':v': L(N(2)) }, { a: L(N(1)) }, { a: L(N(2), N(1)) }],
    ['SET a = list_append(if_not_exists(a, :e), :v)', { ':v': L(N(2)), ':e': L() }, {}, { a: L(N(2)) }],
    ['SET a[1] = :v', { ':v': N(9) }, { a: L(N(0), N(1)) }, { a: L(N(0), N(9)) }],
    ['SET a[7] = :v', { ':v': N(9) }, { a: L(N(0)) }, { a: L(N(0), N(9)) }],
    ['SET a[9] = :v, a[5] = :w', { ':v': N(9), ':w': N(5) }, { a: L(N(0)) }, { a: L(N(0), N(5), N(9)) }],
    ['SET a.b = :v', { ':v': N(9) }, { a: M({ c: N(1) }) }, { a: M({ b: N(9), c: N(1) }) }],
    ['SET a.b[0].c = :v', { ':v': N(9) }, { a: M({ b: L(M({})) }) }, { a: M({ b: L(M({ c: N(9) })) }) }],
    ['REMOVE a', undefined, { a: N(1), b: N(2) }, { b: N(2) }],
    ['REMOVE nothing', undefined, { b: N(2) }, { b: N(2) }],
    ['REMOVE a[0], a[2]', undefined, { a: L(N(0), N(1), N(2), N(3)) }, { a: L(N(1), N(3)) }],
    ['REMOVE a[9]', undefined, { a: L(N(0)) }, { a: L(N(0)) }],
    ['REMOVE a.b', undefined, { a: M({ b: N(1) }) }, { a: M({}) }],
    ['ADD a :v', { ':v': N(5) }, {}, { a: N(5) }],
    ['ADD a :v', { ':v': N(-5) }, { a: N(2) }, { a: N(-3) }],
    ['ADD a :v', { ':v': SS('b', 'c') }, { a: SS('a', 'b') }, { a: SS('a', 'b', 'c') }],
    ['ADD a :v', { ':v': NS(3) }, {}, { a: NS(3) }],
    ['ADD a.n :v', { ':v': N(1) }, { a: M({ n: N(1) }) }, { a: M({ n: N(2) }) }],
    ['DELETE a :v', { ':v': SS('b', 'x') }, { a: SS('a', 'b') }, { a: SS('a') }],
    ['DELETE a :v', { ':v': SS('a') }, { a: SS('a') }, {}],
    ['DELETE a :v', { ':v': SS('a') }, {}, {}],
    ['SET a = :v REMOVE b ADD c :one DELETE d :s', { ':v': S('x'), ':one': N(1), ':s': SS('q') }, { b: N(1), c: N(1), d: SS('p', 'q') },
      { a: S('x'), c: N(2), d: SS('p') }],
    ['remove b set a = :v', { ':v': S('x') }, { b: N(1) }, { a: S('x') }],
  ])('%s with %j', async (expression, values, before, after) => {
    const Key = await stored(before)
    expect(await answer(update(Key, expression, values, { ReturnValues: 'ALL_NEW' }))).toEqual({ Attributes: { ...Key, ...after } })
    expect(await get(Key)).toEqual({ ...Key, ...after })
  })
})

describe('an item that does not exist', () => {
  it('is created from its key', async () => {
    const Key = freshKey()
    expect(await answer(update(Key, 'SET a = :v', { ':v': N(1) }))).toEqual({})
    expect(await get(Key)).toEqual({ ...Key, a: N(1) })
  })

  it('is created from its key alone without an expression', async () => {
    const Key = freshKey()
    expect(await answer(db.updateItem({ TableName, Key, ReturnValues: 'ALL_NEW' }))).toEqual({ Attributes: Key })
    expect(await get(Key)).toEqual(Key)
  })

  it('is not created by REMOVE', async () => {
    const Key = freshKey()
    expect(await answer(update(Key, 'REMOVE a', undefined, { ReturnValues: 'ALL_NEW' }))).toEqual({})
    expect(await get(Key)).toBeUndefined()
  })

  it('is not created when the condition fails', async () => {
    const Key = freshKey()
    expect(await failure(update(Key, 'SET a = :v', { ':v': N(1) }, { ConditionExpression: 'attribute_exists(pk)' }))).toEqual(conditionFailed())
    expect(await get(Key)).toBeUndefined()
  })
})

describe('ReturnValues', () => {
  const before = { a: N(1), m: M({ x: N(1), y: N(2), z: N(3) }), l: L(N(0), N(1), N(2)), gone: S('g') }
  const expression = 'SET a = :v, m.x = :v, m.new = :v, l[2] = :v REMOVE gone, m.y'
  const values = { ':v': N(9) }
  const after = { a: N(9), m: M({ x: N(9), z: N(3), new: N(9) }), l: L(N(0), N(1), N(9)) }

  it.each([
    ['NONE', (key) => ({})],
    ['ALL_OLD', (key) => ({ Attributes: { ...key, ...before } })],
    ['ALL_NEW', (key) => ({ Attributes: { ...key, ...after } })],
    ['UPDATED_OLD', () => ({ Attributes: { a: N(1), m: M({ x: N(1), y: N(2) }), l: L(N(2)), gone: S('g') } })],
    ['UPDATED_NEW', () => ({ Attributes: { a: N(9), m: M({ x: N(9), new: N(9) }), l: L(N(9)) } })],
  ])('%s returns its part', async (ReturnValues, expected) => {
    const Key = await stored(before)
    const names = { '#new': 'new' }
    expect(await answer(update(Key, expression.replace('m.new', 'm.#new'), values, { ReturnValues, ExpressionAttributeNames: names }))).toEqual(expected(Key))
  })

  it.each([
    ['ALL_OLD of a new item', () => freshKey(), 'SET a = :v', 'ALL_OLD'],
    ['UPDATED_OLD of a new item', () => freshKey(), 'SET a = :v', 'UPDATED_OLD'],
    ['UPDATED_NEW of what was removed', () => stored({ a: N(1) }), 'REMOVE a', 'UPDATED_NEW'],
  ])('%s is no Attributes at all', async (_, key, expression, ReturnValues) => {
    const values = expression.includes(':v') ? { ':v': N(1) } : undefined
    expect(await answer(update(await key(), expression, values, { ReturnValues }))).toEqual({})
  })

  it('shows the stored item when the condition fails and ALL_OLD is asked for', async () => {
    const Key = await stored({ a: N(1) })
    const options = { ConditionExpression: 'a = :v', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }
    expect(await failure(update(Key, 'SET a = :v', { ':v': N(2) }, options))).toEqual(conditionFailed({ ...Key, a: N(1) }))
  })
})

describe('refusals before anything is read', () => {
  const I = '1 validation error detected: Invalid UpdateExpression: '
  const operand = (operator, type) => `${I}Incorrect operand type for operator or function; operator: ${operator}, operand type: ${type}, typeSet: ALLOWED_FOR_${operator}_OPERAND`
  it.each([
    ['INVALID SYNTAX HERE', undefined, `${I}Syntax error; token: "INVALID", near: "INVALID SYNTAX"`],
    ['', undefined, `${I}The expression can not be empty;`],
    ['SET a = :v', undefined, `${I}An expression attribute value used in expression is not defined; attribute value: :v`],
    ['SET #a = :v', { ':v': N(1) }, `${I}An expression attribute name used in the document path is not defined; attribute name: #a`],
    ['SET a = :v', { ':v': N(1), ':u': N(2) }, '1 validation error detected: Value provided in ExpressionAttributeValues unused in expressions: keys: {:u}'],
    ['SET status = :v', { ':v': N(1) }, `${I}Attribute name is a reserved keyword; reserved keyword: status`],
    ['SET a = :v SET b = :v', { ':v': N(1) }, `${I}The "SET" section can only be used once in an update expression;`],
    ['SET a = nope(:v)', { ':v': N(1) }, `${I}Invalid function name; function: nope`],
    ['SET a = :v, a = :v', { ':v': N(1) }, `${I}Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]`],
    ['SET c[1].a = :v REMOVE c', { ':v': N(1) },
      `${I}Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [c, [1], a], path two: [c]`],
    ['SET a.c = :v, a[1] = :v', { ':v': N(1) },
      `${I}Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, c], path two: [a, [1]]`],
    ['ADD a :v', { ':v': S('x') }, operand('ADD', 'STRING')],
    ['ADD a :v', { ':v': L() }, operand('ADD', 'LIST')],
    ['DELETE a :v', { ':v': N(1) }, operand('DELETE', 'NUMBER')],
    ['SET a = list_append(:v)', { ':v': L() },
      `${I}Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1`],
    ['SET a = if_not_exists(:v, :v)', { ':v': N(1) }, `${I}Operator or function requires a document path; operator or function: if_not_exists`],
    ['SET a = a + :v', { ':v': S('x') }, `${I}Incorrect operand type for operator or function; operator or function: +, operand type: S`],
    ['SET pk = :v', { ':v': S('x') }, 'One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key'],
    ['REMOVE pk', undefined, 'One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key'],
  ])('%s with %j', async (expression, values, message) => {
    const Key = freshKey()
    expect(await failure(update(Key, expression, values))).toEqual(validation(message))
    expect(await get(Key)).toBeUndefined()
  })
})

describe('refusals of what the item holds', () => {
  const path = 'The document path provided in the update expression is invalid for update'
  const type = 'An operand in the update expression has an incorrect data type'
  it.each([
    ['SET a = b', undefined, 'The provided expression refers to an attribute that does not exist in the item'],
    ['SET a = b + :v', { ':v': N(1) }, 'The provided expression refers to an attribute that does not exist in the item'],
    ['SET s = s + :v', { ':v': N(1) }, type],
    ['SET a = list_append(s, :v)', { ':v': L() }, type],
    ['ADD s :v', { ':v': N(1) }, type],
    ['ADD ss :v', { ':v': NS(1) }, type],
    ['DELETE n :v', { ':v': SS('x') }, type],
    ['SET nix.deep = :v', { ':v': N(1) }, path],
    ['SET s.deep = :v', { ':v': N(1) }, path],
    ['SET m[0] = :v', { ':v': N(1) }, path],
    ['SET n = n + :v', { ':v': N('9e125') }, 'Number overflow. Attempting to store a number with magnitude larger than supported range'],
    ['SET n = n + :v', { ':v': N('1e-40') }, 'Number overflow. Attempting to store a number with magnitude larger than supported range'],
  ])('%s with %j', async (expression, values, message) => {
    const before = { s: S('x'), n: N('9E125'), m: M({}), ss: SS('a') }
    const Key = await stored(before)
    expect(await failure(update(Key, expression, values))).toEqual(validation(message))
    expect((await get(Key)).s).toEqual(S('x'))
  })

  it('says the condition failed before it looks at the update', async () => {
    const Key = await stored({ a: N(1) })
    expect(await failure(update(Key, 'SET a = absent', undefined, { ConditionExpression: 'attribute_exists(nope)' }))).toEqual(conditionFailed())
  })
})
