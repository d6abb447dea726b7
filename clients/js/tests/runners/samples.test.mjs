// The samples of the documents compile, and the printed answers have the declared types.

import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile, JEST_GLOBALS } from '../support/compile.mjs'
import { pack } from '../support/project.mjs'
import { blocksOf, callsOf, controlCallsOf, moduleOf, moduleOfControlCalls } from '../support/samples.mjs'

const SETUP = 'export default async () => {}'
// The configurations have the types that the runners expect.
const CONFIGS = `
  import type { Config } from 'jest'
  import type { ViteUserConfig } from 'vitest/config'
  import jest from './jest.config.js'
  import vitest from './vitest.config.mjs'
  export const configs: [Config, ViteUserConfig] = [jest, vitest]`

// Declarations of other packages are not checked.
const compileSample = (files) => compile(files, { packed, skipLibCheck: true })

let packed
beforeAll(() => {
  packed = pack()
})
afterAll(() => rmSync(packed, { recursive: true }))

test.each([['docs/testing.md', 'A first test'], ['clients/js/README.md', '']])('of %s, %s', async (document, heading) => {
  const files = blocksOf(document, heading)
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['vitest.config.mjs', 'jest.config.js']))
  expect(Object.keys(files).length).toBeGreaterThanOrEqual(3)
  expect(await compileSample({ 'tables.mjs': SETUP, ...files, 'configs.ts': CONFIGS, ...JEST_GLOBALS })).toBe('status 0')
})

test('of docs/testing.md', async () => {
  const calls = callsOf('docs/testing.md')
  expect(calls).toEqual(expect.arrayContaining(["hold('app', key, '5s')", "hashrange({ fork: 'test' })",
    "const own = await start({ setup }); await own.clock.advance('2d')", "faults.add({ match: { operation: 'PutItem', times: 2 }, do: { status: 503 } })"]))
  expect(await compileSample({ 'tables.mjs': SETUP, 'calls.ts': moduleOf(calls) })).toBe('status 0')
})

test('of docs/control-api.md', async () => {
  const calls = controlCallsOf('docs/control-api.md')
  expect(calls.length).toBeGreaterThan(30)
  const files = { 'package.json': '{"type":"module"}', 'calls.ts': moduleOfControlCalls(calls) }
  expect(await compile(files, { packed })).toBe('status 0')
})
