// The other end of worker-calls.mjs, inside the worker.

/** Answers the messages of the page by `functions`: name -> a function, which may return a promise. `handedOver(value)`: its buffers. */
export function answerBy(functions, handedOver = () => []) {
  const answer = (id, value) => postMessage({ id, value }, handedOver(value))
  const fail = (id, error) => postMessage({ id, problem: error?.message ?? String(error) })
  onmessage = ({ data: { id, name, given } }) => {
    try {
      const value = functions[name](...given)
      if (typeof value?.then === 'function') value.then((later) => answer(id, later), (error) => fail(id, error))
      else answer(id, value)
    } catch (error) {
      fail(id, error)
    }
  }
  postMessage({ hasLoaded: true })
}
