// Calls of functions in a worker: messages {id, name, given} there, and {id, value} or {id, problem} back.

import { ADVICE } from './host.mjs'

/** The calls to one worker. Each is answered or fails, also when the worker does not load, stops, or is ended. */
export class WorkerCalls {
  #worker
  #waiting = new Map() // id -> {done, failed}
  #lastId = 0
  #problem // why no call can be made
  #hasLoaded = false

  /** `script` names the worker's file in sentences. `onNews(news)` gets what the worker says besides answers. */
  constructor(worker, script, onNews = () => {}) {
    this.#worker = worker
    worker.onmessage = ({ data }) => this.#receive(data, onNews)
    worker.onmessageerror = () => this.end(`hashrange: an answer of ${script} cannot be read.`)
    worker.onerror = (event) => {
      event.preventDefault()
      this.end(this.#hasLoaded ? `hashrange: ${script} has stopped: ${event.message}`
        : `hashrange: ${script} did not load${event.message ? `: ${event.message}` : ''}. ${ADVICE}`)
    }
  }

  /** Calls a function of the worker. Resolves to what it returns. */
  ask(name, ...given) {
    return new Promise((done, failed) => {
      if (this.#problem) throw new Error(this.#problem)
      const id = ++this.#lastId
      this.#worker.postMessage({ id, name, given })
      this.#waiting.set(id, { done, failed })
    })
  }

  /** Ends the worker. All calls without an answer, and all later ones, fail with the sentence `problem`. */
  end(problem) {
    this.#problem ??= problem
    this.#worker.terminate()
    for (const { failed } of this.#waiting.values()) failed(new Error(this.#problem))
    this.#waiting.clear()
  }

  // A worker says {hasLoaded: true} first.
  #receive({ hasLoaded, id, value, problem, news }, onNews) {
    if (hasLoaded) this.#hasLoaded = true
    else if (id === undefined) onNews(news)
    else {
      const { done, failed } = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (problem === undefined) done(value)
      else failed(new Error(problem))
    }
  }
}

/** Starts a worker by `start`. Throws a sentence when there are no workers, or the page's policy forbids this one. */
export function startWorker(start) {
  if (typeof Worker === 'undefined') {
    throw new Error('hashrange: there are no workers here. In Node.js, openDatabase() of @hashrange/testing/module needs none.')
  }
  try {
    return start()
  } catch (error) {
    throw new Error(`hashrange: the worker cannot be started: ${error.message}`, { cause: error })
  }
}
