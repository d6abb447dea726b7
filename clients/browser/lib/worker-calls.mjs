// Calls of functions in a worker. A message there is a list of calls {id, name, given}, and one back a list of {id, value} or
// {id, problem}: a message costs more than a call.

import { ADVICE } from './host.mjs'

/** The calls to one worker. Each is answered or fails, also when the worker does not load, stops, or is ended. */
export class WorkerCalls {
  #worker
  #waiting = new Map() // id -> {done, failed}
  #unsent = []
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
      this.#waiting.set(id, { done, failed })
      if (this.#unsent.push({ id, name, given }) === 1) queueMicrotask(() => this.#send())
    })
  }

  // Sends the calls that this task and its microtasks have made so far.
  #send() {
    const calls = this.#unsent
    this.#unsent = []
    try {
      if (!this.#problem) this.#worker.postMessage(calls)
    } catch (error) {
      for (const { id } of calls) this.#settle({ id, problem: error.message }) // it has what cannot be sent
    }
  }

  /** Ends the worker. All calls without an answer, and all later ones, fail with the sentence `problem`. */
  end(problem) {
    this.#problem ??= problem
    this.#worker.terminate()
    for (const { failed } of this.#waiting.values()) failed(new Error(this.#problem))
    this.#waiting.clear()
  }

  // A worker says {hasLoaded: true} first. Messages may arrive after the end.
  #receive(message, onNews) {
    if (this.#problem) return
    if (Array.isArray(message)) message.forEach((answer) => this.#settle(answer))
    else if (message.hasLoaded) this.#hasLoaded = true
    else onNews(message.news)
  }

  #settle({ id, value, problem }) {
    const { done, failed } = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (problem === undefined) done(value)
    else failed(new Error(problem))
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
