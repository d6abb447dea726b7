// The answer to a call of the control API: docs/control-api.md.

'use strict'

/** The server refused a control call: `message` is its sentence, `status` the HTTP status. */
class ControlError extends Error {
  constructor(message, status) {
    super(message)
    this.name = 'ControlError'
    this.status = status
  }
}

/** Returns the answer: parsed if it is JSON, otherwise its text. Throws a ControlError when the call was refused. */
function answerOf(method, path, { status, type, text }) {
  const answer = type.startsWith('application/json') && text ? JSON.parse(text) : text
  if (status >= 300) throw new ControlError(`hashrange: ${method} ${path}: ${answer.error ?? (text || status)}`, status)
  return answer
}

module.exports = { ControlError, answerOf }
