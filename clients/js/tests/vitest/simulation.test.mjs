import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { connection, faults, fork, hold, requests, start } from '@hashrange/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import setup, { ADA, ada } from '../support/tables.cjs'

const db = new DynamoDB({ maxAttempts: 1 })
const read = (client = db) => client.getItem({ TableName: 'app', Key: ada, ConsistentRead: true })
const write = (client = db) => client.putItem({ TableName: 'app', Item: ADA })
const failure = (promise) => promise.then(() => 'none', ({ name }) => name)

beforeEach(fork)

describe('faults', () => {
  const rule = { name: 'slow down', match: { operation: 'GetItem', times: 1 },
    do: { error: { type: 'ThrottlingException', message: 'Rate exceeded' } } }

  test('break the requests that they match, as often as they say', async () => {
    const [{ id, name, hits }] = await faults.add(rule)
    expect({ id, name, hits }).toEqual({ id: expect.any(Number), name: 'slow down', hits: 0 })
    expect([await failure(read()), await failure(read())]).toEqual(['ThrottlingException', 'none'])
    expect((await faults.list()).map((each) => [each.id, each.hits])).toEqual([[id, 1]])
  })

  test('are gone with clear() and with fork()', async () => {
    await faults.add(rule, rule)
    await faults.clear()
    expect([await faults.list(), await failure(read())]).toEqual([[], 'none'])
    await faults.add(rule)
    await fork()
    expect([await faults.list(), await failure(read())]).toEqual([[], 'none'])
  })

  test('leave other accounts alone', async () => {
    await faults.add(rule)
    const other = new DynamoDB({ ...connection(), maxAttempts: 1, credentials: { accessKeyId: '555555555555', secretAccessKey: 'x' } })
    expect(await failure(other.listTables())).toBe('none')
    expect(await failure(read(other))).toBe('ResourceNotFoundException')
  })
})

describe('hold()', () => {
  test('makes writes of an item conflict until it is released', async () => {
    const held = await hold('app', ada, { timeout: '9d' })
    expect(await failure(write())).toBe('TransactionConflictException')
    await held.release()
    expect(await failure(write())).toBe('none')
  })
})

describe('requests', () => {
  beforeAll(() => requests.record({ limit: 100_000 })) // without stop(): other files record at the same time

  test('lists what this account asked, until it is cleared', async () => {
    await requests.clear()
    await read()
    const [seen, ...others] = await requests.list({ operation: 'GetItem' })
    expect(others).toEqual([])
    expect(seen).toMatchObject({ operation: 'GetItem', region: 'us-east-1', status: 200,
      account: connection().credentials.accessKeyId })
    expect(seen.accesses).toMatchObject([{ table: 'app', kind: 'read', units: 1, returned: 1 }])
    await requests.clear()
    expect(await requests.list()).toEqual([])
  })

  test('begins anew with record()', async () => {
    await read()
    expect((await requests.list({ operation: 'GetItem' })).length).toBe(1)
    await requests.record()
    expect(await requests.list()).toEqual([])
  })
})

describe('a server of its own', () => {
  let own
  beforeAll(async () => {
    own = await start({ setup })
  })
  afterEach(() => own.clock.real())
  afterAll(() => own.stop())

  test('is seeded, and has its own port', async () => {
    expect(own.endpoint).not.toBe(connection().endpoint)
    expect((await read(new DynamoDB(own.connection()))).Item).toEqual(ADA)
  })

  test('has a clock to hold and move', async () => {
    const frozen = await own.clock.freeze('2026-01-01T00:00:00Z')
    expect(frozen).toMatchObject({ mode: 'frozen', epoch_ms: Date.UTC(2026, 0, 1) })
    expect(await own.clock.advance('2d')).toMatchObject({ epoch_ms: Date.UTC(2026, 0, 3) })
    expect(await own.clock.now()).toMatchObject({ mode: 'frozen', epoch_ms: Date.UTC(2026, 0, 3) })
    expect(await own.clock.freeze(new Date(0))).toMatchObject({ epoch_ms: 0 })
    expect(await own.clock.scale(60)).toMatchObject({ scale: 60 })
    expect(await own.clock.real()).toMatchObject({ mode: 'real' })
  })

  test('lets days pass, and what expires in them', async () => {
    const client = new DynamoDB(own.connection())
    const { epoch_ms } = await own.clock.freeze()
    await client.updateTimeToLive({ TableName: 'app', TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true } })
    const expires = { N: String(Math.floor(epoch_ms / 1000) + 3600) }
    await client.putItem({ TableName: 'app', Item: { ...ADA, expires } })
    await own.clock.advance('59m')
    expect((await read(client)).Item).toEqual({ ...ADA, expires })
    await own.clock.advance('2m')
    expect((await read(client)).Item).toBeUndefined()
  })

  test('does not answer once it is stopped', async () => {
    const gone = await start()
    await gone.stop()
    await expect(gone.control('GET', '')).rejects.toThrow(/^hashrange: http:\/\/127\.0\.0\.1:\d+ does not answer: /)
  })
})
