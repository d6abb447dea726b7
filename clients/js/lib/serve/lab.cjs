// `hashrange lab` where there is no program: run, check, explain, init and schema by lab.wasm. Options, texts and exit codes are
// those of the program (src/cli/lab_commands.cc).

'use strict'

const { readFileSync, writeFileSync } = require('node:fs')
const { resolve } = require('node:path')
const { perform } = require('../lab-perform.cjs')
const { AbsentError, LineError, NEEDS_PROGRAM, readLine } = require('./line.cjs')

const MOST_TIMES = 1_000_000
const STATUS = { done: 0, exceeded: 1, failed: 1, wrong: 2, interrupted: 130 }
const NO_SUCH_FILE = 'No such file or directory'

const whole = (value) => {
  const number = /^\d+$/.test(value) ? Number(value) : NaN
  if (number >= 1 && number <= MOST_TIMES) return number
  throw new LineError(`has to be a whole number from 1 to ${MOST_TIMES}, and this is "${value}"`)
}

// The rows of ./line.cjs. They set members of the request (src/lab/command/lab_request.h).
const LAYOUT = { form: 'NAME', many: true, to: 'layout' }
const VARY = { form: 'PATH=FROM..TO', many: true, to: 'vary' }
const JSON_FILE = { form: 'FILE', leftOut: () => '-', takesNext: true, to: 'json' }
const OF_RUNS = {
  '--layout': LAYOUT,
  '--scale': { form: 'N', many: true, to: 'scale', check: (value) => value.split(',').map(whole) },
  '--thin': { form: 'N', to: 'thin', check: whole },
  '--threads': { form: 'N', ignored: 'it has no effect, as the module runs layouts one after another' },
  '--html': { form: 'FILE', to: 'html' },
  '--json': JSON_FILE,
}
const refused = (...names) => Object.fromEntries(names.map((name) => [name, { form: 'VALUE', refused: `it ${NEEDS_PROGRAM}` }]))

const COMMANDS = {
  run: { ...OF_RUNS, '--vary': VARY, '--no-confirm': { to: 'no_confirm' },
    ...refused('--endpoint', '--rate', '--duration', '--prefix', '--spend', '--region', '--profile', '--ca-file', '--requests') },
  check: OF_RUNS,
  explain: { '--layout': LAYOUT, '--json': JSON_FILE, '--vary': VARY },
  init: {},
  schema: {},
}

const HELP = `Usage: hashrange lab run|check|explain FILE [--layout NAME]… [--scale N,…] [--thin N] [--vary PATH=FROM..TO]… [--no-confirm]
                                           [--json [FILE]] [--html FILE]
       hashrange lab init [FILE]
       hashrange lab schema

FILE is a lab file, or - for stdin. docs/lab.md teaches it. --endpoint, --requests and import need the program.
`

/** Runs the command of the words behind `lab`. Resolves to the exit code. Throws a LineError or an AbsentError. */
async function runLabCommand(words) {
  try {
    return await run(words)
  } catch (error) {
    if (error instanceof LineError) error.command = COMMANDS[words[0]] ? `hashrange lab ${words[0]}` : 'hashrange lab'
    throw error
  }
}

async function run([command, ...words]) {
  if (words.concat(command).some((word) => /^(-h|--help)$/.test(word))) return print(HELP)
  if (command === undefined) throw new LineError('which command of lab?')
  if (command === 'import') throw new AbsentError(`hashrange lab import ${NEEDS_PROGRAM}`)
  if (!COMMANDS[command]) throw new LineError(`unknown command "${command}"`)
  const { request, file, html, json } = read(command, words)
  if (command === 'schema') return print((await perform({ request })).text)
  if (command === 'init') return writeStarter(file ?? 'lab.yaml', (await perform({ request })).text)
  if (file === undefined) throw new LineError('FILE is required')
  const answer = await performStoppable({ request: { ...request, name: file === '-' ? 'stdin' : file, columns: process.stdout.columns },
    text: textOf(file) })
  for (const message of answer.messages) complain(message)
  if (answer.outcome === 'wrong' || answer.outcome === 'failed') return STATUS[answer.outcome]
  const results = [[html, answer.html], [json, answer.json]].filter(([to]) => to !== undefined)
  for (const [to, content] of results) {
    if (to !== '-') writeFileSync(to, content)
  }
  const printed = results.find(([to]) => to === '-')
  print(printed ? printed[1] : answer.text)
  return STATUS[answer.outcome]
}

/** Returns {request, file, html, json}: the last two are the names of files, '-' is stdout. */
function read(command, words) {
  const { values: { html, json, ...members }, rest: [file, ...others], warnings } = readLine(words, COMMANDS[command])
  const unknown = command === 'schema' ? file : others[0]
  if (unknown !== undefined) throw new LineError(`unknown argument: ${unknown}`)
  for (const warning of warnings) complain(warning)
  if (html === '-' && json === '-') throw new AbsentError('--html and --json would both write to stdout')
  if (html !== undefined && html !== '-' && json !== undefined && resolve(html) === resolve(json)) {
    throw new AbsentError('--html and --json would both write to one file')
  }
  return { request: { command, ...members, ...(html !== undefined && { html: true }), ...(json !== undefined && { json: true }) }, file, html, json }
}

// Ctrl-C ends a run with a report of what was done until then; a second one ends the process.
async function performStoppable(call) {
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const interrupt = () => {
    if (Atomics.exchange(stop, 0, 1) !== 0) process.exit(STATUS.interrupted)
  }
  process.on('SIGINT', interrupt)
  const isSeen = process.stderr.isTTY
  try {
    return await perform({ ...call, stop }, { onProgress: (done) => isSeen && process.stderr.write(`\r${Math.floor(done * 100)} %`) })
  } finally {
    if (isSeen) process.stderr.write('\r\x1b[K')
    process.off('SIGINT', interrupt)
  }
}

function textOf(file) {
  let text
  try {
    text = readFileSync(file === '-' ? 0 : file)
  } catch ({ code, message }) {
    throw new AbsentError(`cannot read ${file}: ${code === 'ENOENT' ? NO_SUCH_FILE : message}`)
  }
  if (file === '-' && text.length === 0) throw new AbsentError('there is nothing on stdin')
  return text
}

function writeStarter(file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch ({ code, message }) {
    throw new AbsentError(`${file}: it cannot be written: ${code === 'EEXIST' ? 'File exists' : message}`)
  }
  return print(`wrote ${file}; next: hashrange lab explain ${file}\n`)
}

function print(text) {
  writeFileSync(1, text.endsWith('\n') ? text : `${text}\n`)
  return 0
}

const complain = (sentence) => process.stderr.write(`hashrange: ${sentence}\n`)

module.exports = { runLabCommand }
