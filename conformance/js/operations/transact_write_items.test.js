// TransactWriteItems: all or nothing, cancellation reasons, refusals.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, cancelled, failure, notFound, validation } from '../support/answers.js'
import { definition, uniqueName, useTable } from '../support/tables.js'
import { N, S } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S'] }))
const Second = useTable(db, definition({ key: ['pk:S', 'sk:N'] }))

const key = (name) => ({ pk: S(name) })
const put = (Item, options) => ({ Put: { TableName, Item, ...options } })
const update = (Key, UpdateExpression, values, options) => ({ Update: { TableName, Key, UpdateExpression, ExpressionAttributeValues: values, ...options } })
const remove = (Key, options) => ({ Delete: { TableName, Key, ...options } })
const check = (Key, ConditionExpression, options) => ({ ConditionCheck: { TableName, Key, ConditionExpression, ...options } })
const write = (...TransactItems) => db.transactWriteItems({ TransactItems })
const get = async (name) => (await answer(db.getItem({ TableName, Key: key(name), ConsistentRead: true }))).Item
const fresh = () => randomUUID()

describe('a transaction', () => {
  it('puts, updates, deletes and checks in several tables at once', async () => {
    const [a, b, c, d] = [fresh(), fresh(), fresh(), fresh()]
    await write(put({ ...key(b), n: N(1) }), put(key(c)), put({ ...key(d), on: S('yes') }))
    expect(await answer(write(
      put({ ...key(a), v: S('x') }),
      update(key(b), 'SET n = n + :one', { ':one': N(1) }),
      remove(key(c), { ConditionExpression: 'attribute_exists(pk)' }),
      check(key(d), 'attribute_exists(pk)'),
      { Put: { TableName: Second, Item: { pk: S(a), sk: N(1) } } },
    ))).toEqual({})
    expect(await answer(db.transactGetItems({ TransactItems: [
      ...[a, b, c, d].map((name) => ({ Get: { TableName, Key: key(name) } })),
      { Get: { TableName: Second, Key: { pk: S(a), sk: N(1) } } },
    ] }))).toEqual({ Responses: [
      { Item: { ...key(a), v: S('x') } }, { Item: { ...key(b), n: N(2) } }, {}, { Item: { ...key(d), on: S('yes') } }, { Item: { pk: S(a), sk: N(1) } },
    ] })
  })

  it('takes a hundred actions', async () => {
    const names = Array.from({ length: 100 }, fresh)
    expect(await answer(write(...names.map((name) => put(key(name)))))).toEqual({})
    const { Responses } = await answer(db.transactGetItems({ TransactItems: names.map((name) => ({ Get: { TableName, Key: key(name) } })) }))
    expect(Responses).toEqual(names.map((name) => ({ Item: key(name) })))
  })

  it('names every condition that failed, and writes nothing', async () => {
    const [a, b, c] = [fresh(), fresh(), fresh()]
    await write(put({ ...key(b), v: S('old') }))
    const seen = await failure(write(
      put(key(a)),
      put(key(b), { ConditionExpression: 'attribute_not_exists(pk)', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      check(key(c), 'attribute_exists(pk)', { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    ))
    const text = 'The conditional request failed'
    expect(seen).toEqual(cancelled('None', { Code: 'ConditionalCheckFailed', Message: text, Item: { ...key(b), v: S('old') } }, 'ConditionalCheckFailed'))
    expect([await get(a), await get(b)]).toEqual([undefined, { ...key(b), v: S('old') }])
  })

  const reason = (Message) => ({ Code: 'ValidationError', Message })
  it.each([
    ['a put of another key type', put({ pk: N(1) }), 'One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N'],
    ['a put without its key', put({ a: N(1) }), 'One or more parameter values were invalid: Missing the key pk in the item'],
    ['a delete by another key type', remove({ pk: N(1) }), 'The provided key element does not match the schema'],
    ['a missing operand', update(key('nobody'), 'SET a = b + :v', { ':v': N(1) }), 'The provided expression refers to an attribute that does not exist in the item'],
    ['a missing path', update(key('nobody'), 'SET a.b = :v', { ':v': N(1) }), 'The document path provided in the update expression is invalid for update'],
  ])('is cancelled by %s alone, whatever else is wrong', async (_, action, message) => {
    const name = fresh()
    const seen = await failure(write(put(key(name)), action))
    expect(seen).toEqual(cancelled('None', reason(message)))
    expect(await get(name)).toBeUndefined()
  })

  it('reports an invalid action and not the conditions', async () => {
    expect(await failure(write(check(key(fresh()), 'attribute_exists(pk)'), remove({ pk: N(1) }))))
      .toEqual(cancelled('None', reason('The provided key element does not match the schema')))
  })
})

describe('a request refused whole', () => {
  const empty = 'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk'
  it.each([
    ['the same item twice', [put(key('x')), check(key('x'), 'attribute_exists(pk)')], 'Transaction request cannot include multiple operations on one item'],
    ['an empty key', [put(key('x')), put(key(''))], empty],
    ['an empty condition', [put(key('x'), { ConditionExpression: '' })], 'Invalid ConditionExpression: The expression can not be empty;'],
    ['a syntax error', [put(key('x'), { ConditionExpression: 'attribute_not_exists(' })], 'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "("'],
    ['an unused value', [put(key('x'), { ConditionExpression: 'attribute_exists(a)', ExpressionAttributeValues: { ':v': N(1) } })],
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}'],
    ['an unused name', [put(key('x'), { ConditionExpression: 'attribute_exists(a)', ExpressionAttributeNames: { '#n': 'n' } })],
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}'],
    ['an undefined value', [put(key('x'), { ConditionExpression: 'a = :xyz' })],
      'Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :xyz'],
    ['a number that is none', [put({ ...key('x'), n: N('abc') })], 'The parameter cannot be converted to a numeric value: abc'],
    ['an item over 400 KB', [put({ ...key('x'), a: S('x'.repeat(409_600)) })], 'Item size has exceeded the maximum allowed size'],
  ])('for %s', async (_, actions, message) => {
    expect(await failure(write(...actions))).toEqual(validation(message))
    expect(await get('x')).toBeUndefined()
  })

  it('for a table that does not exist', async () => {
    expect(await failure(write(put(key('x')), { Put: { TableName: uniqueName(), Item: key('x') } }))).toEqual(notFound())
    expect(await get('x')).toBeUndefined()
  })

  it.each([['TransactWriteItems', (TransactItems) => db.transactWriteItems({ TransactItems })], ['TransactGetItems', (TransactItems) => db.transactGetItems({ TransactItems })]])(
    'for no action or more than a hundred, by %s', async (_, call) => {
      const bound = (rule) => new RegExp(`^1 validation error detected: Value .*at '[tT]ransactItems' failed to satisfy constraint: Member must have length ${rule}$`, 's')
      const actions = Array.from({ length: 101 }, (_unused, n) => (call.toString().includes('Get') ? { Get: { TableName, Key: key(`m${n}`) } } : put(key(`m${n}`))))
      expect((await failure(call([]))).message).toMatch(bound('greater than or equal to 1'))
      expect((await failure(call(actions))).message).toMatch(bound('less than or equal to 100'))
    })
})
