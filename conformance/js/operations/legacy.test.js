// The parameters from before expressions: Expected, AttributeUpdates, KeyConditions, QueryFilter, ScanFilter, AttributesToGet.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, conditionFailed, failure, notFound, page, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { B, BOOL, L, M, N, NS, NULL, S, SS } from '../support/values.js'

const { db } = connect()
const Item = { pk: S('p'), sk: N(1), s: S('hello'), n: N(10), b: B(1, 2), t: BOOL(true), nil: NULL, ss: SS('a', 'b'), l: L(N(1), NULL), 'a.b': S('dot') }
const others = [2, 3].map((sk) => ({ pk: S('p'), sk: N(sk), n: N(sk) }))
const TableName = useTable(db, definition({ key: ['pk:S', 'sk:N'], gsi: { byName: ['name:S'] } }), async (created) => {
  for (const item of [Item, ...others]) await db.putItem({ TableName: created, Item: item })
})

const Key = { pk: S('p'), sk: N(1) }
const get = async (key) => (await answer(db.getItem({ TableName, Key: key, ConsistentRead: true }))).Item
const is = (ComparisonOperator, ...AttributeValueList) =>
  AttributeValueList.length ? { ComparisonOperator, AttributeValueList } : { ComparisonOperator }
const enveloped = (message) => validation(`1 validation error detected: ${message}`)
const P = 'One or more parameter values were invalid: '

const TRUTHS = [
  ['s', is('EQ', S('hello')), true], ['s', is('EQ', N(1)), false], ['n', is('EQ', N('10.0')), true], ['ss', is('EQ', SS('b', 'a')), true],
  ['l', is('EQ', L(N(1), NULL)), true], ['absent', is('EQ', S('x')), false], ['s', is('NE', S('x')), true], ['s', is('NE', S('hello')), false],
  ['absent', is('NE', S('x')), true], ['n', is('LT', N(11)), true], ['n', is('LT', N(10)), false], ['n', is('LE', N(10)), true],
  ['n', is('LT', S('z')), false], ['n', is('GT', N(9)), true], ['n', is('GE', N(10)), true], ['b', is('GT', B(1)), true], ['absent', is('GT', N(0)), false],
  ['n', is('BETWEEN', N(10), N(12)), true], ['n', is('BETWEEN', N(11), N(12)), false], ['s', is('IN', S('x'), S('hello')), true], ['s', is('IN', S('x')), false],
  ['s', is('BEGINS_WITH', S('hel')), true], ['s', is('BEGINS_WITH', S('lo')), false], ['b', is('BEGINS_WITH', B(1)), true],
  ['s', is('CONTAINS', S('ell')), true], ['ss', is('CONTAINS', S('b')), true], ['ss', is('CONTAINS', S('c')), false], ['l', is('CONTAINS', NULL), true],
  ['s', is('NOT_CONTAINS', S('x')), true], ['ss', is('NOT_CONTAINS', S('a')), false], ['absent', is('NOT_CONTAINS', S('x')), false],
  ['absent', is('NULL'), true], ['nil', is('NULL'), false], ['nil', is('NOT_NULL'), true], ['absent', is('NOT_NULL'), false], ['a.b', is('EQ', S('dot')), true],
]

describe('an item', () => {
  it.each(TRUTHS)('whose %s %j is %s', async (name, condition, truth) => {
    const count = { Count: truth ? 1 : 0, ScannedCount: 1 }
    const KeyConditions = { pk: is('EQ', S('p')), sk: is('EQ', N(1)) }
    expect(await answer(db.query({ TableName, ConsistentRead: true, Select: 'COUNT', KeyConditions, QueryFilter: { [name]: condition } }))).toEqual(count)
    const one = { sk: is('EQ', N(1)), [name]: condition }
    expect(await answer(db.scan({ TableName, ConsistentRead: true, Select: 'COUNT', ScanFilter: one }))).toEqual({ ...count, ScannedCount: 3 })
    const written = db.putItem({ TableName, Item, Expected: { [name]: condition } })
    if (truth) expect(await answer(written)).toEqual({})
    else expect(await failure(written)).toEqual(conditionFailed())
  })
})

