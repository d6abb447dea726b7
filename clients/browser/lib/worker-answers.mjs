// The other end of worker-calls.mjs, inside the worker.

const MOST_MS = 4 // for which an answer waits for the answers of other calls

/** Answers the calls of the page by `functions`: name -> a function, which may return a promise. `handedOver(value)`: its buffers. */
export function answerBy(functions, handedOver = () => []) {
  let answers = [], buffers = []
  const keep = (id, value) => {
    answers.push({ id, value })
    buffers.push(...handedOver(value))
  }
  const fail = (id, error) => answers.push({ id, problem: error?.message ?? String(error) })
  const send = () => {
    if (answers.length > 0) postMessage(answers, buffers)
    answers = []
    buffers = []
  }
  onmessage = ({ data: calls }) => {
    let begun = performance.now()
    for (const { id, name, given } of calls) {
      try {
        const value = functions[name](...given)
        if (typeof value?.then === 'function') value.then((later) => keep(id, later), (error) => fail(id, error)).then(send)
        else keep(id, value)
      } catch (error) {
        fail(id, error)
      }
      if (performance.now() - begun < MOST_MS) continue
      send()
      begun = performance.now()
    }
    send()
  }
  postMessage({ hasLoaded: true })
}
