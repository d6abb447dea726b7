import { account, clock, control, faults, fork } from '@hashrange/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endForAnother, nothing, simulated, simulatedForAnother, startAll, startForAnother } from '../support/endings.cjs'

const rule = { match: { operation: 'Scan' }, do: { status: 503 } }

describe('what a test starts', () => {
  beforeAll(startForAnother)
  afterAll(endForAnother)

  test('is there while it runs', async () => {
    await startAll()
    expect(await simulated()).toEqual(
      { faults: 1, holds: 1, consistency: 1, throughput: 1, partitions: 1, measurements: 1, requests: 1, status: 'UPDATING', isNow: false })
  })

  test('ends with it', async () => {
    expect(await simulated()).toEqual(nothing)
  })

  test('ends without that of another account', async () => {
    expect(await simulatedForAnother()).toEqual({ throughput: 1, partitions: 1, consistency: 1 })
  })

  test('ends with fork() where it is of the account', async () => {
    await startAll()
    await fork()
    expect(await simulated()).toEqual({ ...nothing, measurements: 1, requests: 1, isNow: false })
  })

  test('leaves nothing when it has ended before', async () => {
    const [{ id }] = await faults.add(rule)
    await control('DELETE', `faults/${id}`)
    await clock.freeze()
    await clock.real()
  })

  test('is any number of things', async () => {
    expect(await simulated()).toEqual(nothing)
    for (let i = 0; i < 3; ++i) await faults.add(rule, rule)
    expect((await faults.list()).length).toBe(6)
  })
})

describe('what beforeAll() starts', () => {
  beforeAll(() => faults.add(rule))
  afterAll(() => faults.clear())

  test.each([1, 2])('is there in test %i', async () => {
    await faults.add(rule)
    expect((await faults.list()).length).toBe(2)
  })
})

describe('what beforeAll() starts and a test changes', () => {
  const ENDED = Date.UTC(2026, 0, 3)
  const rule = { table: 'app', enforce: true }
  const model = { table: 'app', mode: 'enforce', seed: 7, parameters: { write_units: 5 } }
  const rulesOf = async (path) => (await control('GET', path)).rules.filter((each) => each.account === account().id)
  const found = async () => ({ rules: await rulesOf('throughput'), models: await rulesOf('partitions'), clock: await clock.now() })
  const whole = () => ({ rules: [{ account: account().id, ...rule }], models: [{ account: account().id, ...model }], clock: expect.objectContaining({ mode: 'frozen', epoch_ms: ENDED }) })

  beforeAll(async () => {
    await clock.freeze('2026-01-01T00:00:00Z')
    await clock.advance('2d')
    await control('POST', 'throughput', { account: account().id, ...rule })
    await control('POST', 'partitions', { account: account().id, ...model })
  })
  afterAll(async () => {
    await clock.real()
    await control('DELETE', 'throughput', { account: account().id })
    await control('DELETE', 'partitions', { account: account().id })
  })

  test('is there for the first', async () => {
    expect(await found()).toEqual(whole())
    await control('POST', 'throughput', { account: account().id, enforce: false })
    await control('POST', 'partitions', { account: account().id, mode: 'watch' })
    await clock.advance('1h')
    expect(await found()).toMatchObject({ rules: [], models: [{ mode: 'watch' }], clock: { epoch_ms: ENDED + 3_600_000 } })
  })

  test('is there again for the next', async () => {
    expect(await found()).toEqual(whole())
    await clock.real()
  })

  test('also after a clock that was real', async () => {
    expect(await found()).toEqual(whole())
  })
})

describe('rules of beforeAll() about several tables', () => {
  const of = (table, mode) => ({ account: account().id, table, mode, seed: 0, parameters: {} })
  const post = (table, mode) => control('POST', 'partitions', { account: account().id, table, mode })
  const rules = async () => (await control('GET', `partitions?account=${account().id}`)).rules

  beforeAll(async () => {
    await post('app', 'watch')
    await post('other', 'watch')
  })
  afterAll(() => control('DELETE', 'partitions', { account: account().id }))

  test('are in force', async () => {
    expect(await rules()).toEqual([of('app', 'watch'), of('other', 'watch')])
    await post('app', 'enforce')
    expect(await rules()).toEqual([of('other', 'watch'), of('app', 'enforce')])
  })

  test('are started again only if a test has replaced them', async () => {
    expect(await rules()).toEqual([of('other', 'watch'), of('app', 'watch')])
    await post(undefined, 'enforce')
    expect(await rules()).toEqual([{ account: account().id, mode: 'enforce', seed: 0, parameters: {} }])
  })

  test('keep their order', async () => {
    expect(await rules()).toEqual([of('app', 'watch'), of('other', 'watch')])
  })
})

describe('a clock that beforeAll() moves and lets run', () => {
  const days = async () => Math.round(((await clock.now()).epoch_ms - Date.now()) / 86_400_000)

  beforeAll(async () => {
    await clock.advance('2d')
    await clock.advance('1d')
  })
  afterAll(() => clock.real())

  test.each([1, 2])('is so in test %i', async () => {
    expect(await days()).toBe(3)
    await clock.advance('5d')
    expect(await days()).toBe(8)
  })
})

test('a rule that lets all through ends with its test', async () => {
  const own = { account: account().id }
  await control('POST', 'throughput', { ...own, enforce: true })
  await control('POST', 'throughput', { ...own, table: 'app', enforce: false })
  expect(await simulated()).toMatchObject({ throughput: 2 })
})

test('so no rule is left', async () => {
  expect(await simulated()).toMatchObject({ throughput: 0 })
})

describe('of tests at the same time', () => {
  let over
  const isOver = new Promise((resolve) => (over = resolve))

  test.concurrent('the first to end leaves all', async ({ onTestFinished }) => {
    await control('POST', 'throughput', { account: account().id, enforce: true })
    onTestFinished(over) // runs after the hooks of the test
  })

  test.concurrent('the last to end finds it still there', async () => {
    await isOver
    expect(await simulated()).toMatchObject({ throughput: 1 })
  })
})

test('what they started has ended', async () => {
  expect(await simulated()).toEqual({ ...nothing, requests: expect.any(Number) }) // recording stays on
})