describe('Expected', () => {
  it.each([
    [{ s: { Value: S('hello') } }, undefined, true], [{ s: { Value: S('hello'), Exists: true } }, undefined, true], [{ absent: { Exists: false } }, undefined, true],
    [{ s: { ComparisonOperator: 'BEGINS_WITH', Value: S('h') } }, undefined, true], [{ s: { Exists: false } }, undefined, false], [{ s: { Value: S('x') } }, undefined, false],
    [{ s: { Value: S('hello') }, n: { Value: N(0) } }, undefined, false], [{ s: { Value: S('hello') }, n: { Value: N(0) } }, 'AND', false],
    [{ s: { Value: S('hello') }, n: { Value: N(0) } }, 'OR', true], [{ s: { Value: S('x') }, n: { Value: N(0) } }, 'OR', false], [{}, undefined, true],
  ])('%j joined by %s holds: %s', async (Expected, ConditionalOperator, truth) => {
    const update = db.updateItem({ TableName, Key, Expected, ConditionalOperator })
    if (truth) expect(await answer(update)).toEqual({})
    else expect(await failure(update)).toEqual(conditionFailed())
  })

  it('protects a delete, and shows the item when asked', async () => {
    const remove = (options) => db.deleteItem({ TableName, Key, Expected: { s: { Exists: false } }, ...options })
    expect(await failure(remove())).toEqual(conditionFailed())
    expect(await failure(remove({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }))).toEqual(conditionFailed(Item))
    expect(await get(Key)).toEqual(Item)
  })

  const about = (text) => `${P}${text} for Attribute: a`
  it.each([
    [{ Value: S('x'), AttributeValueList: [] }, about('Value and AttributeValueList cannot be used together')],
    [{ Exists: true, ComparisonOperator: 'LT' }, about('Exists and ComparisonOperator cannot be used together')],
    [{ ComparisonOperator: 'EQ' }, about('Value or AttributeValueList must be used with ComparisonOperator: EQ')],
    [is('EQ', S('x'), S('y')), `${P}Invalid number of argument(s) for the EQ ComparisonOperator`],
    [is('IN', S('x'), N(1)), `${P}AttributeValues inside AttributeValueList must be of same type`],
    [is('BETWEEN', N(2), N(1)), 'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound'],
    [{ AttributeValueList: [S('x')] }, about('AttributeValueList can only be used with a ComparisonOperator')],
    [{}, about('Value must be provided when Exists is null')], [{ Exists: true }, about('Value must be provided when Exists is true')],
    [{ Exists: false, Value: S('x') }, about('Value cannot be used when Exists is false')],
    [{ Value: N('abc') }, 'The parameter cannot be converted to a numeric value: abc'],
  ])('%j is refused: %s', async (entry, message) => {
    const Expected = { a: entry }
    expect(await failure(db.putItem({ TableName, Item: { ...Key, changed: NULL }, Expected }))).toEqual(enveloped(message))
    expect(await failure(db.deleteItem({ TableName, Key, Expected }))).toEqual(enveloped(message))
    expect(await failure(db.updateItem({ TableName, Key, AttributeUpdates: { changed: { Value: NULL } }, Expected }))).toEqual(enveloped(message))
    expect(await get(Key)).toEqual(Item)
  })

  it('of one attribute needs no ConditionalOperator', async () => {
    const put = db.putItem({ TableName, Item, Expected: { s: { Value: S('hello') } }, ConditionalOperator: 'AND' })
    expect(await failure(put)).toEqual(enveloped('ConditionalOperator can only be used when Filter or Expected has two or more elements'))
  })
})

