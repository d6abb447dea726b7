// Before each test file, where Jest's hooks exist already.

'use strict'

const { afterAll, afterEach, beforeAll, beforeEach } = require('@jest/globals')
const { enterTest, leaveFile, leaveTest } = require('./worker.cjs')

beforeAll(leaveTestLast)
beforeEach(enterTest)
afterEach(leaveTest)
afterAll(leaveFile)

// Jest runs the hooks of a file in the order of their definition, so ours would end a test before the file's own afterEach()
// looks at what it did. Its list of them is behind a symbol; where that is not there, the order stays.
function leaveTestLast() {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL')
  const hooks = globalThis[symbol]?.rootDescribeBlock?.hooks
  const at = Array.isArray(hooks) ? hooks.findIndex(({ type, fn }) => type === 'afterEach' && fn === leaveTest) : -1
  if (at >= 0) hooks.push(...hooks.splice(at, 1))
}
