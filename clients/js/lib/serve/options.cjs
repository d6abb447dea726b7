// The options of `hashrange serve` where the database is a module: those of the program (docs/options.md), and what becomes of the
// options that a module cannot have.

'use strict'

const { fstatSync, readFileSync } = require('node:fs')
const { totalmem } = require('node:os')
const { LineError, readLine } = require('./line.cjs')

const DAY_MS = 86_400_000
const MOST_PORT = 65_535
const TIME_FORMS = 'is not a time with its unit, such as "500ms", "3s", "5m", "2h" or "2d"'
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS }
const SCALE = { B: 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 }

// Each of these returns a function that checks the text of a value and returns what it means.

const text = (value) => value

const whole = (least, most) => (value) => {
  const number = /^\d+$/.test(value) ? Number(value) : NaN
  if (!(number >= least && number <= most)) throw new LineError(`Value ${value} not in range ${least} to ${most}`)
  return number
}

const bytes = (least, most) => (value) => {
  const [, number, unit = 'B'] = /^(\d+)\s*(?:([KMGT])(?:i?B)?|B)?$/i.exec(value) ?? []
  const size = number === undefined ? NaN : Number(number) * SCALE[unit.toUpperCase()]
  if (!(size >= least && size <= most)) throw new LineError(`Value ${value} not in range ${least} to ${most}`)
  return size
}

