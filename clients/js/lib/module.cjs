// A database inside this process, or in a worker of a browser: an instance of hashrange.wasm, whose functions src/module/module.cc
// describes.

'use strict'

const { compile } = require('./host.cjs')
const { systemOf } = require('./system.cjs')

// Tests replace the timers and the clock of their global scope: the database keeps the real ones.
const { clearTimeout, setTimeout } = globalThis
const monotonicMs = performance.now.bind(performance)

const LONGEST_TIMER_MS = 2 ** 31 - 1
const STREAM_BUFFER = 256 * 2 ** 20
const BUDGET_MS = 5 // for works that are due, before other code of this process runs

const encoder = new TextEncoder()

/**
 * One database. `options` are the members of Database::Options (include/hashrange/database.h) that need no files: {sharedTables,
 * tablesOfEachKey, transitionMs, indexTransitionMs, streamShards, streamBufferBytes, ttlIntervalMs, maxMemoryBytes, metrics};
 * `compiled` is the module hashrange.wasm. A method throws an Error after close(), or after the module has stopped at an error of
 * its own.
 */
class ModuleDatabase {
  #exports
  #problem // why no call can be made
  #timer
  #timerEndsAt = Infinity
  #runsDueWorks = () => this.#atTimer()

  static async open(options, compiled = compile()) {
    const database = new ModuleDatabase()
    const imports = systemOf(() => database.#exports.memory.buffer)
    database.#exports = (await WebAssembly.instantiate(await compiled, { wasi_snapshot_preview1: imports })).exports
    const { sharedTables = false, tablesOfEachKey = false, transitionMs = 0, indexTransitionMs = 0, streamShards = 1 } = options
    const { streamBufferBytes = STREAM_BUFFER, ttlIntervalMs = 1000, maxMemoryBytes = 0, metrics = false } = options
    database.#run((module) => {
      module._initialize()
      if (!module.hashrange_open(sharedTables, tablesOfEachKey, transitionMs, indexTransitionMs, streamShards, streamBufferBytes,
        ttlIntervalMs, maxMemoryBytes, metrics)) {
        throw new Error('hashrange: there is not enough memory for a database.')
      }
    })
    return database
  }

  /**
   * Makes a call of the API: `as` is {accessKey, region, pattern}, `json` a text or bytes. Returns {status, body, sendAfterMs}:
   * `body` are bytes; status 0: a fault drops the call; 413: the call is too large.
   */
  call(operation, json, { accessKey, region, pattern = '' }) {
    return this.#run((module) => this.#answer(module, module.hashrange_call, [operation, json, accessKey, region, pattern]))
  }

  /** Makes a call of the control API. Returns the same. */
  control(method, path, json = '') {
    return this.#run((module) => this.#answer(module, module.hashrange_control, [method, path, json]))
  }

  /** Returns work(exports), where `exports` are the functions of the module; then does what is due. For ./module-server.cjs. */
  run(work) {
    return this.#run((module) => {
      const result = work(module)
      this.#setTimer(module.hashrange_run_due_works(BUDGET_MS))
      return result
    })
  }

  /**
   * Begins a dump of all tables as they are now. Returns false when nothing has changed since the last dump that was kept. Throws
   * when there is not enough memory.
   */
  beginDump() {
    return this.#run((module) => isDone(module.hashrange_begin_dump()))
  }

  /** Returns the next lines of the dump (Database::TextDump), as bytes; undefined at its end. */
  nextDumpLines() {
    return this.#run((module) => {
      if (!isDone(module.hashrange_next_dump_lines())) return undefined
      const begin = module.hashrange_answer()
      return new Uint8Array(module.memory.buffer).slice(begin, begin + module.hashrange_answer_bytes())
    })
  }

  /** Ends the dump, at its end or before. `isKept`: what it has is no longer new. */
  endDump(isKept) {
    this.#run((module) => module.hashrange_end_dump(isKept))
  }

  /** Returns work(exports), where `exports` are the functions of the module; then does what is due. For ./module-server.cjs. */
  run(work) {
    return this.#run((module) => {
      const result = work(module)
      this.#setTimer(module.hashrange_run_due_works(BUDGET_MS))
      return result
    })
  }

  /** Ends the database, whose memory is released. */
  close() {
    this.#end('hashrange: the database is closed.')
  }

  get isClosed() {
    return this.#problem !== undefined
  }

  #answer(module, call, texts) {
    const parts = texts.map((text) => (typeof text === 'string' ? encoder.encode(text) : text))
    const sizes = parts.map(({ length }) => length)
    let at = module.hashrange_input(sizes.reduce((sum, size) => sum + size, 0))
    if (at === 0) return { status: 413, body: new Uint8Array(), sendAfterMs: 0 }
    const memory = new Uint8Array(module.memory.buffer)
    for (const part of parts) {
      memory.set(part, at)
      at += part.length
    }
    const status = call(...sizes)
    this.#setTimer(module.hashrange_run_due_works(0))
    const begin = module.hashrange_answer()
    // The memory may have grown, so this is another buffer.
    const body = new Uint8Array(module.memory.buffer).slice(begin, begin + module.hashrange_answer_bytes())
    return { status, body, sendAfterMs: module.hashrange_send_after_ms() }
  }

  // An error that leaves the module has left its data half changed.
  #run(work) {
    if (this.#problem) throw new Error(this.#problem)
    try {
      return work(this.#exports)
    } catch (error) {
      this.#end(`hashrange: the database has stopped: ${error.message}`)
      throw new Error(this.#problem, { cause: error })
    }
  }

  #end(problem) {
    this.#problem ??= problem
    this.#exports = undefined
    clearTimeout(this.#timer)
  }

  // Works are due in `dueMs`; never when it is less than 0. A timer that ends earlier stays.
  #setTimer(dueMs) {
    if (dueMs < 0) return
    const endsAt = monotonicMs() + dueMs
    if (endsAt >= this.#timerEndsAt) return
    clearTimeout(this.#timer)
    this.#timerEndsAt = endsAt
    this.#timer = setTimeout(this.#runsDueWorks, Math.min(Math.ceil(dueMs), LONGEST_TIMER_MS))
    this.#timer.unref?.() // in jsdom, a timer is a number
  }

  #atTimer() {
    this.#timerEndsAt = Infinity
    if (!this.#problem) this.#run((module) => this.#setTimer(module.hashrange_run_due_works(BUDGET_MS)))
  }
}

function isDone(result) {
  if (result < 0) throw new Error('hashrange: there is not enough memory for a dump.')
  return result === 1
}

module.exports = { ModuleDatabase }
