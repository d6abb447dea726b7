import { account, clock, control, faults, fork } from '@hashrange/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nothing, simulated, startAll } from '../support/endings.cjs'

const rule = { match: { operation: 'Scan' }, do: { status: 503 } }
const pause = (ms) => new Promise((over) => setTimeout(over, ms))

describe('what a test starts', () => {
  test('is there while it runs', async () => {
    await startAll()
    expect(await simulated()).toEqual({ faults: 1, holds: 1, consistency: 1, throughput: 1, requests: 1, status: 'UPDATING', isNow: false })
  })

  test('ends with it', async () => {
    expect(await simulated()).toEqual(nothing)
  })

  test('ends with fork() where it is of the account', async () => {
    await startAll()
    await fork()
    expect(await simulated()).toEqual({ ...nothing, requests: 1, isNow: false })
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

describe('of tests at the same time', () => {
  test.concurrent('the first to end leaves all', async () => {
    await control('POST', 'throughput', { account: account().id, enforce: true })
  })

  test.concurrent('the last to end finds it still there', async () => {
    await pause(100)
    expect(await simulated()).toMatchObject({ throughput: 1 })
  })
})

test('what they started has ended', async () => {
  expect(await simulated()).toEqual(nothing)
})
