import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../../src/api/values'
import {
  areEqual, areItemsEqual, base64Problem, canonicalNumber, fromDynamoJson, numberProblem, parseItem, printItem,
} from '../../src/model/values'
import { parseJson } from '../../src/model/exact-json'
import { changeNode, itemOfTree, problems, treeOf, withNewChild, withType, type TreeNode } from '../../src/model/tree'

const kEverything: Item = {
  PK: { S: 'USER#ada' },
  n: { N: '12345678901234567890123456789012345678' },
  small: { N: '-0.00000000000000000000000000000000000001' },
  b: { B: 'AAECAw==' },
  yes: { BOOL: true },
  none: { NULL: true },
  ss: { SS: ['b', 'a'] },
  ns: { NS: ['1', '99999999999999999999.5'] },
  bs: { BS: ['AA==', 'AQ=='] },
  list: { L: [{ S: '' }, { L: [] }, { M: { deep: { SS: ['x'] }, b: { B: 'AA==' } } }] },
  ['__proto__']: { M: { constructor: { S: '<img src=x onerror=alert(1)>' } } },
}

describe('numbers', () => {
  it.each([
    ['0', '0'], ['-0', '0'], ['+1', '1'], ['007', '7'], ['1.0', '1'], ['.5', '0.5'], ['5.', '5'], ['1e3', '1000'], ['1.5E-3', '0.0015'],
    ['-12.340', '-12.34'], ['100', '100'], [' 7 ', '7'], ['1e125', '1' + '0'.repeat(125)], ['1e-130', '0.' + '0'.repeat(129) + '1'],
    ['99999999999999999999999999999999999999', '99999999999999999999999999999999999999'],
    ['0.10000000000000000000000000000000000000', '0.1'],
  ])('%s is %s', (text, canonical) => {
    expect(numberProblem(text)).toBeUndefined()
    expect(canonicalNumber(text)).toBe(canonical)
  })

  it.each([
    ['', 'This is not a number.'], ['.', 'This is not a number.'], ['1,5', 'This is not a number.'], ['0x10', 'This is not a number.'],
    ['NaN', 'This is not a number.'], ['1e', 'This is not a number.'],
    ['1'.repeat(39), 'A number has at most 38 digits, this one has 39.'],
    ['1e126', 'This number is too large: the limit is 9.9…e125.'], ['1e999999999999', 'This number is too large: the limit is 9.9…e125.'],
    ['1e-131', 'This number is too small: the limit is 1e-130.'],
  ])('%s is refused', (text, sentence) => {
    expect(numberProblem(text)).toBe(sentence)
    expect(canonicalNumber(text)).toBe(text)
  })
})

it('checks Base64', () => {
  expect([base64Problem(''), base64Problem('AAEC'), base64Problem('AA==')]).toEqual([undefined, undefined, undefined])
  expect(base64Problem('AA')).toBe('This is not Base64.')
  expect(base64Problem('AB==')).toBe('The last character of this Base64 text stands for no whole byte.')
})

describe('equality', () => {
  it.each<[AttributeValue, AttributeValue]>([
    [{ N: '1' }, { N: '1.0' }], [{ SS: ['a', 'b'] }, { SS: ['b', 'a'] }], [{ NS: ['1', '2.50'] }, { NS: ['2.5', '1e0'] }],
    [{ M: { a: { N: '1' } } }, { M: { a: { N: '1.0' } } }], [{ L: [{ NULL: true }] }, { L: [{ NULL: true }] }],
  ])('%j equals %j', (a, b) => expect(areEqual(a, b)).toBe(true))

  it.each<[AttributeValue | undefined, AttributeValue | undefined]>([
    [{ N: '1' }, { S: '1' }], [{ L: [{ N: '1' }, { N: '2' }] }, { L: [{ N: '2' }, { N: '1' }] }], [{ SS: ['a'] }, { SS: ['a', 'b'] }],
    [{ M: { a: { N: '1' } } }, { M: { b: { N: '1' } } }], [{ M: {} }, { M: { constructor: { S: 'x' } } }], [undefined, { S: '' }],
    [{ N: '12345678901234567890123456789012345678' }, { N: '12345678901234567890123456789012345679' }],
    [{ M: { toString: { S: 'x' } } }, { M: { other: { S: 'x' } } }],
  ])('%j differs from %j', (a, b) => expect(areEqual(a, b)).toBe(false))

  it('compares items', () => {
    expect(areItemsEqual(kEverything, parseItem(printItem(kEverything, 'dynamodb'), 'dynamodb'))).toBe(true)
    expect(areItemsEqual({ a: { S: 'x' } }, {})).toBe(false)
  })
})

