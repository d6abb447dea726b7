// The lab of layouts inside this process: an instance of lab.wasm, whose functions src/module/lab/lab_module.cc describes. A
// thread of lab.cjs and a worker of a browser both work with this file.

'use strict'

const { systemOf } = require('./system.cjs')

const PROGRESS_INTERVAL_MS = 100

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const nowMs = performance.now.bind(performance)

/** One instance, for one call: its memory grows with the data of a lab file and is released with the instance. */
class LabModule {
  #exports

  /**
   * `module` is the compiled module. `onProgress(done)` is called now and then, with 0 to 1, while layouts run; when it returns
   * true, the run ends early, and the report is about what was done until then.
   */
  static async open(module, onProgress = () => false) {
    const lab = new LabModule()
    const instance = await WebAssembly.instantiate(module, {
      wasi_snapshot_preview1: systemOf(() => lab.#exports.memory.buffer),
      hashrange: { progress: (done) => Number(onProgress(done) === true) },
    })
    lab.#exports = instance.exports
    lab.#exports._initialize()
    return lab
  }

  /**
   * Answers a request about the text of a lab file (src/lab/command/lab_request.h): {outcome, text, messages, json, html}. The
   * text may be bytes. It blocks the thread until the work is done.
   */
  call(request, text = '') {
    const parts = [encoder.encode(JSON.stringify(request)), typeof text === 'string' ? encoder.encode(text) : text]
    const { lab_input: input, lab_call: call, lab_answer: answer, lab_answer_bytes: bytes, memory } = this.#exports
    const sizes = parts.map(({ length }) => length)
    let at = input(sizes[0] + sizes[1])
    if (at === 0) return { outcome: 'wrong', text: '', messages: ['The lab file is too large.'] }
    for (const part of parts) {
      new Uint8Array(memory.buffer).set(part, at)
      at += part.length
    }
    call(...sizes)
    return JSON.parse(decoder.decode(new Uint8Array(memory.buffer, answer(), bytes())))
  }
}

/**
 * What a thread of its own does: makes the call {request, text, seconds, stop} and returns the answer. `tell(done)` is called at
 * most ten times a second. A run ends after `seconds`, and when another thread sets the first number of `stop`, an Int32Array of
 * shared memory.
 */
async function performLabCall(module, { request, text, seconds = Infinity, stop = new Int32Array(1) }, tell) {
  const endsAt = nowMs() + seconds * 1000
  let nextAt = 0
  const lab = await LabModule.open(module, (done) => {
    const now = nowMs()
    if (now >= nextAt) {
      nextAt = now + PROGRESS_INTERVAL_MS
      tell(done)
    }
    return now >= endsAt || Atomics.load(stop, 0) !== 0
  })
  return lab.call(request, text)
}

module.exports = { LabModule, performLabCall }