describe('AttributeUpdates', () => {
  let last = 100
  const fresh = () => ({ pk: S('updated'), sk: N(++last) })

  it.each([
    [{ a: { Value: N(1) } }, {}, { a: N(1) }],
    [{ a: { Action: 'PUT', Value: S('new') } }, { a: N(1) }, { a: S('new') }],
    [{ 'a.b': { Value: M({}) } }, { a: N(1) }, { a: N(1), 'a.b': M({}) }],
    [{ a: { Action: 'ADD', Value: N('-0.5') } }, { a: N(1) }, { a: N('0.5') }],
    [{ a: { Action: 'ADD', Value: N(5) } }, {}, { a: N(5) }],
    [{ a: { Action: 'ADD', Value: SS('b', 'c') } }, { a: SS('a', 'b') }, { a: SS('a', 'b', 'c') }],
    [{ a: { Action: 'ADD', Value: L(N(2)) } }, { a: L(N(1)) }, { a: L(N(1), N(2)) }],
    [{ a: { Action: 'DELETE' } }, { a: N(1), b: N(2) }, { b: N(2) }],
    [{ a: { Action: 'DELETE', Value: NS('1.0', 9) } }, { a: NS(1, 2) }, { a: NS(2) }],
    [{ a: { Action: 'DELETE', Value: NS(1) } }, { a: NS(1) }, {}],
    [{ a: { Action: 'DELETE', Value: NS(1) } }, {}, {}],
  ])('%j of %j', async (AttributeUpdates, before, after) => {
    const key = fresh()
    await db.putItem({ TableName, Item: { ...key, ...before } })
    expect(await answer(db.updateItem({ TableName, Key: key, AttributeUpdates, ReturnValues: 'ALL_NEW' }))).toEqual({ Attributes: { ...key, ...after } })
    expect(await get(key)).toEqual({ ...key, ...after })
  })

  it('return the named attributes', async () => {
    const key = fresh()
    await db.putItem({ TableName, Item: { ...key, a: N(1), b: N(2), c: M({ d: N(3) }) } })
    const AttributeUpdates = { a: { Action: 'DELETE' }, c: { Value: S('c') }, e: { Action: 'ADD', Value: N(5) } }
    const update = (ReturnValues) => answer(db.updateItem({ TableName, Key: key, AttributeUpdates, ReturnValues }))
    expect(await update('UPDATED_OLD')).toEqual({ Attributes: { a: N(1), c: M({ d: N(3) }) } })
    expect(await update('UPDATED_NEW')).toEqual({ Attributes: { c: S('c'), e: N(10) } })
  })

  it('that only delete make no item', async () => {
    const key = fresh()
    expect(await answer(db.updateItem({ TableName, Key: key, AttributeUpdates: { a: { Action: 'DELETE' } } }))).toEqual({})
    expect(await get(key)).toBeUndefined()
  })

  it.each([
    [{ s: {} }, enveloped(`${P}Only DELETE action is allowed when no attribute value is specified`)],
    [{ s: { Action: 'DELETE', Value: N(1) } }, enveloped(`${P}DELETE action with value is not supported for the type N`)],
    [{ s: { Action: 'ADD', Value: S('x') } }, enveloped(`${P}ADD action is not supported for the type S`)],
    [{ s: { Action: 'x' } }, enveloped("Value 'x' at 'attributeUpdates.s.member.action' failed to satisfy constraint: Member must satisfy enum value set: [ADD, PUT, DELETE]")],
    [{ pk: { Value: S('x') } }, validation(`${P}Cannot update attribute pk. This attribute is part of the key`)],
    [{ name: { Value: N(1) } }, validation(`${P}Type mismatch for Index Key name Expected: S Actual: N IndexName: byName`)],
    [{ s: { Action: 'ADD', Value: N(1) } }, validation('Type mismatch for attribute to update')],
    [{ ss: { Action: 'DELETE', Value: NS(1) } }, validation('Type mismatch for attribute to update')],
  ])('%j are refused', async (AttributeUpdates, error) => {
    expect(await failure(db.updateItem({ TableName, Key, AttributeUpdates }))).toEqual(error)
    expect(await get(Key)).toEqual(Item)
  })
})