describe('texts of an item', () => {
  it.each(['dynamodb', 'plain'] as const)('come back from %s JSON as they were', (format) => {
    const text = printItem(kEverything, format)
    expect(parseItem(text, format, kEverything)).toEqual(kEverything)
    expect(Object.hasOwn(parseItem(text, format, kEverything), '__proto__')).toBe(true)
  })

  it('plain JSON shows numbers with all digits', () => {
    expect(printItem({ n: kEverything['n']! }, 'plain', 0)).toBe('{"n":12345678901234567890123456789012345678}')
  })

  it('plain JSON without an item before has lists and strings', () => {
    expect(parseItem('{"a":["x"],"b":"AA==","c":1.50,"d":null}', 'plain')).toEqual({
      a: { L: [{ S: 'x' }] }, b: { S: 'AA==' }, c: { N: '1.50' }, d: { NULL: true },
    })
  })

  it('plain JSON becomes a list where a set is no longer possible', () => {
    const before: Item = { a: { SS: ['x'] }, b: { NS: ['1'] }, c: { B: 'AA==' }, d: { SS: ['x'] } }
    expect(parseItem('{"a":["x","x"],"b":[1,1.0],"c":"no base64","d":[]}', 'plain', before)).toEqual({
      a: { L: [{ S: 'x' }, { S: 'x' }] }, b: { L: [{ N: '1' }, { N: '1.0' }] }, c: { S: 'no base64' }, d: { L: [] },
    })
  })

  it.each([
    ['[]', 'A JSON object is missing here.'],
    ['{"a":"x"}', 'a: A value is an object of one member, such as {"S": "text"}.'],
    ['{"a":{"S":"x","N":"1"}}', 'a: A value is an object of one member, such as {"S": "text"}.'],
    ['{"a":{"X":"x"}}', 'a: The type "X" is not one of S, N, B, BOOL, NULL, SS, NS, BS, L, M.'],
    ['{"a":{"S":1}}', 'a.S: A string is missing here.'],
    ['{"a":{"N":"abc"}}', 'a.N: This is not a number.'],
    ['{"a":{"SS":[]}}', 'a.SS: A set is a list with at least one element.'],
    ['{"a":{"NS":["1","1.0"]}}', 'a.NS: A set has no element twice.'],
    ['{"a":{"NULL":false}}', 'a.NULL: NULL is always true.'],
    ['{"a":{"BOOL":"true"}}', 'a.BOOL: true or false is missing here.'],
    ['{"a":{"L":[{"M":{"b":{"B":"A"}}}]}}', 'a.L[0].M.b.B: This is not Base64.'],
  ])('DynamoDB JSON %s is refused', (text, sentence) => {
    expect(() => parseItem(text, 'dynamodb')).toThrow(new Error(sentence))
  })

  it('takes numbers without quotes exactly', () => {
    expect(fromDynamoJson(parseJson('{"N":12345678901234567890.123456789}'))).toEqual({ N: '12345678901234567890.123456789' })
    expect(fromDynamoJson(parseJson('{"NS":[1,"2"]}'))).toEqual({ NS: ['1', '2'] })
  })

  it('refuses what is nested more deeply than DynamoDB allows', () => {
    const deep = '{"a":' + '['.repeat(33) + ']'.repeat(33) + '}'
    expect(() => parseItem(deep, 'plain')).toThrow('A value is nested at most 32 levels deep.')
    expect(() => parseItem('{"a":1e999}', 'plain')).toThrow(new Error('a: This number is too large: the limit is 9.9…e125.'))
    expect(() => parseItem('[1]', 'plain')).toThrow(new Error('An item is a JSON object.'))
  })
})

