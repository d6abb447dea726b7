// Tests the values of the option `setup`, in the configuration of a runner and for a server that a test starts.

import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { pack, project } from '../support/project.mjs'

const DEFINITION = `{ TableName: 'app', BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }], KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }] }`
// This setup prints the account that it seeds, and creates a table.
const SETUP = `async ({ id }) => {
    console.log('seeds ' + id)
    await new DynamoDB().createTable(${DEFINITION})
  }`
const MODULE = `import { DynamoDB } from '@aws-sdk/client-dynamodb'\nexport default ${SETUP}`
const COMMONJS = `const { DynamoDB } = require('@aws-sdk/client-dynamodb')\nmodule.exports = ${SETUP}`
const KINDS = {
  '.mjs': { path: 'tables.mjs', text: MODULE },
  '.cjs': { path: 'tables.cjs', text: COMMONJS },
  '.js': { path: 'tables.js', text: COMMONJS },
  '.js of a project of modules': { path: 'tables.js', text: MODULE, type: 'module' },
}

const HEADS = {
  'one.test.js': `
  import { DynamoDB } from '@aws-sdk/client-dynamodb'
  import { start } from '@hashrange/testing'
  import { expect, test } from 'vitest'`,
  'one.jest.cjs': `
  const { DynamoDB } = require('@aws-sdk/client-dynamodb')
  const { start } = require('@hashrange/testing')`,
}
const PASSED = { vitest: /Tests +1 passed \(1\)[^]*status 0$/, jest: /Tests: +1 passed, 1 total[^]*status 0$/ }

/** Returns the files of a project whose test is `text`, with an option of the preset. */
const files = (text, option) => ({
  'vitest.config.mjs': `import { hashrange } from '@hashrange/testing/vitest'
    export default { plugins: [hashrange({ ${option} })] }`,
  'jest.config.cjs': `const { hashrange } = require('@hashrange/testing/jest')
    module.exports = { ...hashrange({ ${option} }), testMatch: ['**/*.jest.cjs'] }`,
  ...Object.fromEntries(Object.entries(HEADS).map(([name, head]) => [name, `${head}\n${text}`])),
})

/** A test of the seeded tables of the run, and of a server that it starts. */
const both = (setup) => `
  test('both', async () => {
    const tables = async (...options) => (await new DynamoDB(...options).listTables()).TableNames
    const own = await start({ setup: ${setup} })
    expect([await tables(), await tables(own.connection())]).toEqual([['app'], ['app']])
    await own.stop()
  })`

let packed
let made
const make = (contents) => (made = project(contents, packed))

beforeAll(() => {
  packed = pack()
}, 60_000)
afterEach(() => made.remove())
afterAll(() => rmSync(packed, { recursive: true }))

describe.each(['vitest', 'jest'])('with %s, a setup', (runner) => {
  test.each(Object.keys(KINDS))('is %s', async (kind) => {
    const { path, text, type = 'commonjs' } = KINDS[kind]
    const output = await make({ 'package.json': JSON.stringify({ type }), [path]: text,
      ...files(both(`'./${path}'`), `setup: './${path}'`) }).run(runner)
    expect(output).toMatch(PASSED[runner])
    expect(output.match(/seeds \d{12}/g)).toEqual(['seeds 100000000000', 'seeds 100000000000'])
  })

  test('is a function', async () => {
    const output = await make({ 'tables.mjs': MODULE, ...files(both(SETUP), "setup: 'tables.mjs'") }).run(runner)
    expect(output).toMatch(PASSED[runner])
  })

  test('has the variables of the test, and those of the account', async () => {
    const text = `
      test('variables', async () => {
        process.env.TABLE = 'named-by-the-test'
        const own = await start({ setup: './named.mjs' })
        expect((await new DynamoDB(own.connection()).listTables()).TableNames).toEqual(['named-by-the-test'])
        expect((await new DynamoDB().listTables()).TableNames).toEqual([])
        await own.stop()
      })`
    const output = await make({ ...files(text, ''), 'named.mjs': MODULE.replace("'app'", 'process.env.TABLE') }).run(runner)
    expect(output).toMatch(PASSED[runner])
  })

  test('that fails says why', async () => {
    const setups = {
      'throws.mjs': ["export default async () => { throw new TypeError('no tables today') }", '/^no tables today$/'],
      'empty.cjs': ['', '/^hashrange: .*empty\\.cjs exports no function by default\\.$/'],
      'refused.mjs': ["export default (account) => account.control('POST', 'clock', {})", '/^hashrange: POST clock: The body has none of/'],
      ...(runner === 'jest' && { 'exits.mjs': ['process.exit(3)', '/^hashrange: .*exits\\.mjs ended its process with 3\\.$/'] }),
    }
    const cases = Object.entries(setups).map(([path, [, message]]) => `await expect(start({ setup: './${path}' })).rejects.toThrow(${message})`)
    const modules = Object.fromEntries(Object.entries(setups).map(([path, [text]]) => [path, text]))
    const text = `test('fails', async () => {\n${cases.join('\n')}\n})`
    expect(await make({ ...files(text, ''), ...modules }).run(runner)).toMatch(PASSED[runner])
  })
})

