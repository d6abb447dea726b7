// Makes a call of the lab in a thread of its own, in Node.js.

'use strict'

const { Worker } = require('node:worker_threads')
const { compile } = require('./host.cjs')

/**
 * Resolves to the answer of the call {request, text, seconds, stop} (lab-module.cjs). Rejects with the reason of a `signal` that
 * aborts; the work then ends without an answer.
 */
async function perform(call, { onProgress, signal } = {}) {
  const module = await compile('lab.wasm')
  signal?.throwIfAborted()
  return new Promise((done, failed) => {
    const thread = new Worker(require.resolve('./lab-thread.cjs'), { workerData: { module, call } })
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

module.exports = { perform }
