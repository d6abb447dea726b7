// The command `hashrange` where there is no program for the machine: it serves a module, makes plain calls of the control API, and
// compares layouts.
// `node lib/serve/command.cjs serve --port 0`

'use strict'

const { closeSync, writeSync } = require('node:fs')
const { resolve } = require('node:path')
const { control } = require('../control.cjs')
const { DataDirectory, DataError } = require('./data.cjs')
const { AbsentError, LineError, NEEDS_PROGRAM, readLine } = require('./line.cjs')
const { helpOfOptions, readServeLine } = require('./options.cjs')
const { version } = require('../../package.json')

const LOOK_MS = 500 // for a parent that has ended
const STOP_SIGNALS = process.platform === 'win32' ? ['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM']

const OF_PROGRAM = ['healthcheck', 'check', 'compact', 'repair', 'copy', 'mcp', 'completion', 'man']
const OF_CTL = {
  '--endpoint': { form: 'URL', to: 'endpoint' },
  '--host': { form: 'ADDRESS', to: 'host' },
  '--port': { form: 'PORT', to: 'port' },
  '--token': { form: 'TOKEN', to: 'token' },
  '--json': { to: 'json' }, // an answer is JSON without it, too
}
const CTL_FORMS = 'hashrange ctl get PATH, hashrange ctl post PATH [JSON] or hashrange ctl delete PATH [JSON]'

const HELP = `Hashrange: an in-memory, DynamoDB-compatible server. This is its WebAssembly module, for machines without its program.

Usage: hashrange [serve] [OPTIONS]
       hashrange ctl get|post|delete PATH [JSON] [--endpoint URL | --host ADDRESS --port PORT] [--token TOKEN]
       hashrange lab run|check|explain|init|schema [OPTIONS] [FILE]

Options of serve:
${helpOfOptions()}

The commands ${OF_PROGRAM.slice(0, -1).join(', ')} and ${OF_PROGRAM.at(-1)} need the program, which is for Linux.
The control API is described in docs/control-api.md.
`

async function main(words) {
  try {
    const [command = '', ...rest] = words
    if (command === 'ctl') return await runCtl(rest)
    if (command === 'lab') return void (process.exitCode = await require('./lab.cjs').runLabCommand(rest))
    if (OF_PROGRAM.includes(command)) throw new AbsentError(`hashrange ${command} ${NEEDS_PROGRAM}`)
    if (/^-Djava|^-jar$/.test(command)) throw new AbsentError(`a command line of DynamoDB Local ${NEEDS_PROGRAM}; here, it is: hashrange serve --like dynamodb-local`)
    const isNamed = command === 'serve'
    if (command !== '' && !isNamed && !command.startsWith('-')) throw new LineError(`unknown argument: ${command}`)
    const own = isNamed ? rest : words
    if (own.some((word) => /^(-h|--help)$/.test(word))) return void process.stdout.write(HELP)
    if (own.includes('--version')) return void process.stdout.write(`Hashrange ${version}\n`)
    await serve(readServeLine(own))
  } catch (error) {
    const isLine = error instanceof LineError
    process.stderr.write(`hashrange: ${error.message.replace(/^hashrange: /, '')}${isLine ? ` (see ${error.command} --help)` : ''}\n`)
    process.exit(isLine || error instanceof AbsentError ? 2 : 1)
  }
}

// ---- serve ----

async function serve({ options, data, seed, like, readyFd, parent, warnings }) {
  for (const warning of warnings) log(warning)
  // Loaded here, because the other commands do without it.
  const { serveModule } = require('../module-server.cjs')
  const stopped = stopSignal(parent)
  const directory = data === undefined ? undefined : await DataDirectory.open(data, { shared: options.sharedTables })
  const sentences = []
  const starting = serveModule({ ...options,
    onFailure: (error) => failed(error, directory),
    prepare: async (database) => {
      const loaded = directory && await timed('Loaded', data, () => directory.load(database), sentences)
      if (seed && loaded?.tables > 0) sentences.push(`${data} has tables already, so ${seed.path} is not loaded`)
      else if (seed) await timed('Seeded', seed.path, () => seedFrom(seed, database), sentences)
    } })
  const server = await Promise.race([starting, stopped]).catch(async (error) => {
    await directory?.abandon()
    throw error
  })
  if (server === STOPPED) {
    await directory?.abandon()
    process.exit(0)
  }
  directory?.keep(server.database, log)
  announce(server, { like, options, data, readyFd, sentences })
  await stopped
  await end(server, directory)
}

const STOPPED = Symbol('stopped')

