// The account of this worker of the test runner. What the global setup knows comes in a variable of the environment.

'use strict'

const begun = require('./begun.cjs')
const { control } = require('./control.cjs')
const { accountOf, putEnvironment } = require('./run.cjs')

const VARIABLE = 'HASHRANGE_TESTING'

let known = { text: undefined, account: undefined }

/** Hands the settings of a run to this process and those that it starts. */
function publish(settings) {
  process.env[VARIABLE] = JSON.stringify(settings)
}

/** The account of this worker; throws outside of a run. */
function current() {
  const text = process.env[VARIABLE]
  if (!text) throw new Error('hashrange: no server runs for this test: the plugin (Vitest) or preset (Jest) is not configured.')
  if (known.text !== text) known = { text, account: accountOf(JSON.parse(text), workerNumber(), { endsWithTest: true }) }
  return known.account
}

/** From 1; of two workers that run at the same time, no two have the same. */
const workerNumber = () => Number(process.env.VITEST_POOL_ID ?? process.env.JEST_WORKER_ID ?? 1)

/** When a fork is due: 'file', 'test' or false. */
const forkEach = () => JSON.parse(process.env[VARIABLE]).fork

/** The root of the project, from which paths are; outside of a run, the current folder. */
const root = () => JSON.parse(process.env[VARIABLE] ?? '{}').root ?? process.cwd()

/** Before the tests of a file: AWS SDKs without a configuration of their own connect to this worker's account. */
async function enterFile() {
  begun.enterFile()
  putEnvironment(current().environment())
  if (forkEach()) await current().fork()
}

/** Before a test, ahead of its own hooks. */
async function enterTest() {
  begun.enterTest()
  if (forkEach() === 'test') await current().fork()
}

const send = (...call) => control(current().server, ...call)

/** After a test, and after all tests of a file. */
const leaveTest = () => begun.leaveTest(send)
const leaveFile = () => begun.leaveFile(send)

module.exports = { current, enterFile, enterTest, leaveFile, leaveTest, publish, root }
