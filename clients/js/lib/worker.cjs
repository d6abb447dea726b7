// The account of this worker of the test runner. The settings of the global setup are in an environment variable.

'use strict'

const begun = require('./begun.cjs')
const { accountOf, putEnvironment } = require('./run.cjs')

const VARIABLE = 'HASHRANGE_TESTING'

let known = { text: undefined, account: undefined }

/** Sets the environment variable with the settings of a run, for this process and those that it starts. */
function publish(settings) {
  process.env[VARIABLE] = JSON.stringify(settings)
}

/** Returns the account of this worker; throws outside of a run. */
function current() {
  const text = process.env[VARIABLE]
  if (!text) throw new Error('hashrange: no server runs for this test: the plugin (Vitest) or preset (Jest) is not configured.')
  if (known.text !== text) known = { text, account: accountOf(JSON.parse(text), workerNumber(), { begun }) }
  return known.account
}

/** Returns the number of this worker, from 1. Workers that run at the same time have different numbers. */
const workerNumber = () => Number(process.env.VITEST_POOL_ID ?? process.env.JEST_WORKER_ID ?? 1)

/** Returns when to fork: before each 'file', before each 'test', or false. */
const forkEach = () => JSON.parse(process.env[VARIABLE]).fork

/** Returns the root of the project, to which paths are relative; outside of a run, the current folder. */
const root = () => JSON.parse(process.env[VARIABLE] ?? '{}').root ?? process.cwd()

/** Called before the tests of a file: from now on, AWS SDKs without a configuration connect to this worker's account. */
async function enterFile() {
  begun.enterFile()
  putEnvironment(current().environment())
  if (forkEach()) await current().fork()
}

/** Called before a test, and before its own hooks. */
async function enterTest() {
  begun.enterTest()
  if (forkEach() === 'test') await current().fork()
}

const send = (...call) => current().server.control(...call)

/** Called after a test, and after all tests of a file. */
const leaveTest = () => begun.leaveTest(send)
const leaveFile = () => begun.leaveFile(send)

module.exports = { current, enterFile, enterTest, leaveFile, leaveTest, publish, root }
