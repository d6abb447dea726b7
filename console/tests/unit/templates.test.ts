import { describe, expect, it } from 'vitest'
import { countBlanks, fillWhole, offeredKeys, parseTemplate, sortCondition, type Filling } from '../../src/model/templates'

it('parses literals and blanks', () => {
  expect(parseTemplate('ORDER#{date}#{…}')).toEqual([
    { text: 'ORDER#', is_blank: false }, { text: 'date', is_blank: true }, { text: '#', is_blank: false }, { text: '…', is_blank: true },
  ])
  expect(parseTemplate('PROFILE')).toEqual([{ text: 'PROFILE', is_blank: false }])
  expect(parseTemplate('')).toEqual([])
  expect(parseTemplate('a{b{c}d}{')).toEqual([{ text: 'a{b', is_blank: false }, { text: 'c', is_blank: true }, { text: 'd}{', is_blank: false }])
  expect(countBlanks('A#{}#{x}')).toBe(2)
})

it('fills a whole key', () => {
  expect(fillWhole('USER#{…}', [{ text: 'ada' }])).toBe('USER#ada')
  expect(fillWhole('USER#{…}', [{ text: '' }])).toBeUndefined()
  expect(fillWhole('USER#{…}', [])).toBeUndefined()
  expect(fillWhole('CUSTOMER', [])).toBe('CUSTOMER')
  expect(fillWhole('{a}#{b}', [{ text: '1' }, { text: '2' }])).toBe('1#2')
})

describe('the condition on a sort key', () => {
  it.each<[string, Filling[], ReturnType<typeof sortCondition>]>([
    ['PROFILE', [], { operator: '=', values: ['PROFILE'] }],
    ['ORDER#{date}#{…}', [], { operator: 'begins_with', values: ['ORDER#'] }],
    ['ORDER#{date}#{…}', [{ text: '2026-01-31' }], { operator: 'begins_with', values: ['ORDER#2026-01-31#'] }],
    ['ORDER#{date}#{…}', [{ text: '2026-01-31' }, { text: '7' }], { operator: '=', values: ['ORDER#2026-01-31#7'] }],
    // What stands behind an empty blank is open, so it says nothing.
    ['ORDER#{date}#{…}', [{}, { text: '7' }], { operator: 'begins_with', values: ['ORDER#'] }],
    ['ORDER#{date}#{…}', [{ from: '2026-01', to: '2026-03' }], { operator: 'BETWEEN', values: ['ORDER#2026-01', 'ORDER#2026-03\uffff'] }],
    ['ORDER#{date}#{…}', [{ from: '2026-01' }], { operator: 'BETWEEN', values: ['ORDER#2026-01', 'ORDER#\uffff'] }],
    ['ORDER#{date}#{…}', [{ to: '2026-01' }], { operator: 'BETWEEN', values: ['ORDER#', 'ORDER#2026-01\uffff'] }],
    ['ORDER#{digits}#{…}', [{ from: '1', to: '10' }], { operator: 'BETWEEN', values: ['ORDER#1', 'ORDER#10#\uffff'] }],
    ['ITEM#{…}', [{ from: 'a', to: 'b' }], { operator: 'BETWEEN', values: ['ITEM#a', 'ITEM#b'] }],
    ['{date}', [{ from: '2026-01' }], { operator: '>=', values: ['2026-01'] }],
    ['{date}', [{ to: '2026-01' }], { operator: '<=', values: ['2026-01'] }],
    ['{date}', [], undefined],
    ['', [], undefined],
  ])('%s filled with %j', (template, fillings, expected) => {
    expect(sortCondition(template, fillings)).toEqual(expected)
  })

  it('a number is never a prefix', () => {
    expect(sortCondition('{number}', [], 'N')).toBeUndefined()
    expect(sortCondition('{number}', [{ text: '7' }], 'N')).toEqual({ operator: '=', values: ['7'] })
    expect(sortCondition('{number}', [{ from: '1', to: '7' }], 'N')).toEqual({ operator: 'BETWEEN', values: ['1', '7'] })
    expect(sortCondition('{number}', [{ from: '1' }], 'N')).toEqual({ operator: '>=', values: ['1'] })
  })
})

describe('keys for a value that is asked for', () => {
  const plan = { hash: [{ name: 'PK', type: 'S' as const }], range: [{ name: 'SK', type: 'S' as const }], is_local: false, projection: 'ALL' as const, included: [] }
  const offered = (text: string, templates: Record<string, string>[], type: 'S' | 'N' = 'S') =>
    offeredKeys(plan, templates, new Map([['customer', { text, type }]])).map(({ value, begins_with }) => [value, begins_with])

  it('are the templates with the value in their blank, whole and by their parts', () => {
    expect(offered('u1', [{ PK: 'USER#{…}', SK: 'PROFILE' }, { PK: 'USER#{…}', SK: 'ORDER#{date}#{…}' }])).toEqual([['USER#u1', ''], ['USER#u1', 'ORDER#']])
  })

  it('are the value itself where it fits the template', () => {
    expect(offered('USER#u1', [{ PK: 'USER#{…}', SK: 'PROFILE' }])).toEqual([['USER#u1', '']])
    expect(offered('u1', [{ PK: '{…}', SK: 'PROFILE' }])).toEqual([['u1', '']])
    expect(offered('USER#', [{ PK: 'USER#{…}', SK: 'PROFILE' }])).toEqual([['USER#USER#', '']])
  })

  it('are none of templates with more blanks or none, of numbers, and of keys of several attributes', () => {
    expect(offered('u1', [{ PK: 'USER#{…}#{…}', SK: 'A' }, { PK: 'USERS', SK: 'A' }])).toEqual([])
    expect(offered('1', [{ PK: 'USER#{…}', SK: 'A' }], 'N')).toEqual([])
    expect(offeredKeys({ ...plan, hash: [...plan.hash, { name: 'b', type: 'S' }] }, [{ PK: '{…}', b: '{…}' }], new Map([['x', { text: 'u', type: 'S' }]]))).toEqual([])
  })
})
