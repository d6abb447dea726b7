// A database in a worker of its own, as the page sees it.

import { compile, placeIn } from './host.mjs'
import { startWorker, WorkerCalls } from './worker-calls.mjs'

const SCRIPT = 'database-worker.mjs'

// Bundlers find the worker by this expression.
const start = (files) => files === undefined ? new Worker(new URL('../database-worker.mjs', import.meta.url), { type: 'module' })
  : new Worker(placeIn(files, SCRIPT), { type: 'module' })

/**
 * One database: the methods are those of ModuleDatabase (clients/js/lib/module.cjs), and return promises. Calls are done in their
 * order; each is answered, or fails.
 */
export class WorkerDatabase {
  #calls

  /** `settings` are the options of ModuleDatabase, and `files`: the folder of this package's files, where no bundler finds them. */
  static async open({ files, ...settings }) {
    const database = new WorkerDatabase()
    database.#calls = new WorkerCalls(startWorker(() => start(files)), SCRIPT)
    try {
      await database.#calls.ask('open', settings, await compile('hashrange.wasm', files))
    } catch (error) {
      database.#calls.end(error.message)
      throw error
    }
    return database
  }

  async call(operation, json, as) {
    return this.#calls.ask('call', operation, json, as)
  }

  async control(method, path, json) {
    return this.#calls.ask('control', method, path, json)
  }

  close() {
    this.#calls.end('hashrange: the database is closed.')
  }
}
