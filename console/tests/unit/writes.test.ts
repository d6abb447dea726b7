import { describe, expect, it } from 'vitest'
import type { Item } from '../../src/api/values'
import { differenceRows, differenceText } from '../../src/model/difference'
import { addRows, unitRows, unitsPhrase, unitsText, usdPerMillion, usdText, wholeOf } from '../../src/model/price'
import { planOf } from '../../src/model/tables'
import { changeThatHappened, rebased, reversed, writeOf } from '../../src/model/writes'

const kTable = planOf({
  TableName: 'app', KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
  AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }, { AttributeName: 'SK', AttributeType: 'S' }]
})
const kKey: Item = { PK: { S: 'p' }, SK: { S: 's' } }
const kTold = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }

describe('a write', () => {
  it('of a new item asks that there is none', () => {
    expect(writeOf(kTable, { after: kKey })).toEqual({
      operation: 'PutItem', uncompared: 0,
      input: { TableName: 'app', Item: kKey, ConditionExpression: 'attribute_not_exists(#k)', ExpressionAttributeNames: { '#k': 'PK' }, ...kTold, ReturnConsumedCapacity: 'INDEXES' }
    })
  })

  it('that deletes asks that every attribute is as seen', () => {
    expect(writeOf(kTable, { before: { ...kKey, ['__proto__']: { N: '1' }, tags: { SS: ['a'] } } })).toEqual({
      operation: 'DeleteItem', uncompared: 0,
      input: {
        TableName: 'app', Key: kKey, ConditionExpression: '#c0=:c0 AND #c1=:c1', ExpressionAttributeNames: { '#c0': '__proto__', '#c1': 'tags' },
        ExpressionAttributeValues: { ':c0': { N: '1' }, ':c1': { SS: ['a'] } }, ReturnValues: 'ALL_OLD', ...kTold, ReturnConsumedCapacity: 'INDEXES'
      }
    })
    expect(writeOf(kTable, { before: kKey })!.input['ConditionExpression']).toBe('attribute_exists(#k)')
  })

  it('that edits writes only what differs', () => {
    const before: Item = { ...kKey, same: { N: '1' }, old: { S: 'x' }, changed: { N: '1' } }
    const after: Item = { ...kKey, same: { N: '1.0' }, changed: { N: '2' }, fresh: { BOOL: true } }
    expect(writeOf(kTable, { before, after })).toEqual({
      operation: 'UpdateItem', uncompared: 0,
      input: {
        TableName: 'app', Key: kKey, UpdateExpression: 'SET #s0=:s0,#s1=:s1 REMOVE #r0',
        ConditionExpression: '#c0=:c0 AND #c1=:c1 AND #c2=:c2 AND attribute_not_exists(#s1)',
        ExpressionAttributeNames: { '#c0': 'old', '#c1': 'changed', '#c2': 'same', '#s0': 'changed', '#s1': 'fresh', '#r0': 'old' },
        ExpressionAttributeValues: { ':c0': { S: 'x' }, ':c1': { N: '1' }, ':c2': { N: '1' }, ':s0': { N: '2' }, ':s1': { BOOL: true } },
        ReturnValues: 'ALL_OLD', ...kTold, ReturnConsumedCapacity: 'INDEXES'
      }
    })
    expect(writeOf(kTable, { before, after: before })).toBeUndefined()
    expect(writeOf(kTable, {})).toBeUndefined()
  })

  it('of another key moves the item in one transaction', () => {
    const after: Item = { PK: { S: 'p' }, SK: { S: 't' } }
    expect(writeOf(kTable, { before: { ...kKey, a: { S: '1' } }, after })).toEqual({
      operation: 'TransactWriteItems', uncompared: 0,
      input: {
        TransactItems: [
          { Put: { TableName: 'app', Item: after, ConditionExpression: 'attribute_not_exists(#k)', ExpressionAttributeNames: { '#k': 'PK' } } },
          { Delete: { TableName: 'app', Key: kKey, ConditionExpression: '#c0=:c0', ExpressionAttributeNames: { '#c0': 'a' }, ExpressionAttributeValues: { ':c0': { S: '1' } } } }
        ],
        ReturnConsumedCapacity: 'INDEXES'
      }
    })
  })

  it('stays within the limits of an expression', () => {
    const wide = (from: number, to: number): Item => ({
      ...kKey, ...Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`attribute ${from + at}`, { S: 'x' }]))
    })
    const operators = (text: unknown) => (String(text).match(/=| AND |attribute_not_exists/g) ?? []).length
    for (const change of [
      { before: wide(0, 400), after: undefined }, { before: wide(0, 400), after: { ...wide(0, 400), 'attribute 399': { S: 'y' } } as Item },
      { before: wide(0, 100), after: wide(0, 300) }, { before: wide(0, 200), after: wide(200, 400) }, { before: wide(0, 250), after: wide(250, 500) }
    ]) {
      const { operation, input, uncompared } = writeOf(kTable, change)!
      expect(operators(input['ConditionExpression'])).toBeLessThanOrEqual(300)
      expect(String(input['ConditionExpression']).length).toBeLessThanOrEqual(4096)
      expect(String(input['UpdateExpression'] ?? '').length).toBeLessThanOrEqual(4096)
      expect(operation).toBe(!change.after ? 'DeleteItem' : Object.hasOwn(change.after, 'attribute 0') ? 'UpdateItem' : 'PutItem')
      expect(uncompared).toBe(Math.max(0, Object.keys(change.before).length - 2 - 150))
    }
    // What changes is compared first.
    const edited = writeOf(kTable, { before: wide(0, 400), after: { ...wide(0, 400), 'attribute 399': { S: 'y' } } })!
    expect((edited.input['ExpressionAttributeNames'] as Record<string, string>)['#c0']).toBe('attribute 399')
  })
})

