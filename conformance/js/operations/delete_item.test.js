// DeleteItem: the deleted item, conditions, ReturnValues, refusals.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, conditionFailed, failure, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { N, S } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S', 'sk:N'] }))

let last = 0
const freshKey = () => ({ pk: S('k'), sk: N(++last) })
const get = (Key, options) => answer(db.getItem({ TableName, Key, ConsistentRead: true, ...options }))
const put = (Item, options) => db.putItem({ TableName, Item, ...options })
const remove = (Key, options) => db.deleteItem({ TableName, Key, ...options })
const enveloped = (message) => validation(`1 validation error detected: ${message}`)

describe('DeleteItem', () => {
  it('deletes an item and returns it', async () => {
    const Item = { ...freshKey(), a: S('1') }
    const Key = { pk: Item.pk, sk: Item.sk }
    await put(Item)
    expect(await answer(remove(Key, { ReturnValues: 'ALL_OLD' }))).toEqual({ Attributes: Item })
    expect(await get(Key)).toEqual({})
    expect(await answer(remove(Key, { ReturnValues: 'ALL_OLD' }))).toEqual({})
  })

  it('deletes nothing when its condition fails', async () => {
    const Item = { ...freshKey(), a: S('1') }
    const Key = { pk: Item.pk, sk: Item.sk }
    await put(Item)
    const condition = { ConditionExpression: 'a = :a', ExpressionAttributeValues: { ':a': S('2') }, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }
    expect(await failure(remove(Key, condition))).toEqual(conditionFailed(Item))
    expect(await failure(remove(freshKey(), condition))).toEqual(conditionFailed())
    expect(await get(Key)).toEqual({ Item })
  })

  it.each(['ALL_NEW', 'UPDATED_NEW', 'UPDATED_OLD'])('refuses ReturnValues %s', async (ReturnValues) => {
    expect(await failure(remove(freshKey(), { ReturnValues }))).toEqual(enveloped('ReturnValues can only be ALL_OLD or NONE'))
  })

  it('refuses a key that is not the schema', async () => {
    expect(await failure(remove({ pk: S('k') }))).toEqual(validation('The provided key element does not match the schema'))
  })
})
