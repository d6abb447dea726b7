// What a test starts ends with it: the calls of the control API that start something, each with the call that ends it.

'use strict'

/**
 * What is still to end, of tests and of files: {running, test, file}, where `running` is how many tests run now, and
 * `test` and `file` map a text of an ending to {path, key, ending, again, of}: `key` is that text, `again` the calls that
 * start it once more, and `of` the account it is for. It hangs on the process: the hooks around a test and the test
 * itself may have loaded this module twice.
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
  throughput: ({ enforce, ...scope }) => [['DELETE', 'throughput', scope]],
}

// Of these there is one at a time, so what a test starts takes the place of what its file has started.
const AGAIN = {
  clock: clockAgain,
  consistency: (body) => [['POST', 'consistency', body]],
  status: (body) => [['POST', 'status', body]],
  throughput: (body) => [['POST', 'throughput', body]],
}

// Frozen it is put back to its time; else all that has been asked of it since it was real is asked again.
function clockAgain(body, answer, before = [['POST', 'clock', { mode: 'real' }]]) {
  if (answer.mode === 'frozen') return [['POST', 'clock', { frozen: answer.now }]]
  return [...('mode' in body ? [] : before), ['POST', 'clock', body]]
}

/** Remembers what a call that was answered has started. */
function note(account, method, path, body, answer) {
  const { running, test, file } = state()
  const begun = running > 0 ? test : file
  if (method === 'DELETE' && Object.hasOwn(AGAIN, path)) forget(begun, path, body ?? {})
  if (method !== 'POST' || !Object.hasOwn(ENDINGS, path)) return
  for (const ending of ENDINGS[path](body ?? {}, answer, account)) {
    const key = JSON.stringify(ending)
    const again = AGAIN[path]?.(body, answer, begun.get(key)?.again)
    begun.delete(key) // the latest is the last
    begun.set(key, { path, key, ending, again, of: body?.account })
  }
}

// What was ended by hand is not started again.
function forget(begun, path, scope) {
  for (const { path: own, key, ending: [, , started] } of [...begun.values()]) {
    if (own === path && Object.entries(scope).every(([name, value]) => started[name] === value)) begun.delete(key)
  }
}

const enterFile = () => void (state().running = 0)
const enterTest = () => void (state().running += 1)

/** Of tests that run at the same time, the last one to end ends what all have started. */
async function leaveTest(send) {
  state().running -= 1
  if (state().running <= 0) await endAll(state().test, send, { held: state().file })
}

async function leaveFile(send) {
  await endAll(state().test, send)
  await endAll(state().file, send)
}

/** Ends what was started for one account only. */
async function leaveAccount(id, send) {
  const chosen = ({ of }) => of === id
  await endAll(state().test, send, { chosen, held: state().file })
  await endAll(state().file, send, { chosen })
}

// The last that was started ends first, and of `held` goes on what it took the place of. What has ended by itself is fine;
// anything else does not keep the others from ending.
async function endAll(begun, send, { chosen = () => true, held = new Map() } = {}) {
  const problems = []
  for (const each of [...begun.values()].reverse()) {
    if (!chosen(each)) continue
    begun.delete(each.key)
    for (const call of endingsOf(each, [...held.values()])) {
      await send(...call).catch((error) => error.status === 404 || problems.push(error))
    }
  }
  if (problems.length > 0) throw problems[0]
}

// A rule on throughput also takes the place of those about some of its tables.
function endingsOf({ path, key, ending }, held) {
  const isRule = path === 'throughput'
  const again = held.filter((other) => other.path === path && (isRule || other.key === key)).flatMap((other) => other.again ?? [])
  return isRule || again.length === 0 ? [ending, ...again] : again
}

module.exports = { enterFile, enterTest, leaveAccount, leaveFile, leaveTest, note }