describe('undo', () => {
  it('is the change in the other direction', () => {
    const change = { before: kKey, after: { ...kKey, a: { S: '1' } } as Item }
    expect(reversed(change)).toEqual({ before: change.after, after: kKey })
    expect(reversed({ after: kKey })).toEqual({ before: kKey })
    expect(reversed({ before: kKey })).toEqual({ after: kKey })
  })

  it('knows what was there although nobody had seen it', () => {
    const seen: Item = { ...kKey, a: { S: '1' } }
    const old: Item = { ...seen, stranger: { S: 'x' } }
    const after: Item = { ...kKey, a: { S: '2' } }
    expect(changeThatHappened({ before: seen, after }, 'UpdateItem', old)).toEqual({ before: old, after: { ...after, stranger: { S: 'x' } } })
    expect(changeThatHappened({ before: seen }, 'DeleteItem', old)).toEqual({ before: old })
    expect(changeThatHappened({ before: seen, after }, 'PutItem', old)).toEqual({ before: old, after })
    expect(changeThatHappened({ after }, 'PutItem', undefined)).toEqual({ after })
  })
})

it('a draft goes onto an item that somebody else changed', () => {
  const seen: Item = { ...kKey, a: { S: '1' }, b: { S: '1' }, c: { S: '1' }, d: { S: '1' } }
  const draft: Item = { ...kKey, a: { S: 'mine' }, b: { S: '1' }, d: { S: '1' }, mine: { N: '1' } }
  const present: Item = { ...kKey, a: { S: 'theirs' }, b: { S: 'theirs' }, c: { S: 'theirs' }, ['__proto__']: { S: 'theirs' } }
  expect(rebased(seen, draft, present)).toEqual({ ...kKey, a: { S: 'mine' }, b: { S: 'theirs' }, ['__proto__']: { S: 'theirs' }, mine: { N: '1' } })
})

