// Calls of a server's control API: docs/control-api.md.

'use strict'

const http = require('node:http')
const { ControlError, answerOf } = require('./control-answer.cjs')

/**
 * Makes one call: `control({ endpoint, token }, 'POST', 'clock', { advance: '2d' })`. Returns the answer: parsed if it is JSON,
 * otherwise its text. Throws a ControlError when the call is refused, an Error when no server answers.
 */
async function control({ endpoint, token }, method, path, body) {
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  return answerOf(method, path, await send(new URL(`/_hashrange/${path}`, endpoint), method, headers, body))
}

/** Resolves to {status, type, text}. */
async function send(url, method, headers, body) {
  try {
    return await exchange(url, method, headers, body)
  } catch (error) {
    // The server may close a kept connection at the moment at which it is used again.
    if (error.code === 'ECONNRESET' && error.isReused) return send(url, method, headers, body)
    throw new Error(`hashrange: ${url.origin} does not answer: ${error.message}`)
  }
}

// `fetch` is not used: tests replace it, and jsdom has its own.
function exchange(url, method, headers, body) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  // The length is set here because Node.js sends none for a DELETE: the server would take the body for the next request.
  const own = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  return new Promise((answered, failed) => {
    const request = http.request(url, { method, headers: { ...headers, ...own } }, (response) => {
      let answer = ''
      response.setEncoding('utf8')
      response.on('data', (part) => (answer += part))
      response.on('error', failed)
      response.on('end', () =>
        answered({ status: response.statusCode, type: response.headers['content-type'] ?? '', text: answer }))
    })
    request.on('error', (error) => failed(Object.assign(error, { isReused: request.reusedSocket })))
    request.end(text)
  })
}

module.exports = { ControlError, control }