describe('KeyConditions', () => {
  const query = (sk, options) => db.query({ TableName, ConsistentRead: true, KeyConditions: sk ? { pk: is('EQ', S('p')), sk } : { pk: is('EQ', S('p')) }, ...options })

  it.each([
    [undefined, [1, 2, 3]], [is('EQ', N(2)), [2]], [is('LT', N(2)), [1]], [is('LE', N(2)), [1, 2]], [is('GT', N(2)), [3]], [is('GE', N(2)), [2, 3]],
    [is('BETWEEN', N('1.5'), N(3)), [2, 3]], [is('EQ', N(9)), []],
  ])('with %j select %j', async (sk, expected) => {
    const found = expected.map((number) => ({ sk: N(number) }))
    expect(await answer(query(sk, { AttributesToGet: ['sk'] }))).toEqual(page(found))
    expect(await answer(query(sk, { AttributesToGet: ['sk'], ScanIndexForward: false }))).toEqual(page(found.toReversed()))
  })

  it('go with a FilterExpression', async () => {
    expect(await answer(query(undefined, { FilterExpression: 'n = :n', ExpressionAttributeValues: { ':n': N(3) } })))
      .toEqual({ Items: [others[1]], Count: 1, ScannedCount: 3 })
  })

  it.each([
    [{}, 'Conditions can be of length 1 or 2 only'], [{ sk: is('EQ', N(1)) }, 'Query condition missed key schema element: pk'],
    [{ pk: is('EQ', S('p')), n: is('EQ', N(1)) }, 'Query condition missed key schema element: sk'],
    [{ pk: is('GT', S('p')) }, 'Query key condition not supported'], [{ pk: is('EQ', N(1)) }, `${P}Condition parameter type does not match schema type`],
    ...['NE', 'IN', 'CONTAINS', 'NOT_CONTAINS'].map((operator) => [{ pk: is('EQ', S('p')), sk: is(operator, N(1)) }, 'Attempted conditional constraint is not an indexable operation']),
    ...['NULL', 'NOT_NULL'].map((operator) => [{ pk: is('EQ', S('p')), sk: is(operator) }, 'Attempted conditional constraint is not an indexable operation']),
    [{ pk: is('LT', SS('p')) }, `${P}ComparisonOperator LT is not valid for SS AttributeValue type`],
    [{ pk: {} }, "1 validation error detected: Value null at 'keyConditions.pk.member.comparisonOperator' failed to satisfy constraint: Member must not be null"],
  ])('%j are refused: %s', async (KeyConditions, message) => {
    expect(await failure(db.query({ TableName, KeyConditions }))).toEqual(validation(message))
  })

  it.each(['pk', 'sk'])('are not repeated by a QueryFilter on %s', async (name) => {
    expect(await failure(query(undefined, { QueryFilter: { [name]: is('NOT_NULL') } })))
      .toEqual(validation(`QueryFilter can only contain non-primary key attributes: Primary key attribute: ${name}`))
  })
})

describe('AttributesToGet', () => {
  const read = (AttributesToGet) => db.getItem({ TableName, Key, ConsistentRead: true, AttributesToGet })

  it('name top-level attributes and add no keys', async () => {
    expect(await answer(read(['a.b', 'n', 'absent']))).toEqual({ Item: { 'a.b': S('dot'), n: N(10) } })
    expect(await answer(read(['absent']))).toEqual({ Item: {} })
  })

  it('are 1 to 255, each once', async () => {
    expect(await failure(read([]))).toEqual(enveloped("Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1"))
    const { message } = await failure(read(Array.from({ length: 256 }, (_, i) => `a${i}`)))
    expect(message).toMatch(/^1 validation error detected: .* failed to satisfy constraint: Member must have length less than or equal to 255$/)
    expect(await failure(read(['n', 's', 'n']))).toEqual(validation(`${P}Duplicate value in attribute name: n`))
  })
})

describe('legacy parameters', () => {
  const mixed = (legacy, modern) => 'Can not use both expression and non-expression parameters in the same request: ' +
    `Non-expression parameters: {${legacy}} Expression parameters: {${modern}}`

  it('do not mix with expressions', async () => {
    expect(await failure(db.putItem({ TableName, Item, Expected: {}, ConditionExpression: 'x' }))).toEqual(enveloped(mixed('Expected', 'ConditionExpression')))
    expect(await failure(db.updateItem({ TableName, Key, AttributeUpdates: {}, Expected: {}, UpdateExpression: 'x', ConditionExpression: 'x' })))
      .toEqual(enveloped(mixed('AttributeUpdates, Expected', 'UpdateExpression, ConditionExpression')))
    expect(await failure(db.scan({ TableName, AttributesToGet: ['a'], ScanFilter: {}, ConditionalOperator: 'OR', ProjectionExpression: 'x', FilterExpression: 'x' })))
      .toEqual(validation(mixed('AttributesToGet, ScanFilter, ConditionalOperator', 'ProjectionExpression, FilterExpression')))
    expect(await failure(db.query({ TableName, KeyConditions: {}, KeyConditionExpression: 'x' }))).toEqual(validation(mixed('KeyConditions', 'KeyConditionExpression')))
  })

  it('are checked before the table is looked up', async () => {
    const missing = { TableName: 'conformance-missing' }
    expect(await failure(db.scan({ ...missing, ScanFilter: { a: is('EQ') } }))).toEqual(validation(`${P}Invalid number of argument(s) for the EQ ComparisonOperator`))
    expect(await failure(db.scan({ ...missing, ScanFilter: { a: is('NULL') } }))).toEqual(notFound())
  })
})
