// PutItem: the stored item is returned by a read; conditions, ReturnValues, refusals.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, conditionFailed, failure, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { B, BOOL, BS, L, M, N, NS, NULL, S, SS, nested } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S', 'sk:N'], gsi: { byName: ['name:S'] } }))

let last = 0
const freshKey = () => ({ pk: S('k'), sk: N(++last) })
const get = (Key, options) => answer(db.getItem({ TableName, Key, ConsistentRead: true, ...options }))
const put = (Item, options) => db.putItem({ TableName, Item, ...options })
const enveloped = (message) => validation(`1 validation error detected: ${message}`)
const invalid = (message) => validation(`One or more parameter values were invalid: ${message}`)

describe('PutItem', () => {
  it('stores every type', async () => {
    const Item = {
      ...freshKey(), s: S('text é 😀'), empty: S(''), n: N('-12.5'), b: B(0, 255), noBytes: B(), t: BOOL(true), f: BOOL(false), nil: NULL,
      ss: SS('a', 'b'), ns: NS(-1, 2.5), bs: BS([1], [2, 3]), l: L(S('x'), N(1), L()), m: M({ a: M({}), 'b.c': L(NULL) }),
    }
    expect(await answer(put(Item))).toEqual({})
    expect(await get({ pk: Item.pk, sk: Item.sk })).toEqual({ Item })
  })

  it('replaces the whole item and returns the old one', async () => {
    const Key = freshKey()
    expect(await answer(put({ ...Key, a: S('1') }, { ReturnValues: 'ALL_OLD' }))).toEqual({})
    expect(await answer(put({ ...Key, b: S('2') }, { ReturnValues: 'ALL_OLD' }))).toEqual({ Attributes: { ...Key, a: S('1') } })
    expect(await get(Key)).toEqual({ Item: { ...Key, b: S('2') } })
  })

  it('writes nothing when its condition fails, and shows the item when asked', async () => {
    const stored = { ...freshKey(), a: S('1') }
    await put(stored)
    const again = (options) => failure(put({ ...stored, a: S('2') }, { ConditionExpression: 'attribute_not_exists(pk)', ...options }))
    expect(await again()).toEqual(conditionFailed())
    expect(await again({ ReturnValuesOnConditionCheckFailure: 'NONE' })).toEqual(conditionFailed())
    expect(await again({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })).toEqual(conditionFailed(stored))
    expect(await get({ pk: stored.pk, sk: stored.sk })).toEqual({ Item: stored })
  })

  it('shows no item when there is none', async () => {
    expect(await failure(put(freshKey(), { ConditionExpression: 'attribute_exists(pk)', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })))
      .toEqual(conditionFailed())
  })

  const onlyOld = enveloped('ReturnValues can only be ALL_OLD or NONE')
  it.each([
    ['a missing key', { pk: S('k') }, {}, invalid('Missing the key sk in the item')],
    ['a key of another type', { pk: S('k'), sk: S('1') }, {}, invalid('Type mismatch for key sk expected: N actual: S')],
    ['an empty key', { pk: S(''), sk: N(1) }, {},
      validation('One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk')],
    ['a partition key over 2048 bytes', { pk: S('x'.repeat(2049)), sk: N(1) }, {}, invalid('Size of hashkey has exceeded the maximum size limit of2048 bytes')],
    ['an index key of another type', { pk: S('k'), sk: N(0), name: N(1) }, {},
      invalid('Type mismatch for Index Key name Expected: S Actual: N IndexName: byName')],
    ['an empty value', { pk: S('k'), sk: N(0), a: {} }, {},
      validation('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes')],
    ['NULL that is false', { pk: S('k'), sk: N(0), a: { NULL: false } }, {},
      enveloped('One or more parameter values were invalid: Null attribute value types must have the value of true')],
    ['an empty string set', { pk: S('k'), sk: N(0), a: SS() }, {}, enveloped('One or more parameter values were invalid: An string set  may not be empty')],
    ['an empty number set', { pk: S('k'), sk: N(0), a: NS() }, {}, enveloped('One or more parameter values were invalid: An number set  may not be empty')],
    ['an empty binary set', { pk: S('k'), sk: N(0), a: BS() }, {}, enveloped('One or more parameter values were invalid: Binary sets should not be empty')],
    ['32 wrappers', { pk: S('k'), sk: N(0), a: nested(32) }, {},
      enveloped('Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit')],
    ['ReturnValues ALL_NEW', { pk: S('k'), sk: N(0) }, { ReturnValues: 'ALL_NEW' }, onlyOld],
    ['ReturnValues UPDATED_OLD', { pk: S('k'), sk: N(0) }, { ReturnValues: 'UPDATED_OLD' }, onlyOld],
    ['values without an expression', { pk: S('k'), sk: N(0) }, { ExpressionAttributeValues: { ':v': S('x') } },
      enveloped('ExpressionAttributeValues can only be specified when using expressions')],
    ['names without an expression', { pk: S('k'), sk: N(0) }, { ExpressionAttributeNames: { '#n': 'x' } },
      enveloped('ExpressionAttributeNames can only be specified when using expressions')],
    ['an empty condition', { pk: S('k'), sk: N(0) }, { ConditionExpression: '' },
      enveloped('Invalid ConditionExpression: The expression can not be empty;')],
  ])('refuses %s', async (_, Item, options, expected) => {
    expect(await failure(put(Item, options))).toEqual(expected)
  })

  it('takes 31 wrappers', async () => {
    const Item = { ...freshKey(), a: nested(31) }
    expect(await answer(put(Item))).toEqual({})
    expect(await get({ pk: Item.pk, sk: Item.sk })).toEqual({ Item })
  })

  it('reports every unknown word at once', async () => {
    expect(await failure(put(freshKey(), { ReturnConsumedCapacity: 'X', ReturnValues: 'Y', ReturnItemCollectionMetrics: 'Z' }))).toEqual(validation(
      "3 validation errors detected: Value 'X' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; "
      + 'Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]; '
      + "Value 'Z' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]"))
  })

  it('says what it needs', async () => {
    expect(await failure(db.putItem({ TableName }))).toEqual(
      enveloped("Value null at 'item' failed to satisfy constraint: Member must not be null"))
    expect(await failure(db.putItem({ Item: freshKey() }))).toEqual(
      enveloped("Value null at 'tableName' failed to satisfy constraint: Member must not be null"))
  })
})
