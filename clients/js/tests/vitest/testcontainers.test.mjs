// The containers that the package asks Docker for. There is no Docker engine here: a stand-in runs the program instead.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { HashrangeContainer } from '@hashrange/testing/testcontainers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { version } from '../../package.json'
import { environmentOf, startEngine } from '../support/engine.mjs'
import setup, { ADA, ada, definition } from '../support/tables.cjs'

const before = { ...process.env }
let engine
let folder
let started

beforeAll(async () => {
  engine = await startEngine()
  Object.assign(process.env, environmentOf(engine))
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-containers-'))
  writeFileSync(join(folder, 'app.table.json'), JSON.stringify(definition))
  writeFileSync(join(folder, 'app.jsonl'), JSON.stringify(ADA), { mode: 0o600 })
})
afterEach(async () => {
  await started?.stop()
  started = undefined
  rmSync(folder, { recursive: true })
})
afterAll(async () => {
  process.env = before
  await engine.stop()
})

const start = async (...parts) => (started = await new HashrangeContainer(...parts).start())
const wanted = () => engine.containers.at(-1).wanted
const tablesOf = async (account) => (await new DynamoDB(account.connection()).listTables()).TableNames

describe('a container', () => {
  test('is asked for with its program, its port, its token and its health check', async () => {
    const container = await start('example/hashrange:1', { args: ['--transition-ms', '5'], token: 'secret' })
    expect(wanted()).toMatchObject({
      Image: 'example/hashrange:1',
      Entrypoint: ['hashrange', 'serve', '--host', '0.0.0.0', '--transition-ms', '5'],
      Env: ['HASHRANGE_TOKEN=secret'],
      ExposedPorts: { '8000/tcp': {} },
      Healthcheck: { Test: ['CMD', 'hashrange', 'healthcheck'], Interval: 100_000_000, Timeout: 2_000_000_000, Retries: 300 },
      HostConfig: { PortBindings: { '8000/tcp': [{ HostPort: '0' }] } },
    })
    expect(engine.containers.at(-1).isHealthy).toBe(true)
    expect(container.environment()).toEqual({ HASHRANGE_ENDPOINT: `http://127.0.0.1:${container.getMappedPort(8000)}`, HASHRANGE_TOKEN: 'secret' })
  })

  test('has the image of this version, and a token of its own', async () => {
    const tokens = []
    for (const _ of [1, 2]) tokens.push((await start()).token)
    expect(wanted().Image).toBe(`hashrange/hashrange:${version}`)
    expect(tokens[0]).toMatch(/^[\w-]{36}$/)
    expect(tokens[0]).not.toBe(tokens[1])
    expect((await fetch(`${started.endpoint}/_hashrange/`)).status).toBe(401)
  })

  test('is filled by a setup, and each account begins with a copy', async () => {
    const container = await start('hashrange', { setup })
    const [one, other] = [await container.account(), await container.account(2)]
    await one.reset()
    expect([await tablesOf(one), await tablesOf(other), await tablesOf(container.seed)]).toEqual([[], ['app'], ['app']])
    const { Item } = await new DynamoDB(other.connection()).getItem({ TableName: 'app', Key: ada })
    expect(Item).toEqual(ADA)
    await one.fork()
    expect(await tablesOf(one)).toEqual(['app'])
  })

  test('is filled from a folder of this machine', async () => {
    const account = await (await start('hashrange', { seed: folder })).account()
    expect((await new DynamoDB(account.connection()).scan({ TableName: 'app' })).Items).toEqual([ADA])
    const { files } = engine.containers.at(-1)
    expect(files.length).toBeGreaterThanOrEqual(2)
    expect(files.filter((line) => !/^.rw.r..r../.test(line))).toEqual([]) // any user of the container can read them
  })

  test('is filled from a file of this machine', async () => {
    const account = await (await start('hashrange', { seed: join(folder, 'app.table.json') })).account()
    expect((await new DynamoDB(account.connection()).scan({ TableName: 'app' })).Items).toEqual([])
  })

  test('that cannot be filled is stopped, and says why', async () => {
    writeFileSync(join(folder, 'app.table.json'), '{"TableName":')
    await expect(start('hashrange', { seed: join(folder, 'app.table.json') })).rejects.toThrow(/^hashrange: POST seed: .*app\.table\.json/)
    expect(engine.containers.at(-1).isRemoved).toBe(true)
  })
})

test.each([
  [{ binary: '/bin/true' }, 'hashrange: there is no option `binary`, but args, region, seed, setup, token.'],
  [{ args: '--shared' }, "hashrange: the option `args` is a list of texts: ['--transition-ms', '50'], not \"--shared\"."],
  [{ seed: '/nowhere/seed' }, expect.stringContaining('/nowhere/seed')],
])('%o is refused', (options, message) => {
  expect(() => new HashrangeContainer('hashrange', options)).toThrow(expect.objectContaining({ message }))
})

test('an account that is no number is refused', async () => {
  const container = await start()
  await expect(container.account('one')).rejects.toThrow('hashrange: it is account() or account(worker), a number from 1 to 999999, and not with "one".')
})
