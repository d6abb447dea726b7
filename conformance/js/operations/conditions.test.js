// Conditions and filters: the result of each form for an item, and the message for each form that makes no sense.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, conditionFailed, failure, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { B, BOOL, BS, L, M, N, NS, NULL, S, SS } from '../support/values.js'

const { db } = connect()
const Item = {
  pk: S('p'), s: S('hello'), n: N(10), b: B(1, 2, 3), t: BOOL(true), nil: NULL, ss: SS('a', 'b'), ns: NS(1, 2), bs: BS([1], [2]),
  l: L(N(1), M({ x: S('y') }), SS('q')), m: M({ k: S('v'), mid: M({ z: N(1) }) }), emoji: S('😀'), s2: S('hello'), bigger: N(11),
}
const TableName = useTable(db, definition({ key: ['pk:S'] }), (created) => db.putItem({ TableName: created, Item }))

const query = (FilterExpression, values) => db.query({ TableName, ConsistentRead: true, Select: 'COUNT', KeyConditionExpression: 'pk = :pk',
  FilterExpression, ExpressionAttributeValues: { ':pk': S('p'), ...values } })
const scan = (FilterExpression, values) => db.scan({ TableName, ConsistentRead: true, Select: 'COUNT', FilterExpression, ExpressionAttributeValues: values })
const condition = (ConditionExpression, values) => db.updateItem({ TableName, Key: { pk: S('p') }, ConditionExpression, ExpressionAttributeValues: values })

const v = (value) => ({ ':v': value })

const TRUTHS = [
  ['s = :v', v(S('hello')), true], ['s = :v', v(S('Hello')), false], ['s = s2', undefined, true], [':v = s', v(S('hello')), true],
  ['n = :v', v(N('10.0')), true], ['n = :v', v(S('10')), false], ['absent = :v', v(S('x')), false], ['nil = :v', v(NULL), true],
  ['ss = :v', v(SS('b', 'a')), true], ['ns = :v', v(NS('2.0', 1)), true], ['l = :v', v(L(N(1), M({ x: S('y') }), SS('q'))), true],
  ['m = :v', v(M({ mid: M({ z: N(1) }), k: S('v') })), true], ['m = :v', v(M({ k: S('v') })), false],
  ['s <> :v', v(S('x')), true], ['s <> :v', v(S('hello')), false], ['absent <> :v', v(S('x')), true], ['s <> :v', v(N(1)), true],
  ['n < :v', v(N(11)), true], ['n < :v', v(N(10)), false], ['n < :v', v(S('z')), false], ['n < bigger', undefined, true], ['absent < :v', v(N(1)), false],
  ['n <= :v', v(N(10)), true], ['n > :v', v(N('9.99')), true], ['n >= :v', v(N(10)), true], ['b < :v', v(B(1, 2, 4)), true], ['s > :v', v(S('Zebra')), true],
  ['n BETWEEN :v AND :w', { ':v': N(10), ':w': N(12) }, true], ['n BETWEEN :v AND :w', { ':v': N(11), ':w': N(12) }, false],
  ['n BETWEEN :v AND bigger', v(N(1)), true], ['s BETWEEN :v AND :w', { ':v': N(1), ':w': N(2) }, false],
  ['s IN (:v, :w)', { ':v': S('x'), ':w': S('hello') }, true], ['s IN (:v)', v(N(1)), false], ['absent IN (:v)', v(N(1)), false], ['s IN (s2)', undefined, true],
  ['attribute_exists(s)', undefined, true], ['attribute_exists(nil)', undefined, true], ['attribute_exists(m.mid.z)', undefined, true],
  ['attribute_exists(l[1].x)', undefined, true], ['attribute_exists(l[3])', undefined, false], ['attribute_not_exists(absent)', undefined, true],
  ['attribute_not_exists(m.mid)', undefined, false],
  ['attribute_type(s, :v)', v(S('S')), true], ['attribute_type(ss, :v)', v(S('SS')), true], ['attribute_type(nil, :v)', v(S('NULL')), true],
  ['attribute_type(absent, :v)', v(S('S')), false], ['attribute_type(n, :v)', v(S('S')), false],
  ['begins_with(s, :v)', v(S('hel')), true], ['begins_with(s, :v)', v(S('')), true], ['begins_with(s, :v)', v(S('hello!')), false],
  ['begins_with(b, :v)', v(B(1, 2)), true], ['begins_with(n, :v)', v(S('1')), false], ['begins_with(absent, :v)', v(S('')), false],
  ['contains(s, :v)', v(S('ell')), true], ['contains(b, :v)', v(B(2, 3)), true], ['contains(ss, :v)', v(S('b')), true], ['contains(ss, :v)', v(S('c')), false],
  ['contains(ns, :v)', v(N('1.0')), true], ['contains(bs, :v)', v(B(2)), true], ['contains(l, :v)', v(N(1)), true], ['contains(l, :v)', v(M({ x: S('y') })), true],
  ['contains(s, :v)', v(N(1)), false], ['contains(n, :v)', v(N(1)), false],
  ['size(s) = :v', v(N(5)), true], ['size(b) = :v', v(N(3)), true], ['size(ss) = :v', v(N(2)), true], ['size(l) = :v', v(N(3)), true],
  ['size(m) = :v', v(N(2)), true], ['size(emoji) = :v', v(N(2)), true], ['size(n) > :v', v(N(0)), false], ['size(absent) >= :v', v(N(0)), false],
  ['size(s) BETWEEN :v AND n', v(N(1)), true],
  ['NOT s = :v', v(S('x')), true], ['NOT contains(absent, :v)', v(S('x')), true], ['not (s = :v or n = :v)', v(S('x')), true],
  ['s = :v OR n = :w AND n <> :w', { ':v': S('hello'), ':w': N(10) }, true], ['(s = :v OR n = :w) AND n <> :w', { ':v': S('hello'), ':w': N(10) }, false],
  ['NOT s = :v AND n = :w', { ':v': S('hello'), ':w': N(10) }, false], ['NOT (s = :v AND n = :w)', { ':v': S('hello'), ':w': N(1) }, true],
  [':v = :w', { ':v': N(1), ':w': N('1.0') }, true],
]

