// Every operation on items answers the same message for a table that does not exist.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { failure, notFound } from '../support/answers.js'
import { uniqueName } from '../support/tables.js'
import { N, S } from '../support/values.js'

const { db } = connect()
let last = 0
const freshKey = () => ({ pk: S('k'), sk: N(++last) })

describe('a table that does not exist', () => {
  const missing = { TableName: uniqueName() }
  it.each([
    ['GetItem', () => db.getItem({ ...missing, Key: freshKey() })],
    ['PutItem', () => db.putItem({ ...missing, Item: freshKey() })],
    ['UpdateItem', () => db.updateItem({ ...missing, Key: freshKey() })],
    ['DeleteItem', () => db.deleteItem({ ...missing, Key: freshKey() })],
    ['Scan', () => db.scan(missing)],
    ['Query', () => db.query({ ...missing, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S('k') } })],
    ['BatchGetItem', () => db.batchGetItem({ RequestItems: { [missing.TableName]: { Keys: [freshKey()] } } })],
    ['BatchWriteItem', () => db.batchWriteItem({ RequestItems: { [missing.TableName]: [{ PutRequest: { Item: freshKey() } }] } })],
    ['TransactWriteItems', () => db.transactWriteItems({ TransactItems: [{ Put: { ...missing, Item: freshKey() } }] })],
    ['TransactGetItems', () => db.transactGetItems({ TransactItems: [{ Get: { ...missing, Key: freshKey() } }] })],
  ])('is not found by %s', async (_, call) => {
    expect(await failure(call())).toEqual(notFound())
  })
})
