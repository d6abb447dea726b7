// Opens a database without a server, and makes its accounts.

'use strict'

const { Account } = require('./account.cjs')
const { isObject } = require('./arguments.cjs')
const { answerOf } = require('./control-answer.cjs')
const { ModuleHandler } = require('./module-handler.cjs')

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

/**
 * Opens the database of module.d.ts: `open(settings)` resolves to a ModuleDatabase, or to an object whose methods of the same
 * names return promises. `more` are options of that function, as in OPTIONS.
 */
async function openAccounts(options, open, more = {}) {
  checkOptions(options, { ...OPTIONS, ...more })
  const { setup, region, ...settings } = options
  const database = await open(settings)
  const server = { endpoint: ENDPOINT, requestHandler: new ModuleHandler(database), control: controlOf(database) }
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

const decoder = new TextDecoder()

// The answer of such a database has no type: JSON is what begins like an object or a list.
const controlOf = (database) => async (method, path, body) => {
  const answer = await database.control(method, path, body === undefined ? '' : JSON.stringify(body))
  const text = decoder.decode(answer.body)
  return answerOf(method, path, { status: answer.status, type: /^[{[]/.test(text) ? 'application/json' : '', text })
}

function checkOptions(options, known) {
  if (!isObject(options)) throw new TypeError(`hashrange: the options are an object: { transitionMs: 50 }, not ${JSON.stringify(options)}.`)
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, name)) {
      throw new TypeError(`hashrange: there is no option \`${name}\`, but ${Object.keys(known).join(', ')}.`)
    }
    const [isOne, form] = known[name]
    if (value !== undefined && !isOne(value)) {
      throw new TypeError(`hashrange: the option \`${name}\` is ${form}, not ${JSON.stringify(value)}.`)
    }
  }
}

module.exports = { openAccounts }
