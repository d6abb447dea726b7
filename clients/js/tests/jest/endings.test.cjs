const { faults } = require('@hashrange/testing')
const { nothing, simulated, startAll } = require('../support/endings.cjs')

test('what a test starts is there while it runs', async () => {
  await startAll()
  expect(await simulated()).toEqual({ faults: 1, holds: 1, consistency: 1, throughput: 1, requests: 1, status: 'UPDATING', isNow: false })
})

test('and ends with it', async () => {
  expect(await simulated()).toEqual(nothing)
})

test('also where its modules are loaded anew', async () => {
  jest.resetModules()
  await require('@hashrange/testing').clock.advance('2d')
})

test('and ends with it then', async () => {
  expect(await simulated()).toEqual(nothing)
  expect(await faults.list()).toEqual([])
})
