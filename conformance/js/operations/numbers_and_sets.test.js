// How numbers are stored and refused, with the older and the newer messages; how sets are sorted and refused.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, failure, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { BS, N, NS, S, SS } from '../support/values.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S'] }))

const put = (a) => db.putItem({ TableName, Item: { pk: S('p'), a } })
const batch = (a) => db.batchWriteItem({ RequestItems: { [TableName]: [{ PutRequest: { Item: { pk: S('p'), a } } }] } })
const enveloped = (message) => validation(`1 validation error detected: ${message}`)

async function stored(a) {
  await put(a)
  return (await answer(db.getItem({ TableName, Key: { pk: S('p') }, ConsistentRead: true }))).Item.a
}

describe('a number', () => {
  it.each([
    ['+5', '5'], ['.5', '0.5'], ['5.', '5'], ['1.e5', '100000'], ['+1e-2', '0.01'], ['00042', '42'], ['-0', '0'], ['1.5E+3', '1500'], ['1.50', '1.5'],
    ['1E125', `1${'0'.repeat(125)}`], ['1E-130', `0.${'0'.repeat(129)}1`], ['0e125', '0'], [`1${'0'.repeat(100)}`, `1${'0'.repeat(100)}`],
    ['9.9999999999999999999999999999999999999E+125', `${'9'.repeat(38)}${'0'.repeat(88)}`],
    ['-12345678901234567890123456789012345678', '-12345678901234567890123456789012345678'],
  ])('%s is stored as %s', async (written, expected) => {
    expect(await stored(N(written))).toEqual(N(expected))
  })

  it.each([' 5', '5 ', '+', '++5', '1.2.3', 'e2', '.', '0x5', '1_000', '1e', 'abc', 'NaN', 'Infinity', '', '1e9223372036854775808'])('%j is none', async (written) => {
    expect(await failure(put(N(written)))).toEqual(enveloped(`The parameter cannot be converted to a numeric value: ${written}`))
  })

  const overflow = 'Number overflow. Attempting to store a number with magnitude larger than supported range'
  const underflow = 'Number underflow. Attempting to store a number with magnitude smaller than supported range'
  it.each([
    ['1e126', overflow], ['-1e126', overflow], ['1e99999999999', overflow], ['0e126', overflow],
    ['1e-131', underflow], ['1e-99999999999', underflow], ['0e-131', underflow],
    ['1'.repeat(39), 'Attempting to store more than 38 significant digits in a Number'],
    [`0.${'1'.repeat(39)}`, 'Attempting to store more than 38 significant digits in a Number'],
  ])('%s is out of range', async (written, message) => {
    expect(await failure(put(N(written)))).toEqual(enveloped(message))
  })

  it('has older words in a batch', async () => {
    expect(await failure(batch(N('')))).toEqual(validation('The parameter cannot be converted to a numeric value'))
    expect(await failure(batch(N('1e126')))).toEqual(validation(overflow))
  })
})

describe('a set', () => {
  const P = 'One or more parameter values were invalid: '

  it('comes back sorted', async () => {
    const sets = await stored({ M: { ss: SS('é', 'b', 'A', ''), ns: NS('10', '9', '-1', '2.50'), bs: BS([2], [1, 1], [1]) } })
    expect(sets.M).toEqual({ ss: SS('', 'A', 'b', 'é'), ns: NS('-1', '2.5', '9', '10'), bs: BS([1], [1, 1], [2]) })
  })

  it.each([
    ['strings', SS('b', 'a', 'b'), 'Input collection ["a", "b", "b"] contains duplicates.'],
    ['numbers', NS('2', '1', '2.0'), 'Input collection contains duplicates.'],
    ['binaries', BS([255], [0], [0]), 'Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.'],
  ])('of repeated %s is refused', async (_, value, message) => {
    expect(await failure(put(value))).toEqual(enveloped(P + message))
  })

  it.each([
    ['strings', SS('b', 'a', 'b'), `${P}Input collection [b, a, b] contains duplicates.`],
    ['numbers', NS('2', '1', '2.0'), 'Input collection contains duplicates'],
    ['binaries', BS([255], [0], [0]), `${P}Input collection [/w==, AA==, AA==]of type BS contains duplicates.`],
  ])('of repeated %s is refused in older words in a batch', async (_, value, message) => {
    expect(await failure(batch(value))).toEqual(validation(message))
  })
})
