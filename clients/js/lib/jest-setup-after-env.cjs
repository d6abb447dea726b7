// Runs before each test file, when Jest's hooks exist already.

'use strict'

const { afterAll, afterEach, beforeAll, beforeEach } = require('@jest/globals')
const { enterTest, leaveFile, leaveTest } = require('./worker.cjs')

beforeAll(leaveLast)
beforeEach(enterTest)
afterEach(leaveTest)
afterAll(leaveFile)

// Jest runs the hooks of a file in the order of their definition, so leaveTest and leaveFile would run before the file's own
// hooks can check what the tests did. Jest keeps the list of hooks under a symbol; if the symbol is missing, the order stays.
function leaveLast() {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL')
  const hooks = globalThis[symbol]?.rootDescribeBlock?.hooks
  if (!Array.isArray(hooks)) return
  for (const own of [leaveTest, leaveFile]) moveLast(hooks, hooks.find(({ fn }) => fn === own))
}

// When this runs, Jest has lists of its own of some hooks, so the hooks stay in their places, and their contents move.
function moveLast(hooks, own) {
  if (own === undefined) return
  const places = hooks.slice(hooks.indexOf(own)).filter(({ type }) => type === own.type)
  const [first, ...others] = places.map((hook) => ({ ...hook }))
  places.forEach((hook, number) => Object.assign(hook, [...others, first][number]))
}
