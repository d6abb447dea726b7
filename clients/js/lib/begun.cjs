// What a test starts ends with it: the calls of the control API that start something, each with the call that ends it.

'use strict'

/**
 * What is still to end, of tests and of files: {running, test, file}, where `running` is how many tests run now, and
 * `test` and `file` map a text of an ending to it. It hangs on the process: the hooks around a test and the test itself
 * may have loaded this module twice.
 */
const STATE = Symbol.for('hashrange.begun')
const state = () => (process[STATE] ??= { running: 0, test: new Map(), file: new Map() })

// path of a POST -> (its body, its answer, the account that asked) -> what ends it, [method, path, body] each
const ENDINGS = {
  clock: () => [['POST', 'clock', { mode: 'real' }]],
  consistency: ({ account = '000000000000', region = 'us-east-1', table }) => [['DELETE', 'consistency', { account, region, table }]],
  faults: (_, { rules }) => rules.map(({ id }) => ['DELETE', `faults/${id}`]),
  holds: (_, { id }) => [['DELETE', `holds/${id}`]],
  // The recorder itself stays on: another worker may be reading what it records.
  requests: ({ enabled = true }, _, { id }) => (enabled ? [['DELETE', `requests?account=${id}`]] : []),
  status: ({ status, ...resource }) => (status === 'ACTIVE' ? [] : [['POST', 'status', { ...resource, status: 'ACTIVE' }]]),
  throughput: ({ enforce, ...scope }) => (enforce ? [['DELETE', 'throughput', scope]] : []),
}

/** Remembers what a call that was answered has started. */
function note(account, method, path, body, answer) {
  if (method !== 'POST' || !Object.hasOwn(ENDINGS, path)) return
  const { running, test, file } = state()
  for (const ending of ENDINGS[path](body ?? {}, answer, account)) {
    const begun = running > 0 ? test : file
    begun.set(JSON.stringify(ending), { ending, of: body?.account })
  }
}

const enterFile = () => void (state().running = 0)
const enterTest = () => void (state().running += 1)

/** Of tests that run at the same time, the last one to end ends what all have started. */
async function leaveTest(send) {
  state().running -= 1
  if (state().running <= 0) await endAll(state().test, send)
}

async function leaveFile(send) {
  await endAll(state().test, send)
  await endAll(state().file, send)
}

/** Ends what was started for one account only. */
async function leaveAccount(id, send) {
  for (const begun of [state().test, state().file]) await endAll(begun, send, ({ of }) => of === id)
}

// The last that was started ends first. What has ended by itself is fine; anything else does not keep the others from ending.
async function endAll(begun, send, chosen = () => true) {
  const problems = []
  for (const [text, each] of [...begun].reverse()) {
    if (!chosen(each)) continue
    begun.delete(text)
    await send(...each.ending).catch((error) => error.status === 404 || problems.push(error))
  }
  if (problems.length > 0) throw problems[0]
}

module.exports = { enterFile, enterTest, leaveAccount, leaveFile, leaveTest, note }
