#!/usr/bin/env node
// Runs the program with the same arguments, streams and exit code: `npx hashrange serve`. Where there is no program, the WebAssembly
// module serves in this process.

'use strict'

const { spawn } = require('node:child_process')
const { closeSync, fstatSync } = require('node:fs')
const { resolve } = require('node:path')
const { binary } = require('../index.js')
const { isForAnotherMachine } = require('./machine.js')
const { sentence } = require('./missing.js')
const { hasStarted, isForParent, isServer } = require('./parent.js')

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const LOOK_MS = 500
const PARENT = process.ppid

function run(program, words) {
  const watchesParent = isForParent(words)
  if (watchesParent && !hasStarted(PARENT)) return fail('the process that was to use the server has ended.')
  if (isForAnotherMachine(program)) return fail(`${program} is a program for another machine.`)
  const stdio = ['inherit', 'inherit', 'inherit']
  const fd = readyFd(words)
  if (fd > 2) stdio[fd] = fd
  const options = { env: { ...process.env, HASHRANGE_LAUNCHED: program }, stdio: Array.from(stdio, (each) => each ?? 'ignore') }
  // Before the start: the program may serve before this process goes on. After a Ctrl+C in a terminal, the program gets the
  // signal twice; the second one changes nothing.
  for (const signal of SIGNALS) process.on(signal, () => child?.kill(signal))
  const child = started(program, ownedByThis(words), options)
  if (!child) return
  if (watchesParent) setInterval(() => process.ppid === PARENT || child.kill(), LOOK_MS).unref()
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
  if (fd > 2) closeSync(fd) // the reader sees its end when the program closes it
}

// Node.js throws some errors of a start, such as ENOTDIR, and tells others, such as ENOENT, later.
function started(program, words, options) {
  const failed = ({ code }) => fail(`${program} cannot be run (${code}).`)
  try {
    return spawn(program, words, options).on('error', failed)
  } catch (error) {
    failed(error)
  }
}

/** Returns the descriptor of the option --ready-fd, which the program inherits; NaN if there is none that a caller has opened. */
function readyFd(words) {
  const at = words.findLastIndex((word) => /^--ready-fd(=|$)/.test(word))
  const text = words[at]?.split('=')[1] ?? words[at + 1]
  return at >= 0 && /^\d{1,3}$/.test(text) && isForWriting(Number(text)) ? Number(text) : NaN
}

// The lowest descriptors that a caller has not opened are those with which Node.js waits for events: none of these kinds.
function isForWriting(fd) {
  try {
    const status = fstatSync(fd)
    return status.isFIFO() || status.isSocket() || status.isFile() || status.isCharacterDevice()
  } catch {
    return false // it is not open
  }
}

/** Returns the arguments with which a server ends with this process, even if this process is killed. */
function ownedByThis(words) {
  if (!isServer(words) || words.some((word) => word.startsWith('--exit-with-parent='))) return words
  return [...words.filter((word) => word !== '--exit-with-parent'), `--exit-with-parent=${process.pid}`]
}

function fail(sentence) {
  process.stderr.write(`hashrange: ${sentence}\n`)
  process.exitCode = 1
}

function runModule(words) {
  const watchesParent = isForParent(words)
  if (watchesParent && !hasStarted(PARENT)) return fail('the process that was to use the server has ended.')
  const isAsked = words.some((word) => word.startsWith('--exit-with-parent'))
  require('../lib/serve/command.cjs').main(watchesParent && !isAsked ? [...words, '--exit-with-parent'] : words)
}

const words = process.argv.slice(2)
const named = process.env.HASHRANGE_BINARY && resolve(process.env.HASHRANGE_BINARY)
const program = named || (process.env.HASHRANGE_MODULE ? undefined : binary)
if (named && named === process.env.HASHRANGE_LAUNCHED) {
  fail(`HASHRANGE_BINARY names ${named}, which starts this command again, and no server.`)
} else if (program) {
  run(program, words)
} else {
  const why = process.env.HASHRANGE_MODULE ? undefined : sentence()
  if (why) process.stderr.write(`hashrange: ${why}\n`)
  runModule(words)
}
