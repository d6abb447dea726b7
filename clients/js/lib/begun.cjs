// Ends what a test has started: lists the calls of the control API that start something, each with the call that ends it.

'use strict'

/**
 * The things that tests and files have started and that must still end: {running, test, file}. `running` is the number of
 * tests that run now. `test` and `file` map the text of an ending to {path, key, ending, again, of}: `key` is that text,
 * `again` the calls that start the thing once more, and `of` the account with whose fork it ends. This state is stored on
 * `process`, because the hooks around a test and the test itself may have loaded this module twice.
 */
const STATE = Symbol.for('hashrange.begun')
const state = () => (process[STATE] ??= { running: 0, test: new Map(), file: new Map() })

// path of a POST -> (its body, its answer, the calling account) -> the calls that end it, each [method, path, body]
const ENDINGS = {
  clock: () => [['POST', 'clock', { mode: 'real' }]],
  consistency: ({ account = '000000000000', region = 'us-east-1', table }) => [['DELETE', 'consistency', { account, region, table }]],
  faults: (_, { rules }) => rules.map(({ id }) => ['DELETE', `faults/${id}`]),
  holds: (_, { id }) => [['DELETE', `holds/${id}`]],
  measurements: ({ name }) => [['DELETE', `measurements/${name}`]],
  partitions: ({ account, region, table }) => [['DELETE', 'partitions', { account, region, table }]],
  // The recorder itself stays on: another worker may use it.
  requests: ({ enabled = true }, _, { id }) => (enabled ? [['DELETE', `requests?account=${id}`]] : []),
  status: ({ status, ...resource }) => (status === 'ACTIVE' ? [] : [['POST', 'status', { ...resource, status: 'ACTIVE' }]]),
  throughput: ({ enforce, ...scope }) => [['DELETE', 'throughput', scope]],
}

// Only one of each of these exists at a time, so that of a test replaces that of its file, until the test ends.
const AGAIN = {
  clock: clockAgain,
  consistency: (body) => [['POST', 'consistency', body]],
  partitions: (body) => [['POST', 'partitions', body]],
  status: (body) => [['POST', 'status', body]],
  throughput: (body) => [['POST', 'throughput', body]],
}

// A new rule of these also replaces the rules about some of its tables.
const RULES = ['partitions', 'throughput']

// These only observe: a fork does not end them.
const OBSERVING = ['measurements']

// A frozen clock is set back to its time. For another clock, all calls since it was real are made again.
function clockAgain(body, answer, before = [['POST', 'clock', { mode: 'real' }]]) {
  if (answer.mode === 'frozen') return [['POST', 'clock', { frozen: answer.now }]]
  return [...('mode' in body ? [] : before), ['POST', 'clock', body]]
}

/** Remembers what a successful call has started. */
function note(account, method, path, body, answer) {
  const { running, test, file } = state()
  const begun = running > 0 ? test : file
  if (method === 'DELETE' && Object.hasOwn(AGAIN, path)) forget(begun, path, body ?? {})
  if (method !== 'POST' || !Object.hasOwn(ENDINGS, path)) return
  for (const ending of ENDINGS[path](body ?? {}, answer, account)) {
    const key = JSON.stringify(ending)
    const again = AGAIN[path]?.(body, answer, begun.get(key)?.again)
    begun.delete(key) // so that the latest is the last in the map
    begun.set(key, { path, key, ending, again, of: OBSERVING.includes(path) ? undefined : body?.account })
  }
}

// A thing that the test has ended itself is not started again.
function forget(begun, path, scope) {
  for (const { path: own, key, ending: [, , started] } of [...begun.values()]) {
    if (own === path && Object.entries(scope).every(([name, value]) => started[name] === value)) begun.delete(key)
  }
}

const enterFile = () => void (state().running = 0)
const enterTest = () => void (state().running += 1)

/** Among tests that run at the same time, the last one that ends also ends what the others have started. */
async function leaveTest(send) {
  state().running -= 1
  if (state().running <= 0) await endAll(state().test, send, { held: state().file })
}

async function leaveFile(send) {
  await endAll(state().test, send)
  await endAll(state().file, send)
}

/** Ends the things that were started for one account only. */
async function leaveAccount(id, send) {
  const chosen = ({ of }) => of === id
  await endAll(state().test, send, { chosen, held: state().file })
  await endAll(state().file, send, { chosen })
}

// The things end in reverse order of their start. What they replaced in `held` is started again. A thing that has ended by
// itself is no error; after any other error, the rest still ends.
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

function endingsOf({ path, key, ending }, held) {
  const isRule = RULES.includes(path)
  const same = held.filter((other) => other.path === path)
  const replaced = isRule ? replacedRules(ending[2], same) : same.filter((other) => other.key === key)
  const again = replaced.flatMap((other) => other.again ?? [])
  return isRule || again.length === 0 ? [ending, ...again] : again
}

const SCOPE = ['account', 'region', 'table']
const covers = (scope, other) => SCOPE.every((name) => scope[name] === undefined || scope[name] === other[name])
const overlap = (scope, other) => SCOPE.every((name) => [scope[name], other[name]].includes(undefined) || scope[name] === other[name])

// A rule replaces the earlier rules whose tables are all in its scope. When one of these is started again, it is the latest:
// so the held rules that were later, and are about some of its tables, are started again after it. Others go on: a model of
// partitions would begin anew.
function replacedRules(scope, rules) {
  const replaced = []
  for (const rule of rules) {
    const [, , own] = rule.ending
    if (covers(scope, own) || replaced.some((earlier) => overlap(earlier.ending[2], own))) replaced.push(rule)
  }
  return replaced
}

module.exports = { enterFile, enterTest, leaveAccount, leaveFile, leaveTest, note }
