// Calls of the control API: docs/control-api.md.

'use strict'

const http = require('node:http')

/** The server refused a control call: `message` is its sentence, `status` the HTTP status. */
class ControlError extends Error {
  constructor(message, status) {
    super(message)
    this.name = 'ControlError'
    this.status = status
  }
}

/**
 * One call, `control({ endpoint, token }, 'POST', 'clock', { advance: '2d' })`. Returns the answer: parsed where it is
 * JSON, else its text. Throws a ControlError when it is refused, an Error when nobody answers.
 */
async function control({ endpoint, token }, method, path, body) {
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  const { status, type, text } = await send(new URL(`/_hashrange/${path}`, endpoint), method, headers, body)
  const answer = type.startsWith('application/json') && text ? JSON.parse(text) : text
  if (status >= 300) throw new ControlError(`hashrange: ${method} ${path}: ${answer.error ?? (text || status)}`, status)
  return answer
}

/** Resolves to {status, type, text}. */
async function send(url, method, headers, body) {
  try {
    return await exchange(url, method, headers, body)
  } catch (error) {
    // The server may close a kept connection just when it is used again.
    if (error.code === 'ECONNRESET' && error.isReused) return send(url, method, headers, body)
    throw new Error(`hashrange: ${url.origin} does not answer: ${error.message}`)
  }
}

// Not `fetch`: tests replace it, and jsdom has its own.
function exchange(url, method, headers, body) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  // Said here, as Node.js says no length for a DELETE: its body would be taken for the next request.
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
