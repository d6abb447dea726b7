// Names the access pattern of calls, for measurements: a header of the requests that a client sends.

'use strict'

const { AsyncLocalStorage } = require('node:async_hooks')
const { given, refusal, text } = require('./arguments.cjs')

const FORM = "pattern('orders of a customer', client, () => ordersOf('ada'))"
const HEADER = 'x-hashrange-pattern'

// The name of the pattern for the code that runs. It is stored on `process`, because a runner may load this module twice.
const KEY = Symbol.for('hashrange.pattern')
const running = () => (process[KEY] ??= new AsyncLocalStorage())

/**
 * Runs `work`, and returns what it returns. The calls that `client` makes within it have the name, also when other work
 * with other names runs at the same time. `client` is an AWS SDK client (version 3).
 */
async function pattern(...values) {
  const [name, client, work] = given(values, 3, FORM)
  if (typeof client?.middlewareStack?.add !== 'function') throw refusal(FORM, client)
  if (typeof work !== 'function') throw refusal(FORM, work)
  // A header is sent as Latin-1: each of its characters is one byte of the UTF-8 text.
  const value = Buffer.from(text(name, FORM)).toString('latin1')
  client.middlewareStack.add(addHeader, { name: 'hashrangePattern', step: 'finalizeRequest', priority: 'low', override: true })
  delete client.handlers // with `cacheMiddleware: true`, the client would go on without the new step
  return running().run(value, async () => work())
}

const addHeader = (next) => (call) => {
  const name = running().getStore()
  if (name !== undefined) call.request.headers[HEADER] = name
  return next(call)
}

module.exports = { pattern }