describe('the difference of two images', () => {
  it('has a row for the least that differs', () => {
    const old: Item = { ...kKey, a: { M: { x: { N: '1' }, y: { S: 'same' } } }, l: { L: [{ S: '1' }, { S: '2' }] }, gone: { NULL: true }, n: { N: '1.0' }, t: { S: '1' } }
    const next: Item = { ...kKey, a: { M: { x: { N: '2' }, y: { S: 'same' }, 'z.z': { S: '' } } }, l: { L: [{ S: '1' }] }, n: { N: '1' }, t: { N: '1' }, constructor: { S: 'c' } }
    const rows = differenceRows(old, next, ['SK', 'PK'])
    expect(rows.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      'SK same', 'PK same', 'a.x changed', 'a.y same', 'a."z.z" added', 'constructor added', 'gone removed', 'l[0] same', 'l[1] removed', 'n same', 't changed'
    ])
    expect(rows[2]).toEqual({ path: 'a.x', kind: 'changed', old: { N: '1' }, new: { N: '2' } })
    expect(differenceText(rows)).toBe('2 changed, 2 added, 2 removed')
  })

  it('has all attributes of one image', () => {
    expect(differenceRows(undefined, { a: { S: 'x' } })).toEqual([{ path: 'a', kind: 'added', new: { S: 'x' } }])
    expect(differenceRows({ a: { S: 'x' } }, undefined)).toEqual([{ path: 'a', kind: 'removed', old: { S: 'x' } }])
    expect(differenceText([])).toBe('')
  })
})

describe('units and prices', () => {
  const consumed = {
    TableName: 'app', CapacityUnits: 4.5, Table: { CapacityUnits: 1.5 }, GlobalSecondaryIndexes: { GSI1: { CapacityUnits: 2 }, ['__proto__']: { CapacityUnits: 0 } },
    LocalSecondaryIndexes: { LSI: { CapacityUnits: 1 } }
  }
  it('are known by table and index', () => {
    expect(unitRows(consumed, 'read')).toEqual([
      { index: '', read_units: 1.5, write_units: 0 }, { index: 'GSI1', read_units: 2, write_units: 0 }, { index: 'LSI', read_units: 1, write_units: 0 }
    ])
    expect(unitRows({ CapacityUnits: 2, WriteCapacityUnits: 2 }, 'read')).toEqual([{ index: '', read_units: 0, write_units: 2 }])
    expect(addRows(unitRows(consumed, 'read'), [{ index: 'GSI1', read_units: 0.5, write_units: 1 }])[1]).toEqual({ index: 'GSI1', read_units: 2.5, write_units: 1 })
  })
  it('of a whole answer are those of one page, or follow from it', () => {
    const page = { read_units: 128, write_units: 0, examined: 25, has_more: true }
    expect(wholeOf({ ...page, has_more: false }, 60)).toEqual({ pages: 1, read_units: 128, write_units: 0, told_by: 'all' })
    expect(wholeOf(page, 60)).toEqual({ pages: 3, read_units: 307.5, write_units: 0, told_by: 'estimate' })
    expect(wholeOf(page, 26)).toEqual({ pages: 2, read_units: 133.5, write_units: 0, told_by: 'estimate' })
    expect(wholeOf(page, undefined)).toEqual({ pages: 1, read_units: 128, write_units: 0, told_by: 'first page' })
    expect(wholeOf(page, 20)).toEqual({ pages: 1, read_units: 128, write_units: 0, told_by: 'first page' })
  })

  it('cost what the price list says', () => {
    expect(usdPerMillion(unitRows(consumed, 'read'), false)).toBeCloseTo(0.5625, 10)
    expect(usdPerMillion([{ read_units: 1, write_units: 2 }], false)).toBeCloseTo(1.375, 10)
    expect(usdPerMillion([{ read_units: 1, write_units: 2 }], true)).toBeCloseTo(1.715, 10)
  })
  it.each([[0, '$0'], [0.0625, '$0.0625'], [0.125, '$0.125'], [0.5, '$0.50'], [1.25, '$1.25'], [12.5, '$12.50'], [1250, '$1,250'], [0.00005, '$0.00005']])('US$ of %d', (usd, text) => {
    expect(usdText(usd)).toBe(text)
  })
  it('have a noun', () => expect([unitsPhrase(0.5), unitsPhrase(1, 'read')]).toEqual(['0.5 units', '1 read unit']))
  it('are printed short', () => expect([0.5, 1024, 12.345].map(unitsText)).toEqual(['0.5', '1,024', '12.35']))
})
