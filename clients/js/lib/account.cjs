// One account of a server: the tables a test sees, and what it may do with them and with the server.

'use strict'

const { control } = require('./control.cjs')

class Account {
  /** `seed` is the id of the account that fork() copies; `server` is {endpoint, token}. */
  constructor(server, { id, seed, region = process.env.AWS_REGION ?? 'us-east-1' }) {
    Object.assign(this, { server, id, seed, region })
    this.endpoint = server.endpoint
    this.clock = clockOf(this)
    this.faults = faultsOf(this)
    this.requests = requestsOf(this)
  }

  /** How an AWS SDK connects as this account: `new DynamoDBClient(connection())`. */
  connection() {
    return { endpoint: this.endpoint, region: this.region,
      credentials: { accessKeyId: this.id, secretAccessKey: 'hashrange' } }
  }

  /** The same as the variables that SDKs read. Those that would win over them are undefined. */
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

  /** A call of the control API that has no method here: control('POST', 'throughput', { enforce: true }). */
  control(method, path, body) {
    return control(this.server, method, path, body)
  }

  /** Replaces the account's tables by those of the seed account, and takes back its faults. */
  async fork() {
    await this.faults.clear()
    await this.control('POST', 'fork', { from: this.seed, to: this.id })
  }

  /** Deletes all tables of the account, or, `reset({ table })`, the items of one. */
  async reset({ table } = {}) {
    await this.control('POST', 'reset', { account: this.id, table })
  }

  /** Keeps the account's tables as they are now under a name of a-z, A-Z, 0-9, '-', '_' and '.', for restore(name). */
  async snapshot(name) {
    await this.control('POST', 'snapshots', { name: this.#snapshotName(name), account: this.id })
  }

  async restore(name) {
    await this.control('POST', `snapshots/${this.#snapshotName(name)}/restore`)
  }

  /**
   * Holds an item as a transaction under way would: writes of it conflict until `release()`, the next fork, or `timeout`.
   * `key` is DynamoDB JSON: hold('app', { PK: { S: 'USER#1' } }, { timeout: '5s' }).
   */
  async hold(table, key, { timeout } = {}) {
    const { id } = await this.control('POST', 'holds', { table, key, timeout, account: this.id, region: this.region })
    return { id, release: async () => void (await this.control('DELETE', `holds/${id}`).catch(unlessGone)) }
  }

  #snapshotName(name) {
    return `${this.id}-${name}`
  }
}

// The clock is the server's: all of its accounts live by it.
function clockOf(account) {
  const set = (body) => account.control('POST', 'clock', body)
  return {
    now: () => account.control('GET', 'clock'),
    freeze: (at) => set({ frozen: at === undefined ? true : at instanceof Date ? at.toISOString() : at }),
    advance: (time) => set({ advance: time }),
    scale: (factor) => set({ scale: factor }),
    real: () => set({ mode: 'real' }),
  }
}

function faultsOf(account) {
  const list = async () => (await account.control('GET', 'faults')).rules.filter(({ match }) => match?.account === account.id)
  return {
    /** Adds rules {match, do} for requests of this account. Returns them with their ids. */
    add: async (...rules) => {
      const own = rules.map((rule) => ({ ...rule, match: { ...rule.match, account: account.id } }))
      return (await account.control('POST', 'faults', { rules: own })).rules
    },
    list,
    clear: async () => {
      for (const { id } of await list()) await account.control('DELETE', `faults/${id}`).catch(unlessGone)
    },
  }
}

// What is to end may have ended by itself.
function unlessGone(error) {
  if (error.status !== 404) throw error
}

function requestsOf(account) {
  return {
    /** From now on the server keeps what it was asked, the last `limit` requests of all accounts. */
    record: async ({ limit } = {}) => void (await account.control('POST', 'requests', { enabled: true, limit })),
    stop: async () => void (await account.control('POST', 'requests', { enabled: false })),
    /** Those of this account, or only of one {table, operation}. */
    list: async (only = {}) => {
      const query = new URLSearchParams({ account: account.id, ...only })
      return (await account.control('GET', `requests?${query}`)).requests
    },
    /** Forgets those of this account. */
    clear: async () => void (await account.control('DELETE', `requests?account=${account.id}`)),
  }
}

module.exports = { Account }
