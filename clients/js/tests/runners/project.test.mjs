// Tests the package in projects of users, with the real runners.

import { readFileSync, rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { start } from '../../index.mjs'
import { pack, project } from '../support/project.mjs'

const FILES = {
  'vitest.config.mjs': `
    import { hashrange } from '@hashrange/testing/vitest'
    export default { plugins: [hashrange({ setup: 'tables.mjs', fork: 'test' })] }`,
  'jest.config.cjs': `
    const { hashrange } = require('@hashrange/testing/jest')
    module.exports = { ...hashrange({ setup: 'tables.mjs', fork: 'test' }), testMatch: ['**/*.jest.cjs'] }`,
  'tables.mjs': `
    import { DynamoDB } from '@aws-sdk/client-dynamodb'
    export default () => new DynamoDB().createTable({ TableName: 'app', BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }] })`,
  'one.test.js': `
    import { DynamoDB } from '@aws-sdk/client-dynamodb'
    import { connection, reset } from '@hashrange/testing'
    import { expect, test } from 'vitest'
    const tables = async (client) => (await client.listTables()).TableNames
    test.each([1, 2])('run %i', async () => {
      expect([await tables(new DynamoDB()), await tables(new DynamoDB(connection()))]).toEqual([['app'], ['app']])
      await reset()
    })`,
  'one.jest.cjs': `
    const { DynamoDB } = require('@aws-sdk/client-dynamodb')
    const { connection, reset } = require('@hashrange/testing')
    const tables = async (client) => (await client.listTables()).TableNames
    test.each([1, 2])('run %i', async () => {
      expect([await tables(new DynamoDB()), await tables(new DynamoDB(connection()))]).toEqual([['app'], ['app']])
      await reset()
    })`,
}
const RUNNERS = ['vitest', 'jest']
const PASSED = { vitest: /Tests +2 passed \(2\)[^]*status 0$/, jest: /Tests: +2 passed, 2 total[^]*status 0$/ }

let packed
let made
const make = (files, from = packed) => (made = project({ ...FILES, ...files }, from))

beforeAll(() => {
  packed = pack()
}, 180_000)
afterEach(() => made.remove())
afterAll(() => rmSync(packed, { recursive: true }))

describe.each(RUNNERS)('%s', (runner) => {
  test('runs a project that has the package installed', async () => {
    expect(await make().run(runner)).toMatch(PASSED[runner])
  })

  test('runs a project that has the package linked', async () => {
    expect(await make({}, null).run(runner)).toMatch(PASSED[runner])
  })

  test.skipIf(!process.env.HASHRANGE_MODULE)('runs by the module where there is no program', async () => {
    expect(await make().run(runner, { HASHRANGE_BINARY: '', PATH: '/nowhere' })).toMatch(PASSED[runner])
  })

  test('says what to do where there is no server', async () => {
    const output = await make().run(runner, { HASHRANGE_BINARY: '', HASHRANGE_MODULE: '', PATH: '/nowhere' })
    expect(output).toContain('hashrange: no server to start. Put `hashrange` on PATH, or its path into HASHRANGE_BINARY')
    expect(output).toMatch(/status 1$/)
    if (runner === 'vitest') expect(output).not.toMatch(/No test files found|\.cjs:\d/) // no other failure, and no stack
  })

  test('uses a server that runs already, with its token', async () => {
    const server = await start({ token: 'secret' })
    const output = await make().run(runner, { HASHRANGE_ENDPOINT: server.endpoint, HASHRANGE_TOKEN: 'secret', PATH: '/nowhere' })
    expect(output).toMatch(PASSED[runner])
    expect((await server.control('GET', '')).tables).toBe(1) // the table of the seed account; the test has reset its own account
    await server.stop()
  })

  test('takes the server that a global setup of the project names', async () => {
    const server = await start({ token: 'secret' })
    const names = `
      process.env.HASHRANGE_ENDPOINT = '${server.endpoint}'
      process.env.HASHRANGE_TOKEN = 'secret'`
    const output = await make({
      'vitest.config.mjs': `
        import { hashrange } from '@hashrange/testing/vitest'
        export default { plugins: [hashrange({ setup: 'tables.mjs', fork: 'test' })], test: { globalSetup: './server.mjs' } }`,
      'server.mjs': `export default () => {${names}\n}`,
      'jest.config.cjs': `
        const { hashrange } = require('@hashrange/testing/jest')
        module.exports = { ...hashrange({ setup: 'tables.mjs', fork: 'test' }), testMatch: ['**/*.jest.cjs'],
          globalSetup: './server.cjs', globalTeardown: './server-down.cjs' }`,
      'server.cjs': `
        const { globalSetup } = require('@hashrange/testing/jest')
        module.exports = async (...configs) => {${names}
          await globalSetup(...configs)
        }`,
      'server-down.cjs': `
        const { globalTeardown } = require('@hashrange/testing/jest')
        module.exports = async () => {
          await globalTeardown()
          console.log('down')
        }`,
    }).run(runner, { HASHRANGE_BINARY: '', HASHRANGE_MODULE: '', PATH: '/nowhere' })
    expect(output).toMatch(PASSED[runner])
    if (runner === 'jest') expect(output).toContain('down')
    expect((await server.control('GET', '')).tables).toBe(1) // the table of the seed account
    await server.stop()
  })

  test('shows once what a server warns of', async () => {
    const other = "{ accessKeyId: '555555555555', secretAccessKey: 'x' }"
    const look = (api) => `${api}
      test('looks for a table where it is not', async () => {
        const own = await start({ setup: './tables.mjs' })
        for (const client of [new DynamoDB({ credentials: ${other} }), new DynamoDB({ ...own.connection(), credentials: ${other} })]) {
          for (let i = 0; i < 2; i += 1) await client.scan({ TableName: 'app' }).catch(() => {})
        }
        await own.control('GET', '')
        await own.stop()
      })`
    const output = await make({
      'one.test.js': look(`import { DynamoDB } from '@aws-sdk/client-dynamodb'
        import { start } from '@hashrange/testing'
        import { expect, test } from 'vitest'`),
      'one.jest.cjs': look(`const { DynamoDB } = require('@aws-sdk/client-dynamodb')
        const { start } = require('@hashrange/testing')`),
    }).run(runner)
    expect(output).toMatch(/Tests:? +1 passed[^]*status 0$/)
    const warning = 'hashrange server warning: table app not found for 555555555555/us-east-1; a table of that name exists under '
    expect(output.split('\n').filter((line) => line.includes('server warning')).map((line) => line.slice(0, warning.length)))
      .toEqual([warning, warning]) // from the server of the run, and from the test's own server
  })

  test('leaves no server behind when it is killed', async () => {
    const wait = (api) => `${api}
      const { control } = require('@hashrange/testing')
      test('waits', async () => {
        console.log('server ' + (await control('GET', '')).pid + '.')
        await new Promise((resolve) => setTimeout(resolve, 150_000))
      }, 160_000)`
    const child = make({
      'one.test.js': wait(`import { createRequire } from 'node:module'
        import { test } from 'vitest'
        const require = createRequire(import.meta.url)`),
      'one.jest.cjs': wait(''),
    }).start(runner, { CI: '1' })
    try {
      const pid = await match([child.stdout, child.stderr], /server (\d+)\./)
      expect(isRunning(pid)).toBe(true)
      child.kill('SIGKILL')
      await gone(pid)
    } finally {
      killGroup(child.pid)
    }
  })
})

/** Resolves to the first group of the first match in the output of the streams. */
function match(streams, pattern) {
  return new Promise((found, failed) => {
    let text = ''
    for (const stream of streams) {
      stream.on('data', (part) => {
        text += part
        if (pattern.test(text)) found(text.match(pattern)[1])
      })
      stream.on('end', () => failed(new Error(`no ${pattern} in:\n${text}`)))
    }
  })
}

/** Ends a runner's workers, which may outlive the runner. */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error // ESRCH: no worker is left
  }
}

// A process that has ended exists until its parent has waited for it.
function isRunning(pid) {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error
    return false
  }
}

async function gone(pid, timeoutMs = 60_000) {
  const deadline = Date.now() + timeoutMs
  while (isRunning(pid)) {
    if (Date.now() > deadline) throw new Error(`the server ${pid} still runs`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
