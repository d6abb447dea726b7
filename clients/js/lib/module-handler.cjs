// The request handler with which AWS SDK clients (version 3) call a database inside this process. It answers with the status, the
// headers and the body of a server: docs/service/01-wire-protocol.md.

'use strict'

const { randomFillSync } = require('node:crypto')
const zlib = require('node:zlib')

const { clearTimeout, setTimeout } = globalThis

const AMZ_JSON = 'application/x-amz-json-1.0'
const TOO_LARGE = JSON.stringify({ __type: 'com.amazon.coral.service#RequestEntityTooLargeException',
  Message: 'A body may have 16 MiB; a seed of more is read from a path.' })

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
    const { status, body: answer, sendAfterMs } = problem ?? this.#call(headers, body)
    if (sendAfterMs > 0) await pause(sendAfterMs, abortSignal)
    if (status === 0) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    return { response: responseOf(status, headers, answer) }
  }

  #call(headers, body) {
    const [service = '', operation = ''] = (headers['x-amz-target'] ?? '').split('.')
    const known = service.startsWith('DynamoDB') ? operation : ''
    const as = { ...credentialOf(headers.authorization), pattern: headers['x-hashrange-pattern'] }
    const answer = this.#database.call(known, body, as)
    return answer.status === 413 ? { ...answer, body: Buffer.from(TOO_LARGE) } : answer
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
  for await (const part of body) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
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
  return { status: 400, body: Buffer.from(body), sendAfterMs: 0 }
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
const pool = Buffer.alloc(52 * 256)
let used = pool.length

function requestId() {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let id = ''
  for (const end = used + 52; used < end; ++used) id += ALPHABET[pool[used] & 31]
  return id
}

// Node.js has zlib.crc32 since 20.15.
const crc32 = zlib.crc32 ?? ((bytes) => {
  let rest = 0xffffffff
  for (const byte of bytes) {
    rest ^= byte
    for (let bit = 0; bit < 8; ++bit) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0)
  }
  return ~rest >>> 0
})

// Resolves after `ms`, or rejects when the signal aborts.
function pause(ms, signal) {
  return new Promise((done, failed) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener?.('abort', end)
      done()
    }, ms)
    const end = () => {
      clearTimeout(timer)
      failed(abortError())
    }
    signal?.addEventListener?.('abort', end, { once: true })
  })
}

function throwIfAborted(signal) {
  if (signal?.aborted) throw abortError()
}

const abortError = () => Object.assign(new Error('Request aborted'), { name: 'AbortError' })

module.exports = { ModuleHandler }
