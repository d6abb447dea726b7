// One run of a test suite: a server, an account that is seeded once, and an account for each worker.

'use strict'

const { fork } = require('node:child_process')
const { randomInt } = require('node:crypto')
const { resolve } = require('node:path')
const { pathToFileURL } = require('node:url')
const { Account } = require('./account.cjs')
const { isObject } = require('./arguments.cjs')
const { control } = require('./control.cjs')
const { startProcess } = require('./process.cjs')
const { checkVersion } = require('./version.cjs')

const SEED = 0 // the number of the account that is seeded; workers count from 1

/** Returns the account id of a worker: 6 digits for the run and 6 for the worker. */
const accountId = (run, worker) => `${run}${String(worker).padStart(6, '0')}`

/**
 * Starts a server, or uses the one that the options or the environment name, and seeds it. Returns {settings, stop()}:
 * `settings` is plain data, from which `accountOf` makes the account of a worker. `load` imports the module of `setup`.
 */
async function startRun(options = {}, { root = process.cwd(), load = loadModule } = {}) {
  const { HASHRANGE_ENDPOINT: endpoint, HASHRANGE_TOKEN: token } = process.env
  return startServer({ ...(endpoint && { endpoint, token }), ...options }, root, load)
}

async function startServer(options, root, load) {
  checkOptions(options)
  const { endpoint, token, region, fork: forkEach = 'file' } = options
  const server = endpoint ? { endpoint, stop: async () => {} } : await startProcess(options)
  // A server that was already running may have accounts of other runs.
  const run = endpoint ? randomInt(100_000, 1_000_000) : 100_000
  const settings = { endpoint: server.endpoint, token, region, fork: forkEach, run, root }
  try {
    await checkVersion(settings)
    await fill(settings, options, load)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { settings, stop: server.stop }
}

/** Starts a server for one test. Returns a seeded account of it, with stop(). Paths are relative to `root`. */
async function start(options = {}, root = process.cwd()) {
  const { settings, stop } = await startServer(options, root, loadModule)
  const account = accountOf(settings, 1)
  await account.fork()
  return Object.assign(account, { stop })
}

const isText = (value) => typeof value === 'string'

// option -> [a function that checks a value, a description of valid values]
const OPTIONS = {
  args: [(value) => Array.isArray(value) && value.every(isText), "a list of texts: ['--transition-ms', '50']"],
  binary: [isText, 'the path of the program'],
  endpoint: [isText, "where a server listens: 'http://127.0.0.1:8000'"],
  fork: [(value) => ['file', 'test', false].includes(value), "'file', 'test' or false"],
  region: [isText, "the name of a Region: 'us-east-1'"],
  seed: [isText, 'the path of a file or folder'],
  setup: [(value) => isText(value) || typeof value === 'function', 'the path of a module, or a function'],
  token: [isText, 'a text'],
}

/** Throws a TypeError unless `options` has only options of these `names`, with valid values. */
function checkOptions(options, names = Object.keys(OPTIONS)) {
  if (!isObject(options)) throw new TypeError(`hashrange: the options are an object: { setup: './tables.mjs' }, not ${JSON.stringify(options)}.`)
  for (const [name, value] of Object.entries(options)) {
    if (!names.includes(name)) {
      throw new TypeError(`hashrange: there is no option \`${name}\`, but ${names.join(', ')}.`)
    }
    const [isOne, form] = OPTIONS[name]
    if (value !== undefined && !isOne(value)) {
      throw new TypeError(`hashrange: the option \`${name}\` is ${form}, not ${JSON.stringify(value)}.`)
    }
  }
}

function accountOf({ endpoint, token, region, run, root }, worker, options) {
  const server = { endpoint, control: (...call) => control({ endpoint, token }, ...call) }
  return new Account(server, { id: accountId(run, worker), seed: accountId(run, SEED), region, root, ...options })
}

const seedAccountOf = (settings) => accountOf(settings, SEED)

async function fill(settings, { seed, setup }, load = loadModule) {
  const account = seedAccountOf(settings)
  if (seed) await account.control('POST', 'seed', { path: resolve(settings.root, seed), account: account.id })
  if (typeof setup === 'function') return runSetup(setup, account)
  if (setup) await runModule(setup, settings, load)
}

async function runSetup(setup, account) {
  const before = putEnvironment(account.environment())
  try {
    await setup(account)
  } finally {
    putEnvironment(before)
  }
}

async function runModule(path, settings, load) {
  let module
  try {
    module = await load(resolve(settings.root, path))
  } catch (error) {
    // Within a test of Jest, import() does not work: another process imports the module.
    if (!/^ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING/.test(error.code)) throw error
    return runInProcess({ path, settings })
  }
  await runSetup(setupOf(module, path), seedAccountOf(settings))
}

/** Imports a module without Vite or Jest, and runs the function that it exports. */
async function runModuleHere({ path, settings }) {
  await runModule(path, settings, loadModule)
}

/** The same in another process, which ends afterwards. */
function runInProcess(task) {
  const child = fork(require.resolve('./setup-process.cjs'), { env: process.env, execArgv: [], serialization: 'advanced' })
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('message', ({ problem }) => (problem ? failed(Object.assign(new Error(problem.message), problem)) : done()))
    child.once('exit', (code, signal) => failed(new Error(`hashrange: ${task.path} ended its process with ${signal ?? code}.`)))
    child.send(task)
  })
}

const loadModule = (path) => import(pathToFileURL(path).href)

function setupOf(module, path) {
  // A CommonJS module with `__esModule` has its default export one level deeper.
  const found = [module.default?.default, module.default].find((value) => typeof value === 'function')
  if (!found) throw new Error(`hashrange: ${path} exports no function by default.`)
  return found
}

/** Sets environment variables of this process, and deletes those that are undefined. Returns the earlier values. */
function putEnvironment(variables) {
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]))
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  return before
}

module.exports = { accountOf, checkOptions, fill, loadModule, putEnvironment, runModuleHere, seedAccountOf, start, startRun }
