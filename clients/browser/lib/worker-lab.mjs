// Calls of the lab, each in a worker of its own.

import { compile, placeIn } from './host.mjs'
import { labFunctions } from './lab-calls.mjs'
import { startWorker, WorkerCalls } from './worker-calls.mjs'

const SCRIPT = 'lab-worker.mjs'

// Bundlers find the worker by this expression.
const start = (files) => files === undefined ? new Worker(new URL('../lab-worker.mjs', import.meta.url), { type: 'module' })
  : new Worker(placeIn(files, SCRIPT), { type: 'module' })

/** Resolves to the answer of a call (clients/js/lib/lab-calls.cjs). The worker ends with it, and when the signal aborts. */
function perform(call, { onProgress, signal, files }) {
  return new Promise((done, failed) => {
    const abort = () => end(failed, signal.reason)
    const end = (settle, value) => {
      signal?.removeEventListener('abort', abort)
      settle(value)
      calls.end('hashrange: the call of the lab has ended.')
    }
    const calls = new WorkerCalls(startWorker(() => start(files)), SCRIPT, (share) => {
      try {
        onProgress?.(share)
      } catch (error) {
        end(failed, error)
      }
    })
    signal?.addEventListener('abort', abort, { once: true })
    compile('lab.wasm', files).then((module) => calls.ask('perform', module, call))
      .then((answer) => end(done, answer), (error) => end(failed, error))
  })
}

/** Returns the functions of the lab for a page: each also takes the option `files`. */
export function labOfPage() {
  const at = (files) => labFunctions((call, handlers) => perform(call, { ...handlers, files }))
  const withFile = (name) => async (text, { files, ...options } = {}) => at(files)[name](text, options)
  const withoutFile = (name) => async ({ files } = {}) => at(files)[name]()
  return {
    LabError: at().LabError,
    runLab: withFile('runLab'),
    checkLab: withFile('checkLab'),
    explainLab: withFile('explainLab'),
    labSchema: withoutFile('labSchema'),
    labStarter: withoutFile('labStarter'),
  }
}
