// Key conditions that a Query refuses, in the three stages of their checks.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, failure, notFound, page, validation } from '../support/answers.js'
import { definition, uniqueName, useTable } from '../support/tables.js'
import { BOOL, N, S } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S', 'sk:N'], gsi: { byText: ['gpk:S', 'gsk:S'] } }),
  (created) => db.putItem({ TableName: created, Item: { pk: S('p'), sk: N(1), a: S('x') } }))

const I = 'Invalid KeyConditionExpression: '
const C = 'Invalid condition in KeyConditionExpression: '
const operand = (name, type) => `${I}Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`
const schemaType = 'One or more parameter values were invalid: Condition parameter type does not match schema type'

const run = (KeyConditionExpression, values, options) =>
  db.query({ TableName, KeyConditionExpression, ExpressionAttributeValues: { ':p': S('p'), ...values }, ...options })

const a = (value) => ({ ':a': value })

describe('a key condition', () => {
  it.each([
    ['of undefined values', 'pk = :p AND sk = :x', {}, `${I}An expression attribute value used in expression is not defined; attribute value: :x`],
    ['that ends early', 'pk = :p AND', {}, `${I}Syntax error; token: "<EOF>", near: "AND"`],
    ['in doubled parentheses', '((pk = :p))', {}, `${I}The expression has redundant parentheses;`],
    ['begins_with a number', 'pk = :p AND begins_with(sk, :a)', a(N(1)), operand('begins_with', 'N')],
    ['less than a boolean', 'pk = :p AND sk < :a', a(BOOL(true)), operand('<', 'BOOL')],
    ['a boolean first', 'pk = :p AND :a >= sk', a(BOOL(true)), operand('>=', 'BOOL')],
    ['between booleans', 'pk = :p AND sk BETWEEN :a AND :a', a(BOOL(true)), operand('BETWEEN', 'BOOL')],

    ['with OR', 'pk = :p OR sk = :a', a(N(1)), 'Invalid operator used in KeyConditionExpression: OR'],
    ['with NOT', 'pk = :p AND NOT sk = :a', a(N(1)), 'Invalid operator used in KeyConditionExpression: NOT'],
    ['with IN', 'pk = :p AND sk IN (:a)', a(N(1)), 'Invalid operator used in KeyConditionExpression: IN'],
    ['with <>', 'pk = :p AND sk <> :a', a(N(1)), 'Invalid operator used in KeyConditionExpression: <>'],
    ['with contains', 'pk = :p AND contains(sk, :a)', a(N(1)), 'Invalid operator used in KeyConditionExpression: contains'],
    ['with attribute_exists', 'pk = :p AND attribute_exists(sk)', {}, 'Invalid operator used in KeyConditionExpression: attribute_exists'],
    ['with size', 'pk = :p AND size(sk) = :a', a(N(1)), 'KeyConditionExpressions cannot contain nested operations'],
    ['of two attributes', 'pk = :p AND sk = unrelated', {}, `${C}Multiple attribute names used in one condition`],
    ['of a nested attribute', 'pk = :p AND sk.x = :a', a(N(1)), `${I}KeyConditionExpressions cannot have conditions on nested attributes`],
    ['of no attribute', 'pk = :p AND :p = :a', a(N(1)), `${C}No key attribute specified`],
    ['twice on one attribute', 'pk = :p AND sk > :a AND sk < :a', a(N(1)), `${I}KeyConditionExpressions must only contain one condition per key`],

    ['of three attributes', 'pk = :p AND sk = :a AND unrelated = :a', a(N(1)),
      'The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)'],
    ['without the partition key', 'sk = :a', a(N(1)), 'Query condition missed key schema element: pk'],
    ['on another attribute', 'pk = :p AND unrelated = :a', a(N(1)), 'Query condition missed key schema element: sk'],
    ['with a range of partition keys', 'pk > :p AND sk = :a', a(N(1)), 'Query key condition not supported'],
    ['with a partition key of another type', 'pk = :a', a(N(1)), schemaType],
    ['with a sort key of another type', 'pk = :p AND sk = :a', a(S('1')), schemaType],
    ['with a sort key that is a boolean', 'pk = :p AND sk = :a', a(BOOL(true)), schemaType],
    ['with a prefix of a number', 'pk = :p AND begins_with(sk, :a)', a(S('1')), schemaType],
  ])('%s is refused', async (_, expression, values, message) => {
    const used = Object.fromEntries(Object.entries({ ':p': S('p'), ...values }).filter(([name]) => expression.includes(name)))
    expect(await failure(db.query({ TableName, KeyConditionExpression: expression, ExpressionAttributeValues: used }))).toEqual(validation(message))
  })

  it.each(['(pk = :p) AND (sk = :a)', '(pk = :p AND sk = :a)', 'sk = :a AND pk = :p', ':p = pk AND :a = sk', 'pk=:p and sk=:a'])(
    '%s is fine', async (expression) => {
      expect(await answer(run(expression, a(N(1))))).toEqual(page([{ pk: S('p'), sk: N(1), a: S('x') }]))
    })

  it('is needed', async () => {
    expect(await failure(db.query({ TableName }))).toEqual(
      validation('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.'))
  })

  it('is read before the table is looked for', async () => {
    expect(await failure(run('pk = :p AND begins_with(sk, :a)', a(N(1)), { TableName: uniqueName() }))).toEqual(validation(operand('begins_with', 'N')))
    expect(await failure(run('pk = :p AND sk = :a', a(S('1')), { TableName: uniqueName() }))).toEqual(notFound())
  })
})

describe('a query', () => {
  it.each([
    ['Limit 0', { Limit: 0 }, "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"],
    ['an empty table name', { TableName: '' }, "1 validation error detected: Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1"],
    ['a filter on its partition key', { FilterExpression: 'pk = :p' },
      'Filter Expression can only contain non-primary key attributes: Primary key attribute: pk'],
    ['a projection below its sort key', { ProjectionExpression: 'sk.deep' },
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: sk"],
    ['an unknown index', { IndexName: 'nope' }, 'The table does not have the specified index: nope'],
  ])('with %s is refused', async (_, options, message) => {
    expect(await failure(run('pk = :p', {}, options))).toEqual(validation(message))
  })

  it('of an index may filter on the keys of the table, and not on its own', async () => {
    const index = { IndexName: 'byText', ExpressionAttributeValues: { ':p': S('p'), ':n': N(1) } }
    expect(await answer(run('gpk = :p', {}, { ...index, FilterExpression: 'sk = :n' }))).toEqual(page([]))
    expect(await failure(run('gpk = :p', {}, { ...index, FilterExpression: 'gsk = :n' }))).toEqual(
      validation('Filter Expression can only contain non-primary key attributes: Primary key attribute: gsk'))
  })
})
