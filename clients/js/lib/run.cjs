// One run of a test suite: a server, an account that is seeded once, and an account for each worker.

'use strict'

const { randomInt } = require('node:crypto')
const { resolve } = require('node:path')
const { pathToFileURL } = require('node:url')
const { Account } = require('./account.cjs')
const { startProcess } = require('./process.cjs')

const SEED = 0 // the number of the account that is seeded; workers count from 1

/** The account of a worker: 6 digits of the run and 6 of the worker. */
const accountId = (run, worker) => `${run}${String(worker).padStart(6, '0')}`

/**
 * Starts a server, or takes the one that the options or the environment name, and seeds it. Returns {settings, stop()}:
 * `settings` is plain data from which `accountOf` makes the account of a worker. `load` imports the module of `setup`.
 */
async function startRun(options = {}, { root = process.cwd(), load = loadModule } = {}) {
  const { HASHRANGE_ENDPOINT: endpoint, HASHRANGE_TOKEN: token } = process.env
  return startServer({ ...(endpoint && { endpoint, token }), ...options }, root, load)
}

async function startServer(options, root, load) {
  checkOptions(options)
  const { endpoint, token, region, fork = 'file' } = options
  const server = endpoint ? { endpoint, stop: async () => {} } : await startProcess(options)
  // A server that was there before may have seen other runs.
  const run = endpoint ? randomInt(100_000, 1_000_000) : 100_000
  const settings = { endpoint: server.endpoint, token, region, fork, run }
  try {
    await fill(accountOf(settings, SEED), options, root, load)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { settings, stop: server.stop }
}

/** A server of one's own: an account of it that is seeded, with stop(). */
async function start(options = {}) {
  const { settings, stop } = await startServer(options, process.cwd(), loadModule)
  const account = accountOf(settings, 1)
  await account.fork()
  return Object.assign(account, { stop })
}

const OPTIONS = ['args', 'binary', 'endpoint', 'fork', 'region', 'seed', 'setup', 'token']

function checkOptions(options) {
  for (const name of Object.keys(options)) {
    if (!OPTIONS.includes(name)) throw new Error(`hashrange: there is no option \`${name}\`, but ${OPTIONS.join(', ')}.`)
  }
  if (![undefined, 'file', 'test', false].includes(options.fork)) {
    throw new Error(`hashrange: the option \`fork\` is 'file', 'test' or false, not ${JSON.stringify(options.fork)}.`)
  }
}

function accountOf({ endpoint, token, region, run }, worker) {
  return new Account({ endpoint, token }, { id: accountId(run, worker), seed: accountId(run, SEED), region })
}

async function fill(account, { seed, setup }, root, load) {
  if (seed) await account.control('POST', 'seed', { path: resolve(root, seed), account: account.id })
  if (!setup) return
  const run = typeof setup === 'function' ? setup : functionOf(await load(resolve(root, setup)), setup)
  const before = putEnvironment(account.environment())
  try {
    await run(account)
  } finally {
    putEnvironment(before)
  }
}

const loadModule = (path) => import(pathToFileURL(path).href)

function functionOf(module, path) {
  // A CommonJS module that says `__esModule` has its default export one level down.
  const found = [module.default?.default, module.default].find((value) => typeof value === 'function')
  if (!found) throw new Error(`hashrange: ${path} exports no function by default.`)
  return found
}

/** Sets variables of this process, deletes those undefined. Returns what they were. */
function putEnvironment(variables) {
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]))
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  return before
}

module.exports = { accountOf, putEnvironment, start, startRun }
