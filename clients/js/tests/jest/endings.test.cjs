const { clock, faults } = require('@hashrange/testing')
const { endForAnother, nothing, simulated, simulatedForAnother, startAll, startForAnother } = require('../support/endings.cjs')

let added
beforeEach(() => (added = 0))
// This hook still sees what its test has started.
afterEach(async () => expect((await faults.list()).length).toBe(added))

beforeAll(startForAnother)
afterAll(endForAnother)

test('what a test starts is there while it runs', async () => {
  added = 1
  await startAll()
  expect(await simulated()).toEqual(
    { faults: 1, holds: 1, consistency: 1, throughput: 1, partitions: 1, measurements: 1, requests: 1, status: 'UPDATING', isNow: false })
})

test('and ends with it', async () => {
  expect(await simulated()).toEqual(nothing)
})

test('and without that of another account', async () => {
  expect(await simulatedForAnother()).toEqual({ throughput: 1, partitions: 1, consistency: 1 })
})

test('also where its modules are loaded anew', async () => {
  jest.resetModules()
  await require('@hashrange/testing').clock.advance('2d')
})

test('and ends with it then', async () => {
  expect(await simulated()).toEqual(nothing)
  expect(await faults.list()).toEqual([])
})

describe('a clock that beforeAll() stops', () => {
  const START = Date.UTC(2026, 0, 1)

  beforeAll(() => clock.freeze('2026-01-01T00:00:00Z'))
  afterAll(() => clock.real())

  test.each([1, 2])('is there in test %i, whatever moves it', async () => {
    expect(await clock.now()).toMatchObject({ mode: 'frozen', epoch_ms: START })
    await clock.advance('2d')
  })
})

test('a test may be the last of its block', async () => {
  added = 1
  await faults.add({ match: { operation: 'Scan' }, do: { status: 503 } })
})

describe('what the last test of a block started', () => {
  let found

  beforeAll(async () => (found = await faults.list()))

  test('is gone in the beforeAll() of the next', () => {
    expect(found).toEqual([])
  })
})