const time = (value) => {
  const [, number, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(value) ?? (value === '0' ? [0, 0, 'ms'] : [])
  if (number === undefined) throw new LineError(`${value} ${TIME_FORMS}`)
  const ms = Number(number) * UNIT_MS[unit]
  if (ms > DAY_MS) throw new LineError(`${value} is longer than a day`)
  return ms
}

const word = (...words) => (value) => {
  if (!words.includes(value)) throw new LineError(`${value} not in {${words}}`)
  return value
}

const maxMemory = (value) => {
  if (value === 'none') return 0
  const size = bytes(0, 2 ** 50)(value)
  if (size !== 0 && size < 16 * SCALE.M) throw new LineError(`less than 16MB: ${value}`)
  return size
}

const origin = (value) => {
  if (value !== '*' && !/^https?:\/\/[^/@?#\s*]+$/.test(value)) {
    throw new LineError(`not an origin like https://app.example:3000, and not * alone: ${value}`)
  }
  return value
}

const hostName = (value) => {
  if (/[*/ @?]/.test(value)) throw new LineError(`not a name like db.example, and no pattern stands for several: ${value}`)
  return value
}

const writable = (value) => {
  const fd = whole(0, 2 ** 31 - 1)(value)
  try {
    fstatSync(fd)
    return fd
  } catch {
    throw new LineError(`not open for writing: ${value}`)
  }
}

const processNumber = (value) => {
  if (!/^[1-9]\d*$/.test(value)) throw new LineError(`not the number of a process: ${value}`)
  return Number(value)
}

const tokenIn = (path) => {
  let token
  try {
    token = readFileSync(path, 'utf8').trim()
  } catch ({ message }) {
    throw new LineError(message)
  }
  if (token === '') throw new LineError(`${path} holds no token`)
  return token
}

const account = (value) => {
  if (!/^\d{12}$/.test(value)) throw new LineError(`not an account of 12 digits: ${value}`)
  return value
}

const region = (value) => {
  if (!/^[a-z0-9-]{1,32}$/.test(value)) throw new LineError(`not a Region like us-east-1: ${value}`)
  return value
}

// What a module does not do. `refused`: without it, the server would lose data or answer otherwise than was asked for.
const MODULE_ONLY = {
  '--threads': { form: 'N', ignored: 'it has no effect, as the module has one thread' },
  '--log-level': { form: 'LEVEL', check: word('debug', 'info', 'warning', 'error'), ignored: 'it has no effect: the module logs warnings and errors' },
  '--sync': { form: 'WHEN', refused: 'the module does not write each change: it writes all tables some seconds after a change, and at its end' },
  '--kinesis-dir': { form: 'DIR', refused: 'the module writes no files but those of --data' },
  '--console': { form: 'MODE', check: word('on', 'read-only', 'off'), ignored: 'it has no effect, as the module has no console' },
  '--files': { form: 'DIR', refused: 'the module does not see whose program calls it; callers with the control token may name any path of a seed' },
}

// The rows of ./line.cjs; `help` is the line of --help.
const OPTIONS = {
  '--host': { form: 'ADDRESS', check: text, to: 'host', help: 'Listen on this address only (default: HASHRANGE_HOST, or else 127.0.0.1 and ::1)' },
  '--port': { form: 'PORT', check: whole(0, MOST_PORT), to: 'port', help: 'Listen on this port; 0 picks a free one (default: 8000)' },
  '--transition-ms': { form: 'MS', check: whole(0, DAY_MS), to: 'transitionMs', help: 'How long a table is CREATING, UPDATING or DELETING (default: 0)' },
  '--index-transition-ms': { form: 'MS', check: whole(0, DAY_MS), to: 'indexTransitionMs', help: 'The same for a new index (default: as --transition-ms)' },
  '--ttl-interval': { form: 'TIME', check: time, to: 'ttlIntervalMs', help: 'How often expired items are deleted (default: 1s)' },
  '--stream-shards': { form: 'N', check: whole(1, 256), to: 'streamShards', help: 'How many shards a stream has (default: 1)' },
  '--stream-buffer': { form: 'SIZE', check: bytes(SCALE.M, SCALE.T), to: 'streamBufferBytes', help: 'How much a stream keeps (default: 256MB)' },
  '--data': { form: 'DIR', check: text, to: 'data', help: 'Keep tables in this directory: a dump some seconds after a change, and at the end' },
  '--seed': { form: 'PATH', check: text, to: 'seed', help: 'Load tables and items first, from a file or folder (docs/seed-and-dump.md)' },
  '--seed-account': { form: 'ACCOUNT', check: account, to: 'seedAccount', needs: '--seed', help: 'The account that gets them (default: 000000000000)' },
  '--seed-region': { form: 'REGION', check: region, to: 'seedRegion', needs: '--seed', help: 'The Region that gets them (default: us-east-1)' },
  '--shared': { to: 'sharedTables', help: 'Use one set of tables for all access keys and Regions' },
  '--like': { form: 'SERVER', check: word('dynamodb-local'), to: 'like', help: 'Take the place of another server: dynamodb-local' },
  '--control-token': { form: 'TOKEN', check: text, to: 'controlToken', help: 'Answer the control API to callers with this token only' },
  '--control-token-file': { form: 'FILE', check: tokenIn, to: 'controlToken', help: 'Read the token from this file; HASHRANGE_TOKEN also sets it' },
  '--cors': { form: 'ORIGIN', check: origin, to: 'cors', many: true, help: 'Let web pages of this origin call, too; *: of all (may be repeated)' },
  '--allow-host': { form: 'NAME', check: hostName, to: 'allowedHosts', many: true, help: 'Accept this name as Host, too (may be repeated)' },
  '--request-memory': { form: 'SIZE', check: bytes(32 * SCALE.M, SCALE.T), to: 'requestMemoryBytes', help: 'For unfinished requests and unsent answers (default: 256MB)' },
  '--max-memory': { form: 'SIZE', check: maxMemory, to: 'maxMemoryBytes', help: 'Refuse writes when the data takes more (default: 80% of the memory; at most 4 GiB)' },
  '--max-connections': { form: 'N', check: whole(1, 1_000_000), to: 'maxConnections', help: 'Connections at a time (default: 10000)' },
  '--ready-fd': { form: 'N', check: writable, to: 'readyFd', help: 'Write the address to this descriptor once the server listens, and close it' },
  '--exit-with-parent': { form: 'PID', check: processNumber, to: 'parent', leftOut: () => process.ppid, help: 'End when the process that started the server ends, or PID' },
  '--metrics': { to: 'metrics', help: 'Count calls for /_hashrange/metrics from the start' },
}

/**
 * Reads the words behind `serve`. Returns {options, data, seed, like, readyFd, parent, warnings}: `options` are those of
 * serveModule, `seed` is the body of a call of the control API, `parent` the process to end with, `warnings` are sentences. Throws a
 * LineError.
 */
function readServeLine(words, env = process.env) {
  const { values: given, names, rest, warnings } = readLine(words, { ...OPTIONS, ...MODULE_ONLY })
  if (rest.length > 0) throw new LineError(`unknown argument: ${rest[0]}`)
  if (names.has('--control-token') && names.has('--control-token-file')) throw new LineError('--control-token excludes --control-token-file')
  const { data, seed: path, seedAccount, seedRegion, like, readyFd, parent, ...options } = given
  options.host ??= env.HASHRANGE_HOST || undefined
  options.controlToken ??= env.HASHRANGE_TOKEN || undefined
  options.maxMemoryBytes ??= Math.floor(memoryOfSystem() * 0.8)
  if (like) Object.assign(options, { tablesOfEachKey: true, answersRootWith400: true })
  const seed = path === undefined ? undefined : { path, account: seedAccount, region: seedRegion }
  return { options, data, seed, like, readyFd, parent, warnings }
}

// In a container, the bound of the container.
function memoryOfSystem() {
  const bound = process.constrainedMemory?.() ?? 0
  return bound > 0 && bound < totalmem() ? bound : totalmem()
}

/** Returns the lines that describe the options. */
function helpOfOptions() {
  const rows = Object.entries(OPTIONS).map(([name, { form, help, leftOut }]) => [form ? (leftOut ? `${name}[=${form}]` : `${name} ${form}`) : name, help])
  const none = Object.entries(MODULE_ONLY).map(([name, { form, refused, ignored }]) => [`${name} ${form}`, refused ? `Refused: ${refused}` : `Accepted: ${ignored}`])
  const width = Math.max(...[...rows, ...none].map(([name]) => name.length))
  return [...rows, ...none].map(([name, help]) => `  ${name.padEnd(width)}  ${help}`).join('\n')
}

module.exports = { helpOfOptions, readServeLine }
