import { describe, expect, it } from 'vitest'
import { ExactNumber, parseJson, printJson } from '../../src/model/exact-json'

describe('parseJson', () => {
  it('keeps the text of every number', () => {
    const text = '{"a":12345678901234567890123456789012345678,"b":[-0.10,1E+125,1.50]}'
    expect(printJson(parseJson(text))).toBe(text)
    expect(parseJson('0.10')).toEqual(new ExactNumber('0.10'))
  })

  it('reads what JSON.parse reads', () => {
    const text = ' {"" : null, "a\\u0041\\n": [true, false, {}, [], "\u{1f600}"], "__proto__": "own"}\n'
    const value = parseJson(text)
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it.each([
    ['', 'The text ends before its value does. (line 1, column 1)'],
    ['{"a":1,\n"a":2}', 'The name "a" is repeated. (line 2, column 1)'],
    ['{"a" 1}', 'A colon is missing here. (line 1, column 6)'],
    ['{"a":1 "b":2}', 'A comma or } is missing here. (line 1, column 8)'],
    ['[1 2]', 'A comma or ] is missing here. (line 1, column 4)'],
    ['[01]', 'A comma or ] is missing here. (line 1, column 3)'],
    ['{a:1}', 'A name in double quotes is missing here. (line 1, column 2)'],
    ['"abc', 'This string does not end, or has a character that needs a backslash. (line 1, column 1)'],
    ['"a\tb"', 'This string does not end, or has a character that needs a backslash. (line 1, column 1)'],
    ['[1,]', 'A value is missing here. (line 1, column 4)'],
    ['1 1', 'Something follows the value. (line 1, column 3)'],
    ['NaN', 'A value is missing here. (line 1, column 1)'],
    ['['.repeat(100000), 'This value is nested too deeply. (line 1, column 82)'],
  ])('refuses %.40s', (text, sentence) => {
    expect(() => parseJson(text)).toThrow(new Error(sentence))
  })
})

describe('printJson', () => {
  it('puts what is short on one line', () => {
    const value = parseJson('{"PK":{"S":"USER#ada"},"list":{"L":[{"S":"' + 'x'.repeat(80) + '"},{"N":"1"}]},"none":{"M":{}}}')
    expect(printJson(value, 2)).toBe(`{
  "PK": {"S": "USER#ada"},
  "list": {
    "L": [
      {
        "S": "${'x'.repeat(80)}"
      },
      {"N": "1"}
    ]
  },
  "none": {"M": {}}
}`)
  })
})
