import { expect, test } from 'vitest'
import type { AttributeValue } from '../../src/api/values'
import { compareNumbers, compareTexts, compareValues } from '../../src/model/order'

const sign = (order: number) => Math.sign(order) + 0 // without -0

test('numbers are compared by their value, with all their digits', () => {
  const ascending = ['-1E+125', '-100', '-99.9', '-0.001', '0', '1E-130', '0.01', '0.1', '9', '10', '10.5', '99999999999999999999999999999999999998', '99999999999999999999999999999999999999', '1E+40']
  for (const [i, a] of ascending.entries()) {
    for (const [j, b] of ascending.entries()) expect([a, b, sign(compareNumbers(a, b))]).toEqual([a, b, sign(i - j)])
  }
  for (const [a, b] of [['1', '1.0'], ['0', '-0'], ['100', '1E2'], ['.5', '0.50']] as const) expect(compareNumbers(a, b)).toBe(0)
})

test('texts are compared by their bytes, as DynamoDB sorts them', () => {
  const ascending = ['', 'A', 'a', 'a\u0000', 'ab', 'é', '\uffff', '😀', '😀a']
  for (const [i, a] of ascending.entries()) {
    for (const [j, b] of ascending.entries()) {
      expect([a, b, sign(compareTexts(a, b))]).toEqual([a, b, sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))])
      expect(sign(compareTexts(a, b))).toBe(sign(i - j))
    }
  }
})

test('values of several types stand by type, binaries by their bytes', () => {
  const ascending: AttributeValue[] = [{ N: '7' }, { N: '10' }, { S: '10' }, { S: '7' }, { B: 'AP8=' }, { B: '/w==' }, { BOOL: false }, { BOOL: true }, { NULL: true }, { SS: ['a'] }, { L: [{ N: '1' }] }, { M: {} }]
  expect([...ascending].reverse().sort(compareValues)).toEqual(ascending)
  expect(compareValues({ SS: ['a'] }, { SS: ['a'] })).toBe(0)
})
