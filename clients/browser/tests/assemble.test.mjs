// How files of clients/js become modules of a browser.

import { expect, test } from 'vitest'
import { asModule } from '../assemble.mjs'

test('imports and exports are rewritten', () => {
  expect(asModule(`// A file.

'use strict'

const { one, two } = require('./numbers.cjs')

module.exports = { one, two }
`, 'lib/a.mjs')).toBe(`// A file.

import { one, two } from './numbers.mjs'

export { one, two }
`)
})

test.each([
  ["const { readFile } = require('node:fs/promises')", 'require('],
  ["module.exports = { three: 3 }", 'module.exports'],
  ["const path = process.env.HOME", 'process.'],
  ["const bytes = Buffer.from('a')", 'Buffer'],
])('what needs Node.js is refused: %s', (line, what) => {
  expect(() => asModule(`${line}\n`, 'lib/a.mjs')).toThrow(`assemble: clients/js/lib/a.cjs cannot run in a browser: it has ${what}`)
})
