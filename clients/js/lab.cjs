// The lab of layouts without the program: `const { text } = await runLab(file)`. See lab.d.ts.

'use strict'

const { join } = require('node:path')
const { Worker } = require('node:worker_threads')
const { compile } = require('./lib/host.cjs')
const { labFunctions } = require('./lib/lab-calls.cjs')

// Resolves to the answer of the call, which a thread of its own makes.
async function perform(call, { onProgress, signal }) {
  const module = await compile('lab.wasm')
  signal?.throwIfAborted()
  return new Promise((done, failed) => {
    const thread = new Worker(join(__dirname, 'lib/lab-thread.cjs'), { workerData: { module, call } })
    let ended = false
    const abort = () => end(failed, signal.reason)
    const end = (settle, value) => {
      ended = true
      signal?.removeEventListener('abort', abort)
      settle(value)
      thread.terminate()
    }
    signal?.addEventListener('abort', abort, { once: true })
    thread.on('message', ({ done: share, answer }) => (answer ? end(done, answer) : tell(share)))
    thread.on('error', (error) => end(failed, new Error(`hashrange: the lab has stopped: ${error.message}`, { cause: error })))

    function tell(share) {
      if (ended) return
      try {
        onProgress?.(share)
      } catch (error) {
        end(failed, error)
      }
    }
  })
}

module.exports = labFunctions(perform)
