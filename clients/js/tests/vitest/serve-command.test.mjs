// A preset's server by the module, as on a machine without a program. These tests need hashrange.wasm, which HASHRANGE_MODULE names.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { start } from '@hashrange/testing'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { findServer } from '../../lib/binary.cjs'
import { version } from '../../package.json'
import tables from '../support/tables.cjs'

const { ADA, ada, definition } = tables

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-serve-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function begin(options) {
  const server = await start(options)
  onTestFinished(() => server.stop())
  return { server, client: new DynamoDB({ ...server.connection(), maxAttempts: 1 }) }
}

const versionOf = (server) => server.control('GET', '').then(({ version }) => version)

describe.skipIf(!process.env.HASHRANGE_MODULE)('a server by the module', () => {
  beforeEach(() => {
    vi.stubEnv('HASHRANGE_BINARY', '') // the module that is named comes before the installed program
    return () => vi.unstubAllEnvs()
  })

  test('is a process of Node.js', () => {
    expect(findServer()).toEqual({ program: process.execPath, words: [expect.stringMatching(/lib\/serve\/command\.cjs$/)] })
    expect(findServer('/bin/true')).toEqual({ program: '/bin/true', words: [] })
    vi.stubEnv('HASHRANGE_BINARY', '/bin/false')
    expect(findServer()).toEqual({ program: '/bin/false', words: [] })
  })

  test('is seeded by a function, forks and moves its clock', async () => {
    const { server, client } = await begin({ setup: async () => {
      const seed = new DynamoDB({ maxAttempts: 1 })
      await seed.createTable(definition)
      await seed.putItem({ TableName: 'app', Item: ADA })
    } })
    expect(await versionOf(server)).toBe(version)
    await client.deleteItem({ TableName: 'app', Key: ada })
    await server.fork()
    expect((await client.scan({ TableName: 'app' })).Items).toEqual([ADA])
    expect((await server.clock.freeze('2026-01-31T12:00:00Z')).mode).toBe('frozen')
  })

  test('is seeded by files', async () => {
    const root = newFolder()
    writeFileSync(join(root, 'app.table.json'), JSON.stringify(definition))
    writeFileSync(join(root, 'app.jsonl'), `${JSON.stringify({ Item: ADA })}\n`)
    const { client } = await begin({ seed: root })
    expect((await client.scan({ TableName: 'app' })).Items).toEqual([ADA])
  })

  test('says why it does not start', async () => {
    await expect(start({ seed: '/nowhere' })).rejects.toThrow(/command\.cjs ended with 1 before it was ready\.\nhashrange: --seed: \/nowhere: there is no such file or folder$/)
    await expect(start({ args: ['--sync', '1s'] })).rejects.toThrow(/command\.cjs ended with 2 before it was ready\.\nhashrange: --sync: the module does not write/)
  })

  test('takes no options of the Node.js of the tests', async () => {
    vi.stubEnv('NODE_OPTIONS', '--require=/nowhere.cjs')
    const { server } = await begin({})
    expect(await versionOf(server)).toBe(version)
  })
})