describe('an item', () => {
  it.each(TRUTHS)('%s with %j is %s', async (expression, values, truth) => {
    const count = { Count: truth ? 1 : 0, ScannedCount: 1 }
    expect(await answer(query(expression, values))).toEqual(count)
    expect(await answer(scan(expression, values))).toEqual(count)
    if (truth) expect(await answer(condition(expression, values))).toEqual({})
    else expect(await failure(condition(expression, values))).toEqual(conditionFailed())
  })
})

const syntax = (token, near) => `Syntax error; token: "${token}", near: "${near}"`
const operand = (name, type) => `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`
const distinct = (name, path) => `The first operand must be distinct from the remaining operands for this operator or function; operator: ${name}, first operand: [${path}]`
const bounds = (rule, low, high) => `The BETWEEN operator requires ${rule}; lower bound operand: AttributeValue: {${low}}, upper bound operand: AttributeValue: {${high}}`

const REFUSED = [
  ['', undefined, 'The expression can not be empty;'],
  ['a = = b', undefined, syntax('=', '= = b')],
  ['attribute_not_exists(', undefined, syntax('<EOF>', '(')],
  ['((a = :v))', v(N(1)), 'The expression has redundant parentheses;'],
  ['Attribute_Exists(a)', undefined, 'Invalid function name; function: Attribute_Exists'],
  ['size(a)', undefined, 'The function is not allowed to be used this way in an expression; function: size'],
  ['status = :v', v(N(1)), 'Attribute name is a reserved keyword; reserved keyword: status'],
  ['a.Status = :v', v(N(1)), 'Attribute name is a reserved keyword; reserved keyword: Status'],
  ['#a = :v', v(N(1)), 'An expression attribute name used in the document path is not defined; attribute name: #a'],
  ['a = :nope', undefined, 'An expression attribute value used in expression is not defined; attribute value: :nope'],
  ['attribute_exists(a, b)', undefined, 'Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2'],
  ['begins_with(a)', undefined, 'Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1'],
  ['a = a', undefined, distinct('=', 'a')],
  ['contains(a, a)', undefined, distinct('contains', 'a')],
  ['attribute_exists(:v)', v(S('a')), 'Operator or function requires a document path; operator or function: attribute_exists'],
  ['begins_with(a, :v)', v(N(1)), operand('begins_with', 'N')],
  ['a < :v', v(BOOL(true)), operand('<', 'BOOL')],
  ['a BETWEEN :v AND :v', v(L()), operand('BETWEEN', 'L')],
  ['size(:v) = :v', v(N(1)), operand('size', 'N')],
  ['a BETWEEN :v AND :w', { ':v': N(1), ':w': S('a') }, bounds('same data type for lower and upper bounds', 'N:1', 'S:a')],
  ['a BETWEEN :v AND :w', { ':v': S('b'), ':w': S('a') }, bounds('upper bound to be greater than or equal to lower bound', 'S:b', 'S:a')],
  ['attribute_type(a, :v)', v(S('X')), 'Invalid attribute type name found; type: X, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}'],
  ['x'.repeat(4097), undefined, 'Expression size has exceeded the maximum allowed size; expression size: 4097'],
]

describe('an expression that makes no sense', () => {
  it.each(REFUSED.map((row) => [row[0].slice(0, 40), ...row]))('%s', async (_, expression, values, message) => {
    expect(await failure(condition(expression, values))).toEqual(validation(`1 validation error detected: Invalid ConditionExpression: ${message}`))
    expect(await failure(scan(expression, values))).toEqual(validation(`Invalid FilterExpression: ${message}`))
    expect(await failure(query(expression, values))).toEqual(validation(`Invalid FilterExpression: ${message}`))
  })
})

describe('names and values', () => {
  const conditional = (request) => db.putItem({ TableName, Item: { pk: S('q') }, ...request })
  const enveloped = (message) => validation(`1 validation error detected: ${message}`)

  it.each([
    ['no names', { ConditionExpression: 'attribute_exists(a)', ExpressionAttributeNames: {} }, 'ExpressionAttributeNames must not be empty'],
    ['no values', { ConditionExpression: 'attribute_exists(a)', ExpressionAttributeValues: {} }, 'ExpressionAttributeValues must not be empty'],
    ['a bad name', { ConditionExpression: 'attribute_exists(a)', ExpressionAttributeNames: { a: 'b' } },
      'ExpressionAttributeNames contains invalid key: Syntax error; key: "a"'],
    ['a bad value', { ConditionExpression: 'a = :v', ExpressionAttributeValues: { v: S('b') } },
      'ExpressionAttributeValues contains invalid key: Syntax error; key: "v"'],
    ['an unused name', { ConditionExpression: 'attribute_exists(a)', ExpressionAttributeNames: { '#b': 'b' } },
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}'],
    ['expression and Expected', { ConditionExpression: 'attribute_exists(a)', Expected: { a: { Exists: false } } },
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}'],
  ])('are refused with %s', async (_, request, message) => {
    expect(await failure(conditional(request))).toEqual(enveloped(message))
  })
})