describe('the tree of an item', () => {
  const child = (node: TreeNode, name: string) => node.children.find((each) => each.name === name)!

  it('holds every value', () => {
    const tree = treeOf(kEverything)
    expect(itemOfTree(tree)).toEqual(kEverything)
    expect([...problems(tree)]).toEqual([])
  })

  it('changes one node and keeps the others', () => {
    const tree = treeOf(kEverything)
    const changed = changeNode(tree, child(tree, 'n').id, (node) => ({ ...node, text: '12x' }))
    expect(child(changed, 'n').text).toBe('12x')
    expect(child(changed, 'list')).toBe(child(tree, 'list'))
    expect([...problems(changed)]).toEqual([[child(tree, 'n').id, 'This is not a number.']])
    const removed = changeNode(changed, child(tree, 'n').id, () => undefined)
    expect(Object.keys(itemOfTree(removed))).toEqual(Object.keys(kEverything).filter((name) => name !== 'n'))
  })

  it('says what is wrong', () => {
    const tree = treeOf({ ns: { NS: ['1', '1.0'] }, a: { S: '' }, b: { S: '' }, c: { B: 'x' }, ss: { SS: ['x'] } })
    const doubled = changeNode(tree, child(tree, 'a').id, (node) => ({ ...node, name: 'b' }))
    const emptied = changeNode(doubled, child(tree, 'ss').id, (node) => ({ ...node, children: [] }))
    const { root, child: fresh } = withNewChild(emptied, emptied.id)
    expect(new Set(problems(root).values())).toEqual(new Set([
      'This element is there twice.', 'This is not Base64.', 'This name is there twice.', 'A set has at least one element.', 'An attribute has a name.',
    ]))
    expect(problems(root).get(fresh)).toBe('An attribute has a name.')
  })

  it('keeps what a new type can hold', () => {
    const of = (value: AttributeValue, type: Parameters<typeof withType>[1]) =>
      itemOfTree({ ...treeOf({}), children: [withType(treeOf({ a: value }).children[0]!, type)] })['a']
    expect(of({ S: '12' }, 'N')).toEqual({ N: '12' })
    expect(of({ N: '12' }, 'S')).toEqual({ S: '12' })
    expect(of({ S: 'x' }, 'SS')).toEqual({ SS: ['x'] })
    expect(of({ SS: ['x', 'y'] }, 'L')).toEqual({ L: [{ S: 'x' }, { S: 'y' }] })
    expect(of({ L: [{ S: '1' }, { M: {} }, { N: '2' }] }, 'NS')).toEqual({ NS: ['1', '2'] })
    expect(of({ L: [{ S: '1' }, { M: {} }] }, 'M')).toEqual({ M: { 0: { S: '1' }, 1: { M: {} } } })
    expect(of({ M: { a: { S: '1' } } }, 'L')).toEqual({ L: [{ S: '1' }] })
    expect(of({ S: 'true' }, 'BOOL')).toEqual({ BOOL: true })
    expect(of({ S: '' }, 'BOOL')).toEqual({ BOOL: false })
    expect(of({ S: 'x' }, 'NULL')).toEqual({ NULL: true })
    expect(of({ NULL: true }, 'L')).toEqual({ L: [] })
  })

  it('adds elements of the type of a set', () => {
    const tree = treeOf({ ns: { NS: ['1'] } })
    const { root, child: id } = withNewChild(tree, tree.children[0]!.id)
    expect(itemOfTree(changeNode(root, id, (node) => ({ ...node, text: '2' })))).toEqual({ ns: { NS: ['1', '2'] } })
  })
})
