// One account of a server, with the methods that tests use on its tables and on the server.

'use strict'

const { given, isObject, members, refusal, text } = require('./arguments.cjs')
const { currentFolder, variable } = require('./host.cjs')
const { measure } = require('./measured.cjs')

class Account {
  #begun
  #root

  /**
   * `server` is {endpoint, control, requestHandler}: `control(method, path, body)` makes a call of the control API, and a database
   * without a server has a request handler. `seed` is the id of the account that fork() copies. With `begun` (begun.cjs), whatever
   * a test starts with this object ends with that test. Paths of files are relative to `root`.
   */
  constructor(server, { id, seed, region = variable('AWS_REGION') ?? 'us-east-1', begun, root = currentFolder() }) {
    this.#begun = begun
    this.#root = root
    Object.assign(this, { server, id, seed, region })
    this.endpoint = server.endpoint
    this.clock = clockOf(this)
    this.faults = faultsOf(this)
    this.requests = requestsOf(this)
  }

  /** Returns the configuration with which an AWS SDK connects as this account: `new DynamoDBClient(connection())`. */
  connection(...values) {
    given(values, 0, 'connection()')
    return { endpoint: this.endpoint, region: this.region,
      credentials: { accessKeyId: this.id, secretAccessKey: 'hashrange' },
      ...(this.server.requestHandler && { requestHandler: this.server.requestHandler }) }
  }

  /** Returns the same as environment variables for SDKs. Variables that would take precedence are undefined. */
  environment() {
    return {
      AWS_ENDPOINT_URL_DYNAMODB: this.endpoint,
      AWS_ENDPOINT_URL_DYNAMODB_STREAMS: this.endpoint,
      AWS_REGION: this.region,
      AWS_ACCESS_KEY_ID: this.id,
      AWS_SECRET_ACCESS_KEY: 'hashrange',
      AWS_SESSION_TOKEN: undefined,
      AWS_PROFILE: undefined,
    }
  }

  /** Makes a call of the control API that has no method here: control('GET', 'metrics'). */
  async control(...values) {
    const form = 'control(method, path, body)'
    const [method, path, body] = given(values, 3, form)
    if (!['GET', 'POST', 'DELETE'].includes(method)) throw refusal(form, method)
    if (typeof path !== 'string') throw refusal(form, path)
    if (body !== undefined && !isObject(body)) throw refusal(form, body)
    const answer = await this.server.control(method, path, body)
    this.#begun?.note(this, method, path, body, answer)
    return answer
  }

  /** Replaces the account's tables by those of the seed account, and ends the simulations of this account. */
  async fork(...values) {
    given(values, 0, 'fork()')
    await this.#begun?.leaveAccount(this.id, this.server.control)
    await this.faults.clear()
    await this.control('POST', 'fork', { from: this.seed, to: this.id })
  }

  /** Deletes all tables of the account; reset('app') deletes only the items of that table. */
  async reset(...values) {
    const form = "reset(), reset('app') or reset({ table: 'app' })"
    const own = given(values, 1, form)
    const scope = own.length === 0 ? {} : { table: typeof own[0] === 'string' ? own[0] : members(own[0], ['table'], form).table }
    if (own.length > 0) text(scope.table, form)
    await this.control('POST', 'reset', { account: this.id, ...scope })
  }

