// TransactGetItems: answers in the order of the request, projections, refusals.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, cancelled, failure, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { N, S } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S'] }))

const key = (name) => ({ pk: S(name) })
const fresh = () => randomUUID()
const put = (Item) => db.putItem({ TableName, Item })

describe('TransactGetItems', () => {
  const read = (...gets) => db.transactGetItems({ TransactItems: gets.map((each) => ({ Get: { TableName, ...each } })) })

  it('answers in the order asked and projects', async () => {
    const [a, b] = [fresh(), fresh()]
    await put({ ...key(a), x: S('1'), y: S('2') })
    await put({ ...key(b), x: S('3') })
    expect(await answer(read({ Key: key(b) }, { Key: key(fresh()) }, { Key: key(a), ProjectionExpression: '#x', ExpressionAttributeNames: { '#x': 'x' } })))
      .toEqual({ Responses: [{ Item: { ...key(b), x: S('3') } }, {}, { Item: { x: S('1') } }] })
  })

  it('refuses one item twice', async () => {
    expect(await failure(read({ Key: key('a') }, { Key: key('a') }))).toEqual(validation('Transaction request cannot include multiple operations on one item'))
  })

  it('is cancelled by a key of another type', async () => {
    expect(await failure(read({ Key: key('a') }, { Key: { pk: N(1) } }))).toEqual(
      cancelled('None', { Code: 'ValidationError', Message: 'The provided key element does not match the schema' }))
  })

  it('refuses a bad projection', async () => {
    expect(await failure(read({ Key: key('a'), ProjectionExpression: '!!! INVALID !!!' }))).toEqual(
      validation('Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"'))
  })
})