/** Resolves when a signal, or the end of the parent, asks the server to end. */
function stopSignal(parent) {
  return new Promise((stop) => {
    for (const signal of STOP_SIGNALS) process.on(signal, () => stop(STOPPED))
    if (parent !== undefined) setInterval(() => hasEnded(parent) && stop(STOPPED), LOOK_MS)
  })
}

function hasEnded(parent) {
  if (parent === firstParent) return process.ppid !== firstParent
  try {
    process.kill(parent, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

const firstParent = process.platform === 'win32' ? undefined : process.ppid

async function end(server, directory) {
  await server.close()
  await directory?.close(server.database)
  process.exit(0)
}

/** The module has stopped at an error of its own. What it has may be half changed, so the last dump stays. */
async function failed(error, directory) {
  await directory?.abandon()
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}

// The texts are those of the program (src/cli/serve.cc).
function announce(server, { like, options, data, readyFd, sentences }) {
  const isReadByProgram = readyFd === 1
  if (!isReadByProgram) {
    const endpoints = server.addresses.map((address) => `http://${address}:${server.port}`)
    process.stdout.write(`Hashrange ${version} listens on ${endpoints.join(', ')}\n`)
    if (like) process.stdout.write(likeDynamoDbLocal(server.port, options, data))
  }
  for (const sentence of sentences) (isReadByProgram ? process.stderr : process.stdout).write(`${sentence}\n`)
  if (readyFd === undefined) return
  writeSync(readyFd, `${JSON.stringify({ endpoint: server.endpoint, port: server.port, pid: process.pid })}\n`)
  closeSync(readyFd)
}

function likeDynamoDbLocal(port, { sharedTables = false, indexTransitionMs = 0, cors = [] }, data) {
  return 'Initializing DynamoDB Local with the following configuration:\n' +
    `Port:\t${port}\nInMemory:\t${data === undefined}\nDbPath:\t${data ?? 'null'}\nSharedDb:\t${sharedTables}\n` +
    `shouldDelayTransientStatuses:\t${indexTransitionMs > 0}\nCorsParams:\t${cors.join(',') || 'null'}\n\n`
}

/** Loads the tables of a seed. Returns {tables, items}. */
function seedFrom(seed, database) {
  const { status, body } = database.control('POST', 'seed', JSON.stringify({ ...seed, path: resolve(seed.path) }))
  const { error, tables, warnings = [] } = JSON.parse(Buffer.from(body).toString())
  if (status !== 200) throw new Error(`--seed: ${error.replace(/\.$/, '')}`)
  for (const warning of warnings) log(warning)
  const counts = Object.values(tables)
  return { tables: counts.length, items: counts.reduce((sum, count) => sum + count, 0) }
}

/** Runs a load, adds the sentence that says what it has loaded, and returns {tables, items}. */
async function timed(done, path, load, sentences) {
  const began = performance.now()
  const loaded = await load()
  sentences.push(loadedText(done, loaded, path, (performance.now() - began) / 1000))
  return loaded
}

function loadedText(done, { tables, items }, path, seconds) {
  const counted = (count, noun) => `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
  return `${done} ${counted(tables, 'table')} with ${counted(items, 'item')} from ${path} in ${seconds.toFixed(seconds < 0.1 ? 3 : 1)} s`
}

function log(sentence) {
  const now = new Date()
  const two = (number, digits = 2) => String(number).padStart(digits, '0')
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  const time = `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}.${two(now.getMilliseconds(), 3)}`
  process.stderr.write(`${day} ${time} warning ${sentence}\n`)
}

// ---- ctl ----

async function runCtl(words) {
  const [verb = '', ...others] = words
  const method = { get: 'GET', post: 'POST', delete: 'DELETE' }[verb]
  if (!method) throw new AbsentError(`${`hashrange ctl ${verb}`.trimEnd()} ${NEEDS_PROGRAM}; here there are ${CTL_FORMS}`)
  const { values, rest: [path, json] } = readLine(others, OF_CTL)
  if (path === undefined) throw new LineError(`ctl ${verb}: 1 required PATH missing`)
  const endpoint = values.endpoint ?? (values.host || values.port ? `http://${values.host ?? '127.0.0.1'}:${values.port ?? 8000}`
    : process.env.HASHRANGE_ENDPOINT || 'http://127.0.0.1:8000')
  const answer = await control({ endpoint, token: values.token ?? process.env.HASHRANGE_TOKEN }, method, path, bodyOf(json))
  process.stdout.write(`${typeof answer === 'string' ? answer.replace(/\n$/, '') : JSON.stringify(answer)}\n`)
}

function bodyOf(json) {
  if (json === undefined) return undefined
  try {
    return JSON.parse(json)
  } catch ({ message }) {
    throw new LineError(`it is no JSON: ${message}`)
  }
}

module.exports = { main }

if (require.main === module) main(process.argv.slice(2))
