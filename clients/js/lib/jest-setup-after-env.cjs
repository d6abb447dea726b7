// Runs before each test file, when Jest's hooks exist already.

'use strict'

const { afterAll, afterEach, beforeAll, beforeEach } = require('@jest/globals')
const { enterTest, leaveFile, leaveTest } = require('./worker.cjs')

beforeAll(leaveTestLast)
beforeEach(enterTest)
afterEach(leaveTest)
afterAll(leaveFile)

// Jest runs the hooks of a file in the order of their definition, so leaveTest would run before the file's own afterEach()
// can check what the test did. Jest keeps the list of hooks under a symbol; if the symbol is missing, the order stays.
function leaveTestLast() {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL')
  const hooks = globalThis[symbol]?.rootDescribeBlock?.hooks
  const at = Array.isArray(hooks) ? hooks.findIndex(({ type, fn }) => type === 'afterEach' && fn === leaveTest) : -1
  if (at >= 0) hooks.push(...hooks.splice(at, 1))
}
