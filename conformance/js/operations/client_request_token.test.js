// A ClientRequestToken: a repeated transaction takes effect only once.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, failure, mismatch } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { N, S } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S'] }))

const key = (name) => ({ pk: S(name) })
const fresh = () => randomUUID()
const update = (Key, UpdateExpression, values) => ({ Update: { TableName, Key, UpdateExpression, ExpressionAttributeValues: values } })
const get = async (name) => (await answer(db.getItem({ TableName, Key: key(name), ConsistentRead: true }))).Item

describe('a token', () => {
  const counting = (name, ClientRequestToken, options) => db.transactWriteItems({
    ClientRequestToken, TransactItems: [update(key(name), 'ADD n :one', { ':one': N(1) })], ...options })

  it('makes the same request take effect once', async () => {
    const [name, token] = [fresh(), fresh()]
    expect([await answer(counting(name, token)), await answer(counting(name, token))]).toEqual([{}, {}])
    expect(await get(name)).toEqual({ ...key(name), n: N(1) })
    await counting(name, fresh())
    expect(await get(name)).toEqual({ ...key(name), n: N(2) })
  })

  it('reports a replay as reads', async () => {
    const [name, token] = [fresh(), fresh()]
    const capacity = async () => (await answer(counting(name, token, { ReturnConsumedCapacity: 'TOTAL' }))).ConsumedCapacity
    expect(await capacity()).toEqual([{ TableName, CapacityUnits: 2, WriteCapacityUnits: 2 }])
    expect(await capacity()).toEqual([{ TableName, CapacityUnits: 2, ReadCapacityUnits: 2 }])
  })

  it('refuses another request', async () => {
    const [name, token] = [fresh(), fresh()]
    await counting(name, token)
    const seen = await failure(counting(fresh(), token))
    expect(seen).toEqual(mismatch(seen.message))
    expect(await get(name)).toEqual({ ...key(name), n: N(1) })
  })

  it('is at most 36 characters', async () => {
    const { name, message } = await failure(counting(fresh(), 'x'.repeat(37)))
    expect(name).toBe('ValidationException')
    expect(message).toMatch(/^1 validation error detected: Value ('x{37}' at 'c|at 'C)lientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36$/)
  })
})
