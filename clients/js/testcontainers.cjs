// A server in a container: `await new HashrangeContainer(undefined, { seed: './seed' }).start()`.

'use strict'

const { randomUUID } = require('node:crypto')
const { statSync } = require('node:fs')
const { basename, resolve } = require('node:path')
const { AbstractStartedContainer, GenericContainer, Wait } = require('testcontainers')
const { accountOf, checkOptions, fill, seedAccountOf } = require('./lib/run.cjs')
const { checkVersion } = require('./lib/version.cjs')
const { version } = require('./package.json')

const IMAGE = `hashrange/hashrange:${version}`
const PORT = 8000
const HEALTH = { test: ['CMD', 'hashrange', 'healthcheck'], interval: 100, timeout: 2_000, retries: 300 }
const OPTIONS = ['args', 'region', 'seed', 'setup', 'token']

class HashrangeContainer extends GenericContainer {
  #options
  #seed

  /** `options` are those of start() that concern a container: args, region, seed, setup, token. */
  constructor(image = IMAGE, options = {}) {
    super(image)
    checkOptions(options, OPTIONS)
    const { args = [], seed, token = randomUUID() } = options
    this.#options = { ...options, token }
    this.withEntrypoint(['hashrange', 'serve', '--host', '0.0.0.0', ...args])
      .withEnvironment({ HASHRANGE_TOKEN: token })
      .withExposedPorts(PORT)
      .withHealthCheck(HEALTH)
      .withWaitStrategy(Wait.forHealthCheck())
    if (seed) this.#copy(resolve(seed))
  }

  // The user of the server in the container must be able to read the files.
  #copy(source) {
    const folder = `/tmp/hashrange-seed-${randomUUID()}`
    if (statSync(source).isDirectory()) {
      this.#seed = folder
      this.withCopyDirectoriesToContainer([{ source, target: folder, mode: 0o755 }])
    } else {
      this.#seed = `${folder}/${basename(source)}`
      this.withCopyFilesToContainer([{ source, target: this.#seed, mode: 0o644 }])
    }
  }

  /** Starts the container, and fills the seed account. Stops the container when that fails. */
  async start() {
    const container = await super.start()
    const { region, setup, token } = this.#options
    const endpoint = `http://${container.getHost()}:${container.getMappedPort(PORT)}`
    const settings = { endpoint, token, region, run: 100_000, root: process.cwd() }
    try {
      await checkVersion(settings)
      const seed = seedAccountOf(settings)
      if (this.#seed) await seed.control('POST', 'seed', { path: this.#seed, account: seed.id })
      await fill(settings, { setup })
    } catch (error) {
      await container.stop()
      throw error
    }
    return new StartedHashrangeContainer(container, settings)
  }
}

class StartedHashrangeContainer extends AbstractStartedContainer {
  #settings

  constructor(container, settings) {
    super(container)
    this.#settings = settings
    this.endpoint = settings.endpoint
    this.token = settings.token
    this.seed = seedAccountOf(settings)
  }

  /** Returns an account whose tables are a copy of the seeded ones. Another `worker`, a number from 1, has another account. */
  async account(worker = 1) {
    if (!Number.isInteger(worker) || worker < 1 || worker > 999_999) {
      throw new TypeError(`hashrange: it is account() or account(worker), a number from 1 to 999999, and not with ${JSON.stringify(worker)}.`)
    }
    const account = accountOf(this.#settings, worker)
    await account.fork()
    return account
  }

  /** Returns the variables with which the presets and `hashrange ctl` find the server. */
  environment() {
    return { HASHRANGE_ENDPOINT: this.endpoint, HASHRANGE_TOKEN: this.token }
  }
}

module.exports = { HashrangeContainer, StartedHashrangeContainer }
