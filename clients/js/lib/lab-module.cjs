// The lab of layouts inside this process: an instance of lab.wasm, whose functions src/module/lab/lab_module.cc describes. Nothing
// here is of Node.js: lab.cjs adds the module's file and a thread.

'use strict'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * One instance, for one call: its memory grows with the data of a lab file and is released with the instance. A call
 * blocks its thread until the work is done.
 */
class LabModule {
  #exports

  /**
   * `module` is the compiled WebAssembly.Module. `system(buffer)` returns the functions of WASI; `buffer()` returns the memory.
   * `onProgress(done)` is called now and then, with 0 to 1, while a run goes on; when it returns true, the run ends early, and
   * the report is about what was done until then.
   */
  static async open(module, { system, onProgress = () => false }) {
    const lab = new LabModule()
    const instance = await WebAssembly.instantiate(module, {
      wasi_snapshot_preview1: system(() => lab.#exports.memory.buffer),
      hashrange: { progress: (done) => Number(onProgress(done) === true) },
    })
    lab.#exports = instance.exports
    lab.#exports._initialize()
    return lab
  }

  /**
   * Does what `hashrange lab COMMAND` does with the text of a lab file: `command` is 'run', 'explain', 'check', 'schema' or 'init'. The
   * options are {name, layout, scale, thin, vary, noConfirm, columns, json, html, maxMemoryBytes}. Returns
   * {exitCode, text, messages, json, html}: the program's exit code, what it prints, the lines of its stderr, and its files where
   * the options ask for them, as texts.
   */
  call(command, options = {}, text = '') {
    const { noConfirm, maxMemoryBytes, ...rest } = options
    const request = { command, ...rest, no_confirm: noConfirm, max_memory_bytes: maxMemoryBytes }
    const parts = [encoder.encode(JSON.stringify(request)), typeof text === 'string' ? encoder.encode(text) : text]
    const { lab_input, lab_call, lab_answer, lab_answer_bytes, memory } = this.#exports
    const sizes = parts.map(({ length }) => length)
    let at = lab_input(sizes[0] + sizes[1])
    if (at === 0) throw new RangeError('hashrange: the lab file is too large.')
    for (const part of parts) {
      new Uint8Array(memory.buffer).set(part, at)
      at += part.length
    }
    lab_call(...sizes)
    const begin = lab_answer()
    const answer = decoder.decode(new Uint8Array(memory.buffer, begin, lab_answer_bytes()))
    const { exit_code: exitCode, ...result } = JSON.parse(answer)
    return { exitCode, ...result }
  }
}

module.exports = { LabModule }