describe('with vitest, a setup goes through Vite', () => {
  const SPY = `{ name: 'spy', transform: (_, id) => void (/tables|definition/.test(id) && console.log('Vite transforms ' + id)) }`
  const config = (path) => `import { hashrange } from '@hashrange/testing/vitest'
    export default { plugins: [hashrange({ setup: '${path}' }), ${SPY}], resolve: { alias: { '@': import.meta.dirname, '~own': import.meta.dirname } } }`
  const text = `
    test('seeded', async () => {
      expect((await new DynamoDB().listTables()).TableNames).toEqual(['app'])
    })`
  const definition = `export default (${DEFINITION})`
  const importing = (path) => `import { DynamoDB } from '@aws-sdk/client-dynamodb'
    import definition from '${path}'
    export default () => new DynamoDB().createTable(definition)`
  const typed = "const names: string[] = ['tables']\n"

  test.each([
    ['not where Node.js reads it: .mjs', 'tables.mjs', { 'tables.mjs': importing('./definition.mjs'), 'definition.mjs': definition }, []],
    ['not where Node.js reads it: .cjs', 'tables.cjs', { 'tables.cjs': COMMONJS }, []],
    ['not where Node.js reads it: .js', 'tables.js', { 'tables.js': COMMONJS }, []],
    ['where it is TypeScript', 'tables.ts', { 'tables.ts': typed + MODULE }, ['tables.ts']],
    ['where it imports TypeScript', 'tables.mjs', { 'tables.mjs': importing('./definition.ts'), 'definition.ts': typed + definition },
      // Newer versions of Node.js can read TypeScript.
      process.features.typescript ? [] : ['tables.mjs', 'definition.ts']],
    ['where it imports TypeScript that is more than types', 'tables.mjs',
      { 'tables.mjs': importing('./definition.ts'), 'definition.ts': "enum Kind { Table = 'tables' }\n" + typed + definition },
      ['tables.mjs', 'definition.ts']],
    ...['@/', '~own/', './'].map((start) => [`where it imports ${start}definition, without an ending`, 'tables.mjs',
      { 'tables.mjs': importing(`${start}definition`), 'definition.mjs': definition }, ['tables.mjs', 'definition.mjs']]),
  ])('%s', async (_, path, modules, transformed) => {
    const output = await make({ ...files(text, ''), ...modules, 'vitest.config.mjs': config(path) }).run('vitest')
    expect(output).toMatch(PASSED.vitest)
    expect([...output.matchAll(/Vite transforms .*?([^/\n]+)$/gm)].map(([, name]) => name)).toEqual(transformed)
  })

  test('where Node.js says why it does not run, that is said', async () => {
    const throwing = "throw new TypeError('no tables today')\nexport default () => {}"
    const output = await make({ ...files(text, ''), 'tables.mjs': throwing, 'vitest.config.mjs': config('tables.mjs') }).run('vitest')
    expect(output).toContain('TypeError: no tables today')
    expect(output).not.toContain('Vite transforms')
    expect(output).toMatch(/status 1$/)
  })
})
