// ExecuteTransaction: all or nothing, EXISTS, tokens, cancellation, refusals.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, cancelled, failure, mismatch, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { N, S } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S'] }))

const fresh = () => randomUUID()
const statement = (text, ...Parameters) =>
  ({ Statement: text.replace(/\bT\b/, `"${TableName}"`), Parameters: Parameters.length ? Parameters : undefined })
const insert = (pk) => statement("INSERT INTO T VALUE {'pk':?,'n':1}", S(pk))
const add = (pk) => statement('UPDATE T SET n = n + 1 WHERE pk = ?', S(pk))
const exists = (pk, n) => statement('EXISTS(SELECT * FROM T WHERE pk = ? AND n = ?)', S(pk), N(n))
const select = (pk) => statement('SELECT * FROM T WHERE pk = ?', S(pk))
const transact = (...TransactStatements) => db.executeTransaction({ TransactStatements })
const stored = async (pk) => (await db.getItem({ TableName, Key: { pk: S(pk) }, ConsistentRead: true })).Item

describe('ExecuteTransaction', () => {
  it('reads in the order asked', async () => {
    const [a, b] = [fresh(), fresh()]
    await transact(insert(a), insert(b))
    expect(await answer(transact(select(b), select(fresh()), select(a))))
      .toEqual({ Responses: [{ Item: { pk: S(b), n: N(1) } }, {}, { Item: { pk: S(a), n: N(1) } }] })
  })

  it('writes all', async () => {
    const [a, b, c] = [fresh(), fresh(), fresh()]
    await transact(insert(a), insert(b))
    expect(await answer(transact(insert(c), add(a), exists(b, 1)))).toEqual({ Responses: [] })
    expect([await stored(a), await stored(c)]).toEqual([{ pk: S(a), n: N(2) }, { pk: S(c), n: N(1) }])
  })

  it('writes nothing when a condition fails', async () => {
    const [a, b, c] = [fresh(), fresh(), fresh()]
    await transact(insert(a), insert(b))
    expect(await failure(transact(insert(c), add(a), exists(b, 2)))).toEqual(cancelled('None', 'None', 'ConditionalCheckFailed'))
    expect(await failure(transact(add(c), insert(a)))).toEqual(
      cancelled('ConditionalCheckFailed', { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' }))
    expect([await stored(a), await stored(c)]).toEqual([{ pk: S(a), n: N(1) }, undefined])
  })

  it('with one token is done once', async () => {
    const [a, ClientRequestToken] = [fresh(), fresh()]
    await transact(insert(a))
    for (let i = 0; i < 2; ++i) await db.executeTransaction({ TransactStatements: [add(a)], ClientRequestToken })
    expect(await stored(a)).toEqual({ pk: S(a), n: N(2) })
    expect((await failure(db.executeTransaction({ TransactStatements: [add(fresh())], ClientRequestToken }))).name).toBe(mismatch().name)
  })

  it('refuses reads beside writes, one item twice, RETURNING and reads of more than an item', async () => {
    const [a, b] = [fresh(), fresh()]
    expect(await failure(transact(select(a), insert(b)))).toMatchObject(
      { name: 'ValidationException', message: expect.stringMatching(/support both read and write operations in the same request\.$/) })
    expect(await failure(transact(insert(a), add(a)))).toEqual(validation('Transaction request cannot include multiple operations on one item'))
    expect(await failure(transact(insert(a), statement('UPDATE T SET n = 1 WHERE pk = ? RETURNING ALL NEW *', S(b))))).toEqual(
      validation('Validation failed in TransactStatements[1]: RETURNING clause is not supported in ExecuteTransaction.'))
    expect(await failure(transact(statement('SELECT * FROM T WHERE n = 1')))).toEqual(validation(
      'Validation failed in TransactStatements[0]: Select statements within ExecuteTransaction must specify the primary key in the where clause.'))
    expect(await failure(transact(insert(a), statement('EXISTS(SELECT * FROM T WHERE pk = ?)', S(b))))).toEqual(
      validation('Validation failed in TransactStatements[1]: EXISTS() must contain a single item read with additional condition'))
    expect(await stored(a)).toBeUndefined()
  })

  it('charges twice what single statements cost', async () => {
    const { ConsumedCapacity } = await db.executeTransaction({ TransactStatements: [insert(fresh()), insert(fresh())], ReturnConsumedCapacity: 'TOTAL' })
    expect(ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 4, WriteCapacityUnits: 4 }])
  })
})
