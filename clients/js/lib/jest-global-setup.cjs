// Runs before all tests, in Jest's own process: starts the server and seeds it.

'use strict'

const { startRun } = require('./run.cjs')
const { publish } = require('./worker.cjs')

const RUN = Symbol.for('hashrange.run')

module.exports = async function globalSetup(globalConfig, { globals, rootDir }) {
  const run = await startRun(globals.hashrange, { root: rootDir })
  publish(run.settings) // workers are started later and inherit the variable
  globalThis[RUN] = run
}
