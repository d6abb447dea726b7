// The request handler with which AWS SDK clients (version 3) call a database inside this process, or in a worker of a browser. It
// answers with the status, the headers and the body of a server: docs/service/01-wire-protocol.md.

'use strict'

const { crc32, fillRandomly } = require('./host.cjs')

const { clearTimeout, setTimeout } = globalThis

const encoder = new TextEncoder()

const AMZ_JSON = 'application/x-amz-json-1.0'
const TOO_LARGE = encoder.encode(JSON.stringify({ __type: 'com.amazon.coral.service#RequestEntityTooLargeException',
  Message: 'A body may have 16 MiB; a seed of more is read from a path.' }))

/** `database` is a ModuleDatabase, or an object with such a method call() that returns a promise. */
class ModuleHandler {
  metadata = { handlerProtocol: 'http/1.1' }
  #database

  constructor(database) {
    this.#database = database
  }

  async handle(request, { abortSignal } = {}) {
    throwIfAborted(abortSignal)
    const body = await bytesOf(request.body)
    const headers = lowerCased(request.headers)
    const problem = refusedSignature(headers)
    const { status, body: answer, sendAfterMs } = problem ?? await unlessAborted(this.#call(headers, body), abortSignal)
    if (sendAfterMs > 0) await pause(sendAfterMs, abortSignal)
    if (status === 0) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    return { response: responseOf(status, headers, answer) }
  }

  async #call(headers, body) {
    const [service = '', operation = ''] = (headers['x-amz-target'] ?? '').split('.')
    const known = service.startsWith('DynamoDB') ? operation : ''
    const as = { ...credentialOf(headers.authorization), pattern: headers['x-hashrange-pattern'] }
    const answer = await this.#database.call(known, body, as)
    return answer.status === 413 ? { ...answer, body: TOO_LARGE } : answer
  }

  // The handler has no settings.
  updateHttpClientConfig() {}

  httpHandlerConfigs() {
    return {}
  }

  /** A client calls this when it is destroyed. The database stays: other clients may use it. */
  destroy() {}
}

function lowerCased(headers) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

async function bytesOf(body) {
  if (body === undefined || body === null) return ''
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return body
  const parts = []
  for await (const part of body) parts.push(typeof part === 'string' ? encoder.encode(part) : part)
  const bytes = new Uint8Array(parts.reduce((size, { length }) => size + length, 0))
  parts.reduce((at, part) => (bytes.set(part, at), at + part.length), 0)
  return bytes
}

// "AWS4-HMAC-SHA256 Credential=KEY/DATE/REGION/dynamodb/aws4_request, SignedHeaders=…, Signature=…"
function credentialOf(authorization) {
  const [accessKey = '', , region = ''] = (/Credential=([^,\s]*)/.exec(authorization)?.[1] ?? '').split('/')
  return { accessKey, region: /^[a-z0-9-]{1,32}$/.test(region) ? region : 'us-east-1' }
}

/** Returns the answer to a request whose header is not that of a signed one (section 3); undefined when it is. */
function refusedSignature({ authorization, 'x-amz-date': amzDate, date }) {
  if (!authorization?.startsWith('AWS4-')) {
    return refusal('MissingAuthenticationTokenException', 'Request is missing Authentication Token')
  }
  const missing = ['Credential', 'Signature', 'SignedHeaders'].filter((name) => !new RegExp(`[\\s,]${name}=`).test(authorization))
    .map((name) => `Authorization header requires '${name}' parameter. `)
  if (!amzDate && !date) missing.push("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ")
  if (missing.length === 0) return undefined
  return refusal('IncompleteSignatureException', `${missing.join('')}Authorization=${authorization}`)
}

function refusal(name, message) {
  const body = JSON.stringify({ __type: `com.amazon.coral.service#${name}`, message })
  return { status: 400, body: encoder.encode(body), sendAfterMs: 0 }
}

// The shape of an HttpResponse of the SDK.
function responseOf(statusCode, request, body) {
  const type = request['content-type']?.startsWith('application/json') ? 'application/json' : AMZ_JSON
  return {
    statusCode,
    headers: {
      server: 'Server',
      date: new Date().toUTCString(),
      'content-type': type,
      'content-length': String(body.length),
      'x-amzn-requestid': requestId(),
      'x-amz-crc32': String(crc32(body)),
    },
    body,
  }
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUV'
const pool = new Uint8Array(52 * 256)
let used = pool.length

function requestId() {
  if (used === pool.length) {
    fillRandomly(pool)
    used = 0
  }
  let id = ''
  for (const end = used + 52; used < end; ++used) id += ALPHABET[pool[used] & 31]
  return id
}

const pause = (ms, signal) => {
  let timer
  return unlessAborted(new Promise((done) => (timer = setTimeout(done, ms))), signal).finally(() => clearTimeout(timer))
}

// Settles as `promise` does, or rejects when the signal aborts before.
function unlessAborted(promise, signal) {
  if (!signal?.addEventListener) return promise
  return new Promise((done, failed) => {
    const end = () => failed(abortError())
    signal.addEventListener('abort', end, { once: true })
    promise.then(done, failed).finally(() => signal.removeEventListener('abort', end))
  })
}

function throwIfAborted(signal) {
  if (signal?.aborted) throw abortError()
}

const abortError = () => Object.assign(new Error('Request aborted'), { name: 'AbortError' })

module.exports = { ModuleHandler }
