// A server of a database in this process, over raw sockets. These tests need hashrange.wasm: scripts/build wasm, then HASHRANGE_MODULE
// names it. conformance/run --module tests what the server answers.

import { once } from 'node:events'
import net from 'node:net'
import { createRequire } from 'node:module'
import { expect, describe, onTestFinished, test, vi } from 'vitest'

const { serveModule } = createRequire(import.meta.url)('../../lib/module-server.cjs')

async function serve(options) {
  const server = await serveModule({ port: 0, ...options })
  onTestFinished(async () => {
    await server.close()
    server.database.close()
  })
  return server
}

/** A connection that sends bytes, and reads until it has what it wants. */
class Client {
  #text = ''
  #ended = false
  #wake = () => {}

  constructor(socket) {
    this.socket = socket
    socket.on('data', (bytes) => {
      this.#text += bytes.toString('latin1')
      this.#wake()
    })
    socket.on('error', () => {})
    for (const end of ['end', 'close']) {
      socket.on(end, () => {
        this.#ended = true
        this.#wake()
      })
    }
  }

  static async connect({ port }, host = '127.0.0.1') {
    const socket = net.connect({ port, host, allowHalfOpen: true })
    await once(socket, 'connect')
    onTestFinished(() => socket.destroy())
    return new Client(socket)
  }

  send(text) {
    this.socket.write(text)
    return this
  }

  async #until(isDone) {
    while (!isDone() && !this.#ended) await new Promise((wake) => (this.#wake = wake))
  }

  /** Returns the status and the body of the next answer; undefined at the end of the connection. */
  async answer() {
    await this.#until(() => this.#text.includes('\r\n\r\n'))
    const [head, status, length] = /^HTTP\/1\.1 (\d+).*?Content-Length: (\d+).*?\r\n\r\n/s.exec(this.#text) ?? []
    if (!status) return undefined
    const end = head.length + Number(length)
    await this.#until(() => this.#text.length >= end)
    const body = this.#text.slice(head.length, end)
    this.#text = this.#text.slice(end)
    return { status: Number(status), body }
  }

  /** Returns what has arrived when the connection has ended. */
  async end() {
    await this.#until(() => false)
    return this.#text
  }
}

const post = (path, body, fields) => [`POST ${path} HTTP/1.1`, 'Host: localhost', ...fields, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n')
const control = (path, body, ...fields) => post(`/_hashrange/${path}`, JSON.stringify(body), fields)
const call = (operation, input, ...fields) => post('/', JSON.stringify(input), ['Content-Type: application/x-amz-json-1.0',
  `X-Amz-Target: DynamoDB_20120810.${operation}`, 'X-Amz-Date: 20260101T000000Z',
  'Authorization: AWS4-HMAC-SHA256 Credential=111122223333/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0', ...fields])
const listTables = call('ListTables', {})
const noTables = { status: 200, body: '{"TableNames":[]}' }

const TABLE = { TableName: 'app', BillingMode: 'PAY_PER_REQUEST', KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }] }
const TEXT = 'x'.repeat(400_000)

/** Puts items of 400 kB. Returns a call whose answer has all of them. */
async function fill(server, count) {
  const client = await Client.connect(server)
  await client.send(call('CreateTable', TABLE)).answer()
  const keys = Array.from({ length: count }, (_, n) => ({ pk: { S: String(n) } }))
  for (const key of keys) {
    expect(await client.send(call('PutItem', { TableName: 'app', Item: { ...key, text: { S: TEXT } } })).answer()).toEqual({ status: 200, body: '{}' })
  }
  return call('BatchGetItem', { RequestItems: { app: { Keys: keys } } })
}

