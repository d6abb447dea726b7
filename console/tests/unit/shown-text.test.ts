import { expect, test } from 'vitest'
import { keyText, valueText } from '../../src/ui/item-value'
import { shownParts, shownText } from '../../src/ui/shown-text'

test('Characters that cannot be seen, or that turn the text around, are named', () => {
  expect(shownParts('a\u202eb\n', 100)).toEqual([
    { text: 'a', is_sign: false },
    { text: 'U+202E', is_sign: true },
    { text: 'b', is_sign: false },
    { text: 'LF', is_sign: true }
  ])
  expect(shownText('\u0000\u200f\u{e0041}')).toBe('⟨NUL⟩⟨RLM⟩⟨U+E0041⟩')
  expect(shownText('<b>Zoë 日本 😀</b>')).toBe('<b>Zoë 日本 😀</b>')
  expect(shownParts('', 5)).toEqual([{ text: '', is_sign: false }])
})

test('A long text is cut', () => {
  expect(shownText('abcdef', 3)).toBe('abc…')
  expect(shownText('abc', 3)).toBe('abc')
})

test('Values are texts of one line', () => {
  expect(valueText({ N: '12345678901234567890123456789012345678' })).toBe('12345678901234567890123456789012345678')
  expect(valueText({ M: { a: { L: [{ S: 'x"' }, { BOOL: true }, { NULL: true }] } } })).toBe('{"a": ["x\\"", true, null]}')
  expect(valueText({ NS: ['1', '2'] })).toBe('{1, 2}')
  expect(valueText({ B: 'AAEC' })).toBe('AAEC (3 bytes)')
  expect(valueText({ BS: ['AA=='] })).toBe('{AA== (1 byte)}')
  expect(keyText({ PK: { S: 'USER#a' }, SK: { N: '7' } })).toBe('USER#a · 7')
})

test('A large value is not walked to its end', () => {
  const large = { L: Array.from({ length: 100_000 }, () => ({ S: 'x'.repeat(100) })) }
  expect(valueText(large, 50).length).toBeLessThan(300)
})

test('Members may have the names of members that every object has', () => {
  expect(valueText({ M: JSON.parse('{"__proto__":{"S":"a"},"constructor":{"N":"1"}}') })).toBe('{"__proto__": "a", "constructor": 1}')
})
