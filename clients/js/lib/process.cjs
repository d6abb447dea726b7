// The server as a child process: it listens on a free port, is ready when it says so, and ends with this process at the latest.

'use strict'

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { findServer } = require('./binary.cjs')
const { showWarnings } = require('./warnings.cjs')

const START_TIMEOUT_MS = 10_000
const STOP_TIMEOUT_MS = 3_000
const REST_TIMEOUT_MS = 200
const READY_FD = 3
const LOG_BYTES = 4_096

/**
 * Starts the server that findServer(binary) names, with `args` in addition to the preset's arguments. Returns {endpoint, isSeeded,
 * stop()} once the server answers. `seed`, {path, account}: a module reads these files at its start, because it lets no caller name
 * a path (`isSeeded`). The server's warnings are shown on this process's stderr until stop(). Throws when there is no such program, or when
 * the program ends or does not get ready in time; the error's text has what the program wrote to stderr.
 */
async function startProcess({ binary, args = [], token } = {}, seed) {
  const { program, words } = findServer(binary)
  const isSeeded = seed !== undefined && words.length > 0
  const seeding = isSeeded ? ['--seed', seed.path, '--seed-account', seed.account] : []
  const own = ['--port', '0', '--ready-fd', `${READY_FD}`, `--exit-with-parent=${process.pid}`]
  // Other users could see an argument; '' means no token. The options of a test runner are not for the Node.js of a module.
  const env = { ...process.env, HASHRANGE_TOKEN: token ?? '', NODE_OPTIONS: undefined }
  const child = spawn(program, [...words, 'serve', ...own, ...seeding, ...args], { env, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  const log = lastBytes(child.stderr)
  showWarnings(child.stderr)
  const closed = new Promise((ended) => {
    child.once('error', (error) => ended(`did not start: ${error.message}`))
    child.once('close', (code, signal) => ended(`ended with ${signal ?? code} before it was ready`))
  })
  const stop = () => stopProcess(child, closed)
  const first = await Promise.race([
    readLine(child.stdio[READY_FD]).then((line) => ({ line })),
    closed.then((problem) => ({ problem })),
    silence(START_TIMEOUT_MS).then(() => ({ problem: `was not ready within ${START_TIMEOUT_MS / 1000} s` })),
  ])
  if (first.problem) {
    await stop()
    throw new Error(`hashrange: ${words[0] ?? program} ${first.problem}.${log() && `\n${log()}`}`)
  }
  letGo(child)
  return { endpoint: JSON.parse(first.line).endpoint, isSeeded, stop }
}

/** Resolves to the first line of a stream; never settles if the stream has no line. */
function readLine(stream) {
  return new Promise((read) => {
    let text = ''
    stream.on('data', (bytes) => {
      text += bytes
      if (text.includes('\n')) read(text.slice(0, text.indexOf('\n')))
    })
  })
}

function silence(timeoutMs) {
  return new Promise((over) => setTimeout(over, timeoutMs).unref())
}

/** Reads a stream to its end. Returns a function that returns the last part of it. */
function lastBytes(stream) {
  let text = ''
  stream.on('data', (bytes) => {
    text = (text + bytes).slice(-LOG_BYTES)
  })
  return () => text.trim()
}

/** Lets this process end although the child still runs. */
function letGo(child) {
  child.unref()
  child.stderr.unref()
  child.stdio[READY_FD].destroy()
}

async function stopProcess(child, closed) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const killed = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await exit
  clearTimeout(killed)
  await restOf(child, closed)
}

/** Waits for the last lines of a process that has ended. A process that it has started may keep its pipes open for ever. */
async function restOf(child, closed) {
  let over
  await Promise.race([closed, new Promise((ended) => (over = setTimeout(ended, REST_TIMEOUT_MS)))])
  clearTimeout(over)
  child.stderr.destroy()
  child.stdio[READY_FD].destroy()
}

module.exports = { startProcess }
