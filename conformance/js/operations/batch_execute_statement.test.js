// BatchExecuteStatement: every statement has its own answer; refusals of the whole batch.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, failure, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { N, S } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S'] }))

const fresh = () => randomUUID()
const statement = (text, ...Parameters) =>
  ({ Statement: text.replace(/\bT\b/, `"${TableName}"`), Parameters: Parameters.length ? Parameters : undefined })
const insert = (pk) => statement('INSERT INTO T VALUE {\'pk\':?,\'n\':1}', S(pk))
const select = (pk) => ({ ...statement('SELECT * FROM T WHERE pk = ?', S(pk)), ConsistentRead: true })
const batch = (...Statements) => db.batchExecuteStatement({ Statements })
const error = (Code, Message) => ({ Error: { Code, Message } })

describe('BatchExecuteStatement', () => {
  it('reads, each answer in its place', async () => {
    const [a, b] = [fresh(), fresh()]
    await batch(insert(a), insert(b))
    expect(await answer(batch(select(b), select(fresh()), select(a)))).toEqual({ Responses: [
      { TableName, Item: { pk: S(b), n: N(1) } }, { TableName }, { TableName, Item: { pk: S(a), n: N(1) } }] })
  })

  it('writes, and one that fails leaves the others alone', async () => {
    const [a, b, c] = [fresh(), fresh(), fresh()]
    await batch(insert(a), insert(b))
    expect(await answer(batch(
      insert(a), statement('UPDATE T SET n = n + 1 WHERE pk = ? RETURNING MODIFIED NEW *', S(b)),
      statement('UPDATE T SET n = 1 WHERE pk = ?', S(c)), statement('DELETE FROM T WHERE n = 1'), statement('SLECT')))).toEqual({ Responses: [
      { TableName, ...error('DuplicateItem', 'Duplicate primary key exists in table') }, { TableName, Item: { n: N(2) } },
      { TableName, ...error('ConditionalCheckFailed', 'The conditional request failed') },
      error('ValidationError', 'Where clause does not contain a mandatory equality on all key attributes'),
      error('ValidationError', "Statement wasn't well formed, can't be processed: Expected data manipulation")] })
    expect((await answer(batch(select(b)))).Responses[0].Item.n).toEqual(N(2))
  })

  it('reads single items only', async () => {
    expect(await answer(batch(statement('SELECT * FROM T WHERE n = 1'), statement("SELECT * FROM T WHERE pk = 'x' AND n = 1")))).toEqual({
      Responses: Array(2).fill(error('ValidationError', 'Select statements within BatchExecuteStatement must specify the primary key in the where clause.')) })
  })

  it('is refused whole', async () => {
    const [a, b] = [fresh(), fresh()]
    expect(await failure(batch(select(a), insert(b)))).toEqual(validation('Read and write requests together in the same batch is not supported.'))
    expect(await failure(batch(insert(a), insert(a)))).toEqual(validation('Provided list of item keys contains duplicates'))
    const { message } = await failure(batch(...Array.from({ length: 26 }, () => insert(fresh()))))
    expect(message).toMatch(/at 'statements' failed to satisfy constraint: Member must have length less than or equal to 25$/)
    expect(await answer(batch(select(a), select(b)))).toEqual({ Responses: [{ TableName }, { TableName }] })
  })

  it('sums capacity by table', async () => {
    const { ConsumedCapacity } = await db.batchExecuteStatement({ Statements: [insert(fresh()), insert(fresh())], ReturnConsumedCapacity: 'TOTAL' })
    expect(ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 2 }])
  })
})
