// The functions of WASI that a module imports. There are no files, and the environment is empty.

'use strict'

const { fillRandomly, showLog } = require('./host.cjs')

// Tests replace the clocks of their global scope: a module keeps the real ones.
const dateNow = Date.now
const monotonicMs = performance.now.bind(performance)

const decoder = new TextDecoder()

const DONE = 0
const IS_NO_FILE = 8
const IS_NOT_THERE = 52
const REALTIME = 0
const MOST_RANDOM_BYTES = 65_536 // of one call in a browser

/** Returns the functions; `buffer` returns the module's memory. */
function systemOf(buffer) {
  const view = () => new DataView(buffer())
  const counts = (count, bytes) => {
    view().setUint32(count, 0, true)
    view().setUint32(bytes, 0, true)
    return DONE
  }
  const known = {
    clock_time_get: (clock, _, at) => {
      view().setBigUint64(at, BigInt(Math.round((clock === REALTIME ? dateNow() : monotonicMs()) * 1e6)), true)
      return DONE
    },
    environ_get: () => DONE,
    environ_sizes_get: counts,
    fd_prestat_get: () => IS_NO_FILE,
    fd_write: (file, parts, count, written) => write(view(), { file, parts, count, written }),
    proc_exit: (code) => {
      throw new Error(`it ended with ${code}`)
    },
    random_get: (at, size) => {
      for (let from = 0; from < size; from += MOST_RANDOM_BYTES) {
        fillRandomly(new Uint8Array(buffer(), at + from, Math.min(size - from, MOST_RANDOM_BYTES)))
      }
      return DONE
    },
  }
  return new Proxy(known, { get: (functions, name) => functions[name] ?? (() => IS_NOT_THERE) })
}

// The module writes warnings of its log to stderr; it has no other output.
function write(memory, { file, parts, count, written }) {
  if (file !== 1 && file !== 2) return IS_NO_FILE
  let size = 0
  for (let at = parts; at < parts + 8 * count; at += 8) {
    const bytes = new Uint8Array(memory.buffer, memory.getUint32(at, true), memory.getUint32(at + 4, true))
    showLog(decoder.decode(bytes))
    size += bytes.length
  }
  memory.setUint32(written, size, true)
  return DONE
}

module.exports = { systemOf }
