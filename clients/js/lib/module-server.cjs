// A server of a database in this process: hashrange.wasm reads the requests and writes the answers (src/module/serving.cc); this
// file moves the bytes between the module and the sockets of node:net, and has the timers.

'use strict'

const { lookup } = require('node:dns/promises')
const { once } = require('node:events')
const net = require('node:net')
const { networkInterfaces } = require('node:os')
const { ModuleDatabase } = require('./module.cjs')

const { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = globalThis

const PORT = 8000
const REQUEST_MEMORY = 256 * 2 ** 20
const GRACE_MS = 800 // for requests under way when the server is closed
const BACKLOG = 4096
const FREE_PORT_TRIES = 16 // with port 0: of the first address, on the others
// A long answer is sent in pieces, so that the module learns that its client reads: a client for which the system takes no
// piece for 10 s is disconnected. (The program counts what a client acknowledges, so a slower one may stay.)
const PIECE_BYTES = 256 * 1024

// What the module wants next of a connection: HostedServer::Next (src/server/hosted/hosted_server.h).
const READ = 0
const SERVE = 1
const HOLD = 2
const LINGER = 3

const encoder = new TextEncoder()

/**
 * Opens a database and serves it over HTTP. Each option is optional.
 *
 * What the server does: the members of Server::Options (include/hashrange/server.h).
 * @param {object} [options]
 * @param {number} [options.port=8000] 0: a free one
 * @param {string} [options.host] a name or an address; without it: 127.0.0.1 and, where there is IPv6, ::1
 * @param {string} [options.controlToken] the control API answers only callers that send this token, but from any machine
 * @param {string[]} [options.cors] origins whose pages may call, besides those of this machine; '*': all
 * @param {string[]} [options.allowedHosts] names that clients may send as Host, besides those of this machine
 * @param {boolean} [options.answersRootWith400=false] as `--like dynamodb-local`
 * @param {number} [options.requestMemoryBytes=268435456] for the bodies of unfinished requests and unsent answers, at least 32 MiB
 * @param {number} [options.maxConnections=0] at a time; 0: 10,000
 *
 * What the database does: the members of Database::Options (include/hashrange/database.h).
 * @param {boolean} [options.sharedTables=false]
 * @param {boolean} [options.tablesOfEachKey=false]
 * @param {number} [options.transitionMs=0]
 * @param {number} [options.indexTransitionMs=0]
 * @param {number} [options.streamShards=1]
 * @param {number} [options.streamBufferBytes=268435456]
 * @param {number} [options.ttlIntervalMs=1000]
 * @param {number} [options.maxMemoryBytes=0]
 * @param {boolean} [options.metrics=false]
 *
 * @param {(database: ModuleDatabase) => unknown} [options.prepare] is called, and awaited, before the server listens: loads tables
 * @param {(error: Error) => void} [options.onFailure] is called when the module has stopped at an error of its own: the connections
 *   are closed, and nothing listens any more. Without it, the error is thrown as an uncaught exception.
 *
 * @returns {Promise<{port: number, addresses: string[], endpoint: string, database: ModuleDatabase, close: () => Promise<void>}>}
 *   when the server listens. `addresses` are written as in a URL: '127.0.0.1', '[::1]'; `endpoint` is the URL of the first one.
 *   `database` is that of ./module.cjs, for calls without HTTP. `close` ends idle connections, gives the requests under way 800 ms
 *   and ends the connections that remain; the database stays open until `database.close()`.
 *   Rejects with an Error whose message is a sentence for the user when an address cannot be had ("port 8000 on 127.0.0.1 is taken by
 *   another program …"), and with what `prepare` throws.
 */
async function serveModule(options = {}) {
  const { port = PORT, host = '', prepare } = options
  const addresses = await resolveHost(host)
  if (prepare) await checkPort(addresses, port) // a long load is not begun for a port that is taken
  const database = await ModuleDatabase.open(options)
  try {
    const server = new ModuleServer(database, options)
    await prepare?.(database)
    await server.listen(addresses, port)
    return server.asResult()
  } catch (error) {
    database.close()
    throw error
  }
}

class ModuleServer {
  #database
  #onFailure
  #listening = [] // the net.Servers
  #connections = new Map() // handle -> ServedConnection
  #ticking
  #tickMs
  #memory = Buffer.alloc(0) // the module's memory, until it grows

  constructor(database, options) {
    const { controlToken = '', cors = [], allowedHosts = [], answersRootWith400 = false } = options
    const { requestMemoryBytes = REQUEST_MEMORY, maxConnections = 0, onFailure = throwLater } = options
    this.#database = database
    this.#onFailure = onFailure
    database.run((module) => {
      const sizes = this.#write(module, [controlToken, cors.join('\n'), allowedHosts.join('\n')])
      if (!sizes || !module.hashrange_serve(...sizes, answersRootWith400, requestMemoryBytes, maxConnections)) {
        throw new Error('there is not enough memory for a server')
      }
      this.#tickMs = module.hashrange_tick_ms()
    })
  }

  async listen(addresses, port) {
    for (let tries = port === 0 ? FREE_PORT_TRIES : 1; ; --tries) {
      try {
        await this.#listenAtAll(addresses, port)
        break
      } catch ({ error, address, port: taken }) {
        await this.#stopListening()
        if (error.code !== 'EADDRINUSE' || tries === 1) throw new Error(sentenceOf(error, address, taken))
      }
    }
    const isLoopbackOnly = this.#listening.every((server) => isLoopback(server.address().address))
    const endpoints = this.#addresses().map((address) => `http://${address}:${this.#port()}`).join(', ')
    this.#database.run((module) => {
      const sizes = this.#write(module, [endpoints])
      if (!sizes || !module.hashrange_listens(this.#port(), isLoopbackOnly)) throw new Error('there is not enough memory for a server')
    })
  }

  asResult() {
    const addresses = this.#addresses()
    const port = this.#port()
    return { port, addresses, endpoint: `http://${addresses[0]}:${port}`, database: this.#database, close: () => this.#close() }
  }

  // An address that this machine does not have is skipped, unless it is the only one.
  async #listenAtAll(addresses, port) {
    for (const address of addresses) {
      const server = net.createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (socket) => this.#connect(socket))
      try {
        server.listen({ host: address, port, backlog: BACKLOG, exclusive: true })
        await once(server, 'listening')
        this.#listening.push(server)
        port = server.address().port
      } catch (error) {
        const mayBeSkipped = addresses.length > 1 && this.#listening.length > 0
        if (mayBeSkipped && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code)) continue
        throw { error, address, port }
      }
      server.on('error', () => {}) // of accept: the process has no descriptor left
    }
  }

  #stopListening() {
    const servers = this.#listening
    this.#listening = []
    return Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))))
  }

  #port() {
    return this.#listening[0].address().port
  }

  // Clients cannot use the address that means all addresses in a URL: it stands for those of this machine.
  #addresses() {
    const own = Object.values(networkInterfaces()).flat()
    const found = this.#listening.flatMap((server) => {
      const { address } = server.address()
      if (address === '0.0.0.0') return ['127.0.0.1', ...own.filter(({ family }) => isFamily(family, 4)).map((each) => each.address)]
      if (address === '::') return ['::1', '127.0.0.1', ...own.filter(({ scopeid }) => !scopeid).map((each) => each.address)]
      return [address]
    })
    return [...new Set(found)].map((address) => (net.isIPv6(address) ? `[${address}]` : address))
  }

  // Calls `work` with the functions of the module. Returns undefined when the module has stopped, now or before.
  run(work) {
    try {
      return this.#database.run(work)
    } catch (error) {
      this.#fail(error)
      return undefined
    }
  }

  #fail(error) {
    if (!this.#onFailure) return
    const tell = this.#onFailure
    this.#onFailure = undefined
    this.#stopListening()
    for (const connection of this.#connections.values()) connection.destroy()
    tell(error)
  }

  // The module's memory: another Buffer after it has grown.
  memoryOf(module) {
    if (this.#memory.buffer !== module.memory.buffer) this.#memory = Buffer.from(module.memory.buffer)
    return this.#memory
  }

  // Writes texts into the input. Returns their sizes; undefined: there is no memory for them.
  #write(module, texts) {
    const parts = texts.map((text) => encoder.encode(text))
    let at = module.hashrange_input(parts.reduce((sum, { length }) => sum + length, 0))
    if (at === 0) return undefined
    for (const part of parts) {
      this.memoryOf(module).set(part, at)
      at += part.length
    }
    return parts.map(({ length }) => length)
  }

  // When all places are taken, it is first seen which of the other connections have sent something: the one that gives its place
  // is idle.
  #connect(socket) {
    if (!this.run((module) => module.hashrange_is_full())) return this.#place(socket)
    setImmediate(() => setImmediate(() => this.#place(socket)))
  }

  #place(socket) {
    const handle = this.run((module) => {
      const opened = module.hashrange_connect(isLoopback(socket.remoteAddress ?? ''))
      this.#connections.get(module.hashrange_displaced())?.destroy()
      return opened
    })
    if (!handle) return socket.destroy()
    this.#connections.set(handle, new ServedConnection(this, socket, handle))
    this.#ticking ??= setInterval(() => this.#tick(), this.#tickMs)
  }

  /** A connection has ended. */
  forget(handle) {
    this.#connections.delete(handle)
    this.run((module) => module.hashrange_disconnect(handle))
    if (this.#connections.size > 0) return
    clearInterval(this.#ticking)
    this.#ticking = undefined
  }

  #tick() {
    this.#destroyAll((module) => module.hashrange_tick())
  }

  #destroyAll(find) {
    const handles = this.run((module) => {
      const count = find(module)
      return count === 0 ? [] : Array.from(new Uint32Array(module.memory.buffer, module.hashrange_to_close(), count))
    })
    for (const handle of handles ?? []) this.#connections.get(handle)?.destroy()
  }

  async #close() {
    const stopped = this.#stopListening() // ends with the last connection
    if (this.#connections.size > 0) this.#destroyAll((module) => module.hashrange_drain())
    const over = setTimeout(() => {
      for (const connection of this.#connections.values()) connection.destroy()
    }, GRACE_MS)
    await stopped
    clearTimeout(over)
    this.#onFailure = undefined
  }
}

// One socket. While an answer waits or is being sent, the module gets no bytes: what has arrived by then is kept, and no more
// is read.
class ServedConnection {
  #server
  #socket
  #handle
  #arrived // the bytes that the module has not got
  #isWaiting = false // for the client to take an answer, for the time of an answer, or for its turn
  #isLingering = false
  #hasEnded = false // the client sends nothing more
  #isClosed = false
  #timer

  constructor(server, socket, handle) {
    this.#server = server
    this.#socket = socket
    this.#handle = handle
    socket.on('data', (bytes) => this.#receive(bytes))
    socket.on('end', () => this.#end())
    socket.on('error', () => {}) // 'close' follows
    socket.on('close', () => {
      this.#isClosed = true
      clearTimeout(this.#timer)
      server.forget(handle)
    })
  }

  destroy() {
    this.#isClosed = true
    this.#socket.destroy()
  }

  #receive(bytes) {
    if (this.#isLingering || this.#isClosed) return
    this.#arrived = this.#arrived ? Buffer.concat([this.#arrived, bytes]) : bytes
    if (this.#isWaiting) this.#socket.pause()
    else this.#serveArrived()
  }

  #end() {
    this.#hasEnded = true
    if (this.#isLingering || !this.#isWaiting) return this.#socket.destroySoon()
    this.#server.run((module) => module.hashrange_peer_has_ended(this.#handle))
  }

  #serveArrived() {
    while (this.#arrived && !this.#isWaiting && !this.#isClosed) {
      this.#step((module) => {
        const bytes = this.#arrived
        const room = module.hashrange_find_room(this.#handle)
        const count = Math.min(room, bytes.length)
        if (count > 0) bytes.copy(this.#server.memoryOf(module), module.hashrange_room(), 0, count)
        this.#arrived = count < bytes.length ? bytes.subarray(count) : undefined
        return module.hashrange_receive(this.#handle, count)
      })
    }
  }

  // Makes a step of the module, sends its output, and then does what comes next.
  #step(work) {
    let output
    const next = this.#server.run((module) => {
      const asked = work(module)
      const size = module.hashrange_output_bytes()
      if (size > 0) {
        const at = module.hashrange_output()
        output = Buffer.allocUnsafe(size)
        this.#server.memoryOf(module).copy(output, 0, at, at + size)
      }
      return asked
    })
    if (this.#isClosed) return
    if (!output) return this.#proceed(next)
    if (output.length <= PIECE_BYTES && this.#socket.write(output)) return this.#proceed(next)
    this.#isWaiting = true
    this.#send(output, output.length <= PIECE_BYTES ? output.length : 0)
  }

  // Sends an output from `begin` on, a piece each time that the socket has taken the one before.
  #send(output, begin) {
    const end = Math.min(begin + PIECE_BYTES, output.length)
    const isFull = begin === output.length || !this.#socket.write(output.subarray(begin, end))
    if (!isFull) {
      return end < output.length ? this.#send(output, end) : this.#sent()
    }
    this.#server.run((module) => module.hashrange_count_unsent(this.#handle, output.length - begin))
    this.#socket.once('drain', () => {
      if (this.#isClosed) return
      if (end < output.length) this.#send(output, end)
      else this.#sent()
    })
  }

  #sent() {
    this.#later((module) => module.hashrange_sent(this.#handle))
  }

  #proceed(next) {
    this.#isWaiting = next === SERVE || next === HOLD
    switch (next) {
      case READ:
        return this.#read()
      case SERVE:
        setImmediate(() => this.#later((module) => module.hashrange_serve_rest(this.#handle)))
        return
      case HOLD: {
        const holdMs = this.#server.run((module) => module.hashrange_hold_ms(this.#handle))
        this.#timer = setTimeout(() => this.#later((module) => module.hashrange_send_held(this.#handle)), holdMs)
        return
      }
      case LINGER:
        this.#isLingering = true
        this.#arrived = undefined
        this.#socket.end()
        this.#socket.resume()
        return
      default:
        this.#socket.destroySoon() // when the output is sent
    }
  }

  #later(work) {
    if (this.#isClosed) return
    this.#step(work)
    this.#serveArrived()
  }

  #read() {
    if (this.#arrived) return
    if (this.#hasEnded) this.#socket.destroySoon()
    else if (this.#socket.isPaused()) this.#socket.resume()
  }
}

const throwLater = (error) => setImmediate(() => {
  throw error
})

const isFamily = (family, number) => family === number || family === `IPv${number}` // a number in some versions of Node.js 18

const isLoopback = (address) => /^(127\.|::ffff:127\.|::1$)/.test(address)

/** Returns the addresses of a host, each once. localhost and the names below it are 127.0.0.1 and ::1. */
async function resolveHost(host) {
  const name = host.replace(/\.$/, '').toLowerCase()
  if (net.isIP(host)) return [host]
  if (name === '' || name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1']
  try {
    return [...new Set((await lookup(host, { all: true })).map(({ address }) => address))]
  } catch (error) {
    throw new Error(`cannot resolve host ${host}: ${error.message}`)
  }
}

// Throws when an address cannot be had now.
async function checkPort(addresses, port) {
  for (const address of addresses) {
    const server = net.createServer((socket) => socket.destroy())
    try {
      server.listen({ host: address, port, exclusive: true })
      await once(server, 'listening')
      await new Promise((closed) => server.close(closed))
    } catch (error) {
      if (error.code === 'EADDRINUSE') throw new Error(sentenceOf(error, address, port))
    }
  }
}

function sentenceOf(error, address, port) {
  const shown = net.isIPv6(address) ? `[${address}]` : address
  if (error.code === 'EADDRINUSE') return `port ${port} on ${shown} is taken by another program (choose one with --port)`
  return `cannot listen on ${shown} port ${port}: ${error.message}`
}

module.exports = { serveModule }
