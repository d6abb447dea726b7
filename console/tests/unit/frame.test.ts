import { expect, test } from 'vitest'
import { parseKey } from '../../src/api/values'
import { findShortcut, type Shortcut } from '../../src/frame/keyboard'
import { rowsInSight } from '../../src/ui/data-grid'
import { bytesText, countOf } from '../../src/ui/figures'

test('Two keys are a shortcut before one is, and the later of two with the same keys runs', () => {
  const run = () => {}
  const offered: Shortcut[] = ['g t', 't', 'mod+Enter', 't'].map((keys, i) => ({ keys, title: String(i), run }))
  const found = (key: string, before = '', is_mod = false) => findShortcut(offered, { key, before, is_mod })?.title
  expect([found('t', 'g'), found('t'), found('t', 'x'), found('g'), found('Enter'), found('Enter', '', true), found('t', 'g', true)]).toEqual(
    ['0', '3', '3', undefined, undefined, '2', undefined])
})

test('A grid draws the rows in sight, and some around', () => {
  expect(rowsInSight(0, 260, 26, 1000)).toEqual({ from: 0, to: 18 })
  expect(rowsInSight(2600, 260, 26, 1000)).toEqual({ from: 92, to: 118 })
  expect(rowsInSight(26_000, 260, 26, 1000)).toEqual({ from: 992, to: 1000 })
  expect(rowsInSight(0, 260, 26, 0)).toEqual({ from: 0, to: 0 })
  // Rows went away while the reader was far below.
  expect(rowsInSight(26_000, 260, 26, 5)).toEqual({ from: 5, to: 5 })
})

test('A key is an object of S, N and B; another text is none', () => {
  expect(parseKey('{"PK":{"S":"a"},"SK":{"N":"7"}}')).toEqual({ PK: { S: 'a' }, SK: { N: '7' } })
  for (const text of [undefined, '', '{}', '[]', 'null', '7', '{"PK":7}', '{"PK":null}', '{"PK":{"S":7}}', '{"PK":{"S":"a","N":"7"}}', '{"PK":{"M":"a"}}', '{"PK":']) {
    expect(parseKey(text), String(text)).toBe(null)
  }
})

test('Figures are as people read them', () => {
  expect([bytesText(0), bytesText(999), bytesText(1500), bytesText(123_456), bytesText(2.5e9)]).toEqual(['0 B', '999 B', '1.5 KB', '123 KB', '2.5 GB'])
  expect([countOf(1, 'item'), countOf(1234, 'item')]).toEqual(['1 item', '1,234 items'])
})
