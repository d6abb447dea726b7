// A database inside this process, without a server: `const db = await openDatabase()`. See module.d.ts.

'use strict'

const { Account } = require('./lib/account.cjs')
const { isObject } = require('./lib/arguments.cjs')
const { ModuleHandler } = require('./lib/module-handler.cjs')
const { ModuleDatabase } = require('./lib/module.cjs')

// Nothing listens there: the host name appears in URLs of SDKs only.
const ENDPOINT = 'http://hashrange.invalid'
const SEED = '100000000000'
const OWN = '100000000001'

const isCount = (value) => Number.isSafeInteger(value) && value >= 0

// option -> [a function that checks a value, a description of valid values]
const OPTIONS = {
  maxMemoryBytes: [isCount, 'a number of bytes'],
  region: [(value) => typeof value === 'string', "the name of a Region: 'us-east-1'"],
  setup: [(value) => typeof value === 'function', 'a function'],
  sharedTables: [(value) => typeof value === 'boolean', 'true or false'],
  streamShards: [isCount, 'a number of shards'],
  transitionMs: [isCount, 'a number of milliseconds'],
  ttlIntervalMs: [isCount, 'a number of milliseconds'],
}

async function openDatabase(options = {}) {
  checkOptions(options)
  const { setup, region, ...rest } = options
  const database = await ModuleDatabase.open(rest)
  const server = { endpoint: ENDPOINT, requestHandler: new ModuleHandler(database), database }
  const accountOf = (id) => new Account(server, { id, seed: SEED, region })
  const own = Object.assign(accountOf(OWN), {
    account: accountOf,
    requestHandler: server.requestHandler,
    close: async () => database.close(),
  })
  try {
    await setup?.(accountOf(SEED))
    await own.fork()
  } catch (error) {
    database.close()
    throw error
  }
  return own
}

function checkOptions(options) {
  if (!isObject(options)) throw new TypeError(`hashrange: the options are an object: { transitionMs: 50 }, not ${JSON.stringify(options)}.`)
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      throw new TypeError(`hashrange: there is no option \`${name}\`, but ${Object.keys(OPTIONS).join(', ')}.`)
    }
    const [isOne, form] = OPTIONS[name]
    if (value !== undefined && !isOne(value)) {
      throw new TypeError(`hashrange: the option \`${name}\` is ${form}, not ${JSON.stringify(value)}.`)
    }
  }
}

module.exports = { openDatabase }
