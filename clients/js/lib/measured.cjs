// A measurement that runs: what the calls to an account's tables cost since measure() began it.

'use strict'

const { given, isObject, members, refusal, text } = require('./arguments.cjs')
const { fileName, readText, variable, writeText } = require('./host.cjs')

const MEASURE = "measure('checkout') or measure('checkout', { tables: ['app'] })"
const MEASURE_OPTIONS = ['tables', 'region', 'separators', 'window', 'type_attribute']
const REPORT = "report(), report({ format: 'html' }) or report({ format, options, against: [measurement] })"
const CHECK = "check(budgets), check('budgets.json') or check(budgets, options)"
const COMPARE = "compare('baseline.json'), compare(measurement) or compare(baseline, { update: true })"
const UPDATE = 'HASHRANGE_UPDATE_BASELINE'

/**
 * Begins a measurement of an account. Returns it. `values` are the arguments of measure(); paths of files are relative to
 * `root`. On the server, the name begins with the account's id, so workers do not meet.
 */
async function measure(account, root, values) {
  const [name, options = {}] = given(values, 2, MEASURE)
  if (!/^[\w.-]+$/.test(text(name, MEASURE))) {
    throw new TypeError(`hashrange: ${MEASURE}: a name has a-z, A-Z, 0-9, '-', '_' and '.', and is not ${JSON.stringify(name)}.`)
  }
  const own = `${account.id}-${name}`
  await account.control('POST', 'measurements', { ...members(options, MEASURE_OPTIONS, MEASURE), name: own, account: account.id })
  return new Measured(account, { name, root, path: `measurements/${own}` })
}

class Measured {
  #account
  #root
  #path

  constructor(account, { name, root, path }) {
    this.#account = account
    this.#root = root
    this.#path = path
    this.name = name
  }

  /** Returns what was measured so far. */
  async read(...values) {
    given(values, 0, 'read()')
    return this.#named(await this.#account.control('GET', this.#path))
  }

  /** Ends the measurement. Returns what was measured. */
  async stop(...values) {
    given(values, 0, 'stop()')
    return this.#named(await this.#account.control('DELETE', this.#path))
  }

  /** Returns a report: a text, or with the format 'json' an object. */
  async report(...values) {
    const [choice = {}] = given(values, 1, REPORT)
    return this.#account.control('POST', `${this.#path}/report`, members(choice, ['format', 'options', 'against'], REPORT))
  }

  /** Throws an Error that lists what exceeds the budgets: an object, or the path of a JSON file. Returns the answer. */
  async check(...values) {
    const [asked, options] = given(values, 2, CHECK)
    const budgets = typeof asked === 'string' ? await this.#readFile(text(asked, CHECK)) : asked
    if (!isObject(budgets)) throw refusal(CHECK, budgets)
    const answer = await this.#account.control('POST', `${this.#path}/check`, { budgets, ...withOptions(options, CHECK) })
    if (!answer.passed) throw failure(`${this.name} exceeds its budgets`, 'violations', answer)
    return answer
  }

  /**
   * Throws an Error that lists what got worse than in the baseline: a measurement, or the path of a JSON file, which
   * `update: true` or HASHRANGE_UPDATE_BASELINE=1 writes. Returns the answer, or nothing when the file was written.
   */
  async compare(...values) {
    const [baseline, choice = {}] = given(values, 2, COMPARE)
    if (!isObject(choice)) throw refusal(COMPARE, choice)
    const { update = variable(UPDATE) === '1', ...options } = choice
    if (typeof update !== 'boolean') throw refusal(COMPARE, update)
    if (isObject(baseline)) return this.#compareWith(baseline, options)
    if (update) return writeText(this.#root, text(baseline, COMPARE), `${JSON.stringify(baselineOf(await this.read()), null, 1)}\n`)
    return this.#compareWith(await this.#readFile(text(baseline, COMPARE), ` To write it: ${UPDATE}=1.`), options)
  }

  async #compareWith(against, options) {
    const answer = await this.#account.control('POST', `${this.#path}/compare`, { against, ...withOptions(options, COMPARE) })
    if (!answer.passed) throw failure(`${this.name} is worse than its baseline`, 'regressions', answer)
    return answer
  }

  // The name is the one that the test gave, without the account, which differs from run to run.
  #named(measurement) {
    return { ...measurement, name: this.name }
  }

  async #readFile(path, advice = '') {
    const content = await readText(this.#root, path).catch((error) => {
      if (error.code !== 'ENOENT') throw error
      throw new Error(`hashrange: there is no file ${fileName(this.#root, path)}.${advice}`)
    })
    try {
      return JSON.parse(content)
    } catch (error) {
      throw new Error(`hashrange: ${fileName(this.#root, path)} is no JSON: ${error.message}`)
    }
  }
}

/** Returns a measurement without its longest parts, which a comparison does not read: what differs between any two runs. */
function baselineOf({ server_time, time, partitions, resources, ...rest }) {
  return { ...rest, resources: resources.map(({ heat, heat_over_time, ...resource }) => resource) }
}

function withOptions(options, form) {
  if (options !== undefined && !isObject(options)) throw refusal(form, options)
  return options === undefined || Object.keys(options).length === 0 ? {} : { options }
}

/** Returns an Error whose text has one line for each problem. It has the problems as a member, too. */
function failure(summary, kind, answer) {
  const lines = answer[kind].map(({ sentence }) => `  ${sentence}`)
  return Object.assign(new Error([`hashrange: ${summary}:`, ...lines].join('\n')), { [kind]: answer[kind] })
}

module.exports = { measure }