  /** Saves the account's tables as they are now, for restore(name). The name has a-z, A-Z, 0-9, '-', '_' and '.'. */
  async snapshot(...values) {
    await this.control('POST', 'snapshots', { name: this.#snapshotName(values, 'snapshot(name)'), account: this.id })
  }

  async restore(...values) {
    await this.control('POST', `snapshots/${this.#snapshotName(values, 'restore(name)')}/restore`)
  }

  /**
   * Holds an item as a transaction under way would: writes to it conflict until `release()`, the end of the test, the
   * next fork, or the end of a time: hold('app', { PK: { S: 'USER#1' } }, '5s').
   */
  async hold(...values) {
    const form = "hold(table, key), hold(table, key, '5s') or hold(table, key, { timeout: '5s' })"
    const [table, key, last = {}] = given(values, 3, form)
    if (!isObject(key)) throw refusal(form, key)
    const { timeout } = isObject(last) ? members(last, ['timeout'], form) : { timeout: text(last, form) }
    const { id } = await this.control('POST', 'holds',
      { table: text(table, form), key, account: this.id, region: this.region, ...(timeout !== undefined && { timeout: text(timeout, form) }) })
    return { id, release: async () => void (await this.control('DELETE', `holds/${id}`).catch(unlessGone)) }
  }

  /**
   * Begins a measurement of the account: measure('checkout', { tables: ['app'] }). Returns it, with read(), report(), check(),
   * compare() and stop().
   */
  async measure(...values) {
    return measure(this, this.#root, values)
  }

  #snapshotName(values, form) {
    return `${this.id}-${text(given(values, 1, form)[0], form)}`
  }
}

// The clock belongs to the server: all accounts use it.
function clockOf(account) {
  const set = (body) => account.control('POST', 'clock', body)
  return {
    now: async (...values) => {
      given(values, 0, 'clock.now()')
      return account.control('GET', 'clock')
    },
    freeze: async (...values) => {
      const form = 'clock.freeze() or clock.freeze(at), a Date, "2026-01-31T12:00:00Z" or epoch seconds'
      const [at = true] = given(values, 1, form)
      if (at === true || typeof at === 'number') return set({ frozen: at })
      return set({ frozen: Object.prototype.toString.call(at) === '[object Date]' ? at.toISOString() : text(at, form) })
    },
    advance: async (...values) => set({ advance: text(given(values, 1, ADVANCE)[0], ADVANCE) }),
    scale: async (...values) => {
      const [factor] = given(values, 1, SCALE)
      if (typeof factor !== 'number') throw refusal(SCALE, factor)
      return set({ scale: factor })
    },
    real: async (...values) => {
      given(values, 0, 'clock.real()')
      return set({ mode: 'real' })
    },
  }
}

const ADVANCE = 'clock.advance("2d"), with a unit: ms, s, m, h or d'
const SCALE = 'clock.scale(factor), a number'
const ADD = "faults.add({ match: { operation: 'PutItem' }, do: { status: 503 } }), with one or more rules"

function faultsOf(account) {
  const list = async (...values) => {
    given(values, 0, 'faults.list()')
    return (await account.control('GET', 'faults')).rules.filter(({ match }) => match?.account === account.id)
  }
  return {
    /** Adds rules {name, match, do} for requests of this account. Returns the rules with their ids. */
    add: async (...rules) => {
      const own = rules.flat().map((rule) => ({ ...members(rule, ['name', 'match', 'do'], ADD), match: matchOf(account, rule) }))
      if (own.length === 0) throw refusal(ADD, undefined)
      return (await account.control('POST', 'faults', { rules: own })).rules
    },
    list,
    clear: async (...values) => {
      given(values, 0, 'faults.clear()')
      for (const { id } of await list()) await account.control('DELETE', `faults/${id}`).catch(unlessGone)
    },
  }
}

function matchOf(account, { match = {} }) {
  if (!isObject(match)) throw refusal(ADD, match)
  if ((match.account ?? account.id) !== account.id) {
    throw new TypeError(`hashrange: faults.add() is about account ${account.id}; control('POST', 'faults', { rules }) about any.`)
  }
  return { ...match, account: account.id }
}

// The thing that is to end may have ended by itself.
function unlessGone(error) {
  if (error.status !== 404) throw error
}

const RECORD = 'requests.record() or requests.record({ limit: 1000 })'
const LIST = "requests.list() or requests.list({ table: 'app', operation: 'Query', region: 'us-east-1', since: 7 })"

function requestsOf(account) {
  const forget = () => account.control('DELETE', `requests?account=${account.id}`)
  return {
    /** Makes the server record requests from now on: the last `limit` requests of all accounts. */
    record: async (...values) => {
      const [last = {}] = given(values, 1, RECORD)
      const { limit } = typeof last === 'number' ? { limit: last } : members(last, ['limit'], RECORD)
      await account.control('POST', 'requests', { enabled: true, ...(limit !== undefined && { limit }) })
      await forget() // another worker may have recorded requests of this account before
    },
    stop: async (...values) => {
      given(values, 0, 'requests.stop()')
      await account.control('POST', 'requests', { enabled: false })
    },
    /** Returns the recorded requests of this account, or only those of a {table, operation, region}, or after the id {since}. */
    list: async (...values) => {
      const [only = {}] = given(values, 1, LIST)
      const query = new URLSearchParams({ account: account.id, ...members(only, ['table', 'operation', 'region', 'since'], LIST) })
      return (await account.control('GET', `requests?${query}`)).requests
    },
    /** Forgets the recorded requests of this account. */
    clear: async (...values) => {
      given(values, 0, 'requests.clear()')
      await forget()
    },
  }
}

module.exports = { Account }
