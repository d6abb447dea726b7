import { describe, expect, it } from 'vitest'
import { compareTexts } from '../../src/model/order'
import { blankProblems, countBlanks, fillWhole, offeredKeys, parseTemplate, readWritten, sortCondition, type Filling } from '../../src/model/templates'

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
    ['ORDER#{date}#{…}', [{ from: '2026-01', to: '2026-03' }], { operator: 'BETWEEN', values: ['ORDER#2026-01', 'ORDER#2026-03~'] }],
    ['ORDER#{date}#{…}', [{ from: '2026-01' }], { operator: 'BETWEEN', values: ['ORDER#2026-01', 'ORDER#~'] }],
    ['ORDER#{date}#{…}', [{ to: '2026-01' }], { operator: 'BETWEEN', values: ['ORDER#', 'ORDER#2026-01~'] }],
    ['ORDER#{digits}#{…}', [{ from: '1', to: '10' }], { operator: 'BETWEEN', values: ['ORDER#1', 'ORDER#10$'] }],
    ['ORDER#{digits}#{…}', [{ from: '1' }], { operator: 'BETWEEN', values: ['ORDER#1', 'ORDER$'] }],
    ['ORDER#{date}#{…}', [{ from: '2026-01', to: '2026-01' }], { operator: 'begins_with', values: ['ORDER#2026-01'] }],
    ['ORDER#{date}~{…}', [{ from: '2026-01', to: '2026-09' }], { operator: 'BETWEEN', values: ['ORDER#2026-01', 'ORDER#2026-0:'] }],
    ['A\u{10ffff}{digits}', [{ from: '1' }], { operator: 'BETWEEN', values: ['A\u{10ffff}1', 'B'] }],
    ['A~{digits}', [{ from: '1' }], { operator: 'BETWEEN', values: ['A~1', 'A¡'] }],
    ['ITEM#{…}', [{ from: 'a', to: 'b' }], { operator: 'BETWEEN', values: ['ITEM#a', 'ITEM#b'] }],
    ['{date}', [{ from: '2026-01' }], { operator: '>=', values: ['2026-01'] }],
    ['{date}', [{ to: '2026-01' }], { operator: '<=', values: ['2026-01'] }],
    ['{date}', [], undefined],
    ['', [], undefined],
  ])('%s filled with %j', (template, fillings, expected) => {
    expect(sortCondition(template, fillings)).toEqual(expected)
  })

  it.each<[string, Filling, string[], string[]]>([
    ['ORDER#{date}#{…}', { from: '2026-08', to: '2026-09' },
      ['ORDER#2026-08', 'ORDER#2026-08-01#a', 'ORDER#2026-09-30T23:59:59.999Z#\u{10ffff}', 'ORDER#2026-09#ñ'], ['ORDER#2026-07-31#z', 'ORDER#2026-10-01#a', 'PROFILE']],
    ['ORDER#{digits}#{…}', { from: '1', to: '10' }, ['ORDER#1#a', 'ORDER#10#\u{10ffff}'], ['ORDER#0#z', 'ORDER#11#a', 'ORDER#100#a']],
    ['ORDER#{digits}#{…}', { from: '5' }, ['ORDER#5#a', 'ORDER#9#\u{10ffff}'], ['ORDER#4#a', 'PROFILE']],
  ])('%s with the bounds %j has the keys of the template that are within them, and no others', (template, filling, within, outside) => {
    const { operator, values: [first, last] } = sortCondition(template, [filling])!
    const isAsked = (key: string) => compareTexts(first!, key) <= 0 && compareTexts(key, last!) <= 0
    expect([operator, within.filter((key) => !isAsked(key)), outside.filter(isAsked)]).toEqual(['BETWEEN', [], []])
  })

  it('a number is never a prefix', () => {
    expect(sortCondition('{number}', [], 'N')).toBeUndefined()
    expect(sortCondition('{number}', [{ text: '7' }], 'N')).toEqual({ operator: '=', values: ['7'] })
    expect(sortCondition('{number}', [{ from: '1', to: '7' }], 'N')).toEqual({ operator: 'BETWEEN', values: ['1', '7'] })
    expect(sortCondition('{number}', [{ from: '1' }], 'N')).toEqual({ operator: '>=', values: ['1'] })
  })
})

describe('what is written into a blank', () => {
  const written = (template: string, at: number, text: string, is_pasted = false) => Object.fromEntries(readWritten(template, 0, at, text, is_pasted))

  it('loses the label that it repeats', () => {
    expect(written('STATUS#{status}', 0, 'STATUS#paid')).toEqual({ 0: 'paid' })
    expect(written('STATUS#{status}', 0, 'STATUS#')).toEqual({ 0: '' })
    expect(written('STATUS#{status}', 0, 'STATUS')).toEqual({ 0: 'STATUS' })
    expect(Object.fromEntries(readWritten('ORDER#{date}#{…}', 2, 2, 'ORDER#2026', false))).toEqual({ 2: '2026' })
  })

  it('fills every blank when it is a whole key that is pasted', () => {
    const key = 'ORDER#2026-01-31#7'
    expect(written('ORDER#{date}#{…}', 0, key, true)).toEqual({ 0: '2026-01-31', 1: '7' })
    expect(written('ORDER#{date}#{…}', 1, key, true)).toEqual({ 0: '2026-01-31', 1: '7' })
    expect(Object.fromEntries(readWritten('ORDER#{date}#{…}', 1, 1, key, true))).toEqual({ 1: '2026-01-31', 2: '7' })
    expect(written('USER#{…}', 0, 'USER#ada', true)).toEqual({ 0: 'ada' })
    expect(written('{…}#META', 0, 'a#META', true)).toEqual({ 0: 'a' })
  })

  it('stays as it is where the template has no label', () => {
    expect(written('o{…}', 0, 'orange', true)).toEqual({ 0: 'orange' })
    expect(written('#{…}', 0, '#a', true)).toEqual({ 0: '#a' })
    expect(written('ORDER#{date}#{…}', 1, 'ORDER#7')).toEqual({ 1: 'ORDER#7' })
  })
})

it('says which blank is empty before a filled one, and which is filled behind bounds', () => {
  const problems = (...fillings: Filling[]) => [...blankProblems(['USER#{…}', 'ORDER#{date}#{…}'], fillings)]
  expect(problems()).toEqual([])
  expect(problems({ text: 'ada' })).toEqual([])
  expect(problems({ text: 'ada' }, { text: '2026' }, { text: '7' })).toEqual([])
  expect(problems({ text: 'ada' }, {}, { text: '7' })).toEqual([[1, 'Fill in date: without it, the blanks behind it say nothing.']])
  expect(problems({}, { to: '2026' })).toEqual([[0, 'Fill in text: without it, the blanks behind it say nothing.']])
  expect(problems({ text: 'ada' }, { from: '2026' }, { text: '7' })).toEqual([[2, 'Nothing is asked for behind a range: leave this blank empty.']])
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