describe.skipIf(!process.env.HASHRANGE_MODULE)('a server of the module', () => {
  test('listens on one port of both loopback addresses', async () => {
    const server = await serve()
    expect(server).toMatchObject({ addresses: ['127.0.0.1', '[::1]'], endpoint: `http://127.0.0.1:${server.port}` })
    for (const host of ['127.0.0.1', '::1']) {
      const client = await Client.connect(server, host)
      expect(await client.send(listTables).answer()).toEqual(noTables)
    }
  })

  test('says that a port is taken, and that a host does not exist', async () => {
    const { port } = await serve()
    await expect(serveModule({ port })).rejects.toThrow(`port ${port} on 127.0.0.1 is taken by another program (choose one with --port)`)
    const prepare = vi.fn()
    await expect(serveModule({ port, prepare })).rejects.toThrow(`port ${port} on 127.0.0.1 is taken by another program (choose one with --port)`)
    expect(prepare).not.toHaveBeenCalled()
    await expect(serveModule({ port: 0, host: 'nobody.invalid' })).rejects.toThrow(/^cannot resolve host nobody\.invalid: /)
  })

  test('loads tables before it listens', async () => {
    const prepare = (database) => database.call('CreateTable', JSON.stringify(TABLE), { accessKey: '111122223333', region: 'us-east-1' })
    const client = await Client.connect(await serve({ prepare }))
    expect(await client.send(listTables).answer()).toEqual({ status: 200, body: '{"TableNames":["app"]}' })
    await expect(serveModule({ port: 0, prepare: () => Promise.reject(new Error('no tables')) })).rejects.toThrow('no tables')
  })

  test('answers a pipeline in order, also around a late answer', async () => {
    const client = await Client.connect(await serve())
    const rules = [{ match: { operation: 'ListTables', skip: 1, times: 1 }, do: { latency: '50ms' } }]
    client.send(control('faults', { rules }) + listTables + listTables + call('DescribeLimits', {}) + listTables)
    expect((await client.answer()).status).toBe(200)
    expect(await client.answer()).toEqual(noTables)
    expect(await client.answer()).toEqual(noTables)
    expect((await client.answer()).body).toContain('AccountMaxReadCapacityUnits')
    expect(await client.answer()).toEqual(noTables)
  })

  test('ends a connection without an answer', async () => {
    const client = await Client.connect(await serve())
    client.send(control('faults', { rules: [{ match: { operation: 'ListTables' }, do: { drop: 'before' } }] }))
    expect((await client.answer()).status).toBe(200)
    expect(await client.send(listTables).end()).toBe('')
  })

  test('takes a request of any pieces', async () => {
    const client = await Client.connect(await serve())
    for (const byte of listTables.slice(0, 30)) {
      client.send(byte)
      await new Promise(setImmediate)
    }
    expect(await client.send(listTables.slice(30)).answer()).toEqual(noTables)
    client.send(call('CreateTable', TABLE))
    expect((await client.answer()).status).toBe(200)
    client.send(call('PutItem', { TableName: 'app', Item: { pk: { S: 'a' }, text: { S: 'x'.repeat(300_000) } } }) + listTables)
    expect(await client.answer()).toEqual({ status: 200, body: '{}' })
    expect(await client.answer()).toEqual({ status: 200, body: '{"TableNames":["app"]}' })
  })

  test('answers a client that has ended its side, and closes', async () => {
    const client = await Client.connect(await serve())
    client.socket.end(listTables)
    expect(await client.answer()).toEqual(noTables)
    expect(await client.end()).toBe('')
  })

  test('sends large answers whole, as fast as the client reads', async () => {
    const server = await serve()
    const getAll = await fill(server, 20)
    const client = await Client.connect(server)
    client.send(getAll + getAll)
    client.socket.pause()
    const other = await Client.connect(server)
    for (let n = 0; n < 5; ++n) expect((await other.send(listTables).answer()).status).toBe(200)
    client.send(listTables) // arrives while the answers wait
    expect((await other.send(listTables).answer()).status).toBe(200)
    client.socket.resume()
    for (let n = 0; n < 2; ++n) {
      const { status, body } = await client.answer()
      expect([status, JSON.parse(body).Responses.app.length]).toEqual([200, 20])
    }
    expect(await client.answer()).toEqual({ status: 200, body: '{"TableNames":["app"]}' })
  })

  test('answers what arrives while a short answer waits for the client', async () => {
    const server = await serve()
    const client = await Client.connect(server)
    await client.send(call('CreateTable', TABLE)).answer()
    await client.send(call('PutItem', { TableName: 'app', Item: { pk: { S: 'a' }, text: { S: TEXT.slice(0, 20_000) } } })).answer()
    client.socket.pause()
    const count = 500 // more than the system keeps for a client
    for (let n = 0; n < count; ++n) {
      client.send(call('GetItem', { TableName: 'app', Key: { pk: { S: 'a' } } }))
      await new Promise((done) => setTimeout(done, 1)) // so that the requests come one by one
    }
    client.socket.resume()
    for (let n = 0; n < count; ++n) expect((await client.answer()).body.length).toBeGreaterThan(20_000)
  })

  test('refuses what is no HTTP, and lets the client read that', async () => {
    const client = await Client.connect(await serve())
    client.send(`${listTables}\u0001 nonsense\r\n\r\n${'x'.repeat(1_000_000)}`)
    expect(await client.answer()).toEqual(noTables)
    expect((await client.answer()).status).toBe(400)
    client.socket.end()
    expect(await client.end()).toBe('')
  })

  test('gives the place of an idle connection to a new one', async () => {
    const server = await serve({ maxConnections: 1 })
    const first = await Client.connect(server)
    expect(await first.send(listTables).answer()).toEqual(noTables)
    const second = await Client.connect(server)
    expect(await second.send(listTables).answer()).toEqual(noTables)
    expect(await first.end()).toBe('')
  })

  test('checks the token, the origin and the host', async () => {
    const server = await serve({ controlToken: 'a token of some length', cors: ['https://app.example'], allowedHosts: ['db.example'] })
    const client = await Client.connect(server)
    const statusOf = async (text) => (await client.send(text).answer()).status
    expect(await statusOf(control('reset', {}))).toBe(401)
    expect(await statusOf(control('reset', {}, 'Authorization: Bearer a token of some length'))).toBe(200)
    const get = (host, ...fields) => ['GET / HTTP/1.1', `Host: ${host}`, ...fields, '', ''].join('\r\n')
    expect(await statusOf(get('localhost', 'Origin: https://app.example'))).toBe(200)
    expect(await statusOf(get('localhost', 'Origin: https://evil.example'))).toBe(403)
    expect(await statusOf(get('db.example'))).toBe(200)
    expect(await statusOf(get('evil.example'))).toBe(403)
  })

  test('close answers what is under way, and ends what is idle', async () => {
    const server = await serve()
    const [idle, busy, held] = await Promise.all([1, 2, 3].map(() => Client.connect(server)))
    await held.send(control('faults', { rules: [{ match: { operation: 'ListTables', times: 1 }, do: { latency: '200ms' } }] })).answer()
    held.send(listTables)
    await busy.send(call('DescribeLimits', {})).answer()
    busy.send(listTables.slice(0, 50))
    await new Promise((done) => setTimeout(done, 50))
    const closed = server.close()
    expect(await idle.end()).toBe('')
    busy.send(listTables.slice(50))
    expect(await busy.answer()).toEqual(noTables)
    expect(await held.answer()).toEqual(noTables)
    await closed
    expect(await busy.end()).toBe('')
    await expect(Client.connect(server)).rejects.toThrow('ECONNREFUSED')
    expect(server.database.isClosed).toBe(false)
  })

  test('a module that stops ends the connections, and says why', async () => {
    let failed
    const failure = new Promise((told) => (failed = told))
    const server = await serve({ onFailure: failed })
    const client = await Client.connect(server)
    expect(await client.send(listTables).answer()).toEqual(noTables)
    server.database.close()
    client.send(listTables)
    expect((await failure).message).toBe('hashrange: the database is closed.')
    expect(await client.end()).toBe('')
    await expect(Client.connect(server)).rejects.toThrow('ECONNREFUSED')
  })
})
