// A server of a database in this process: hashrange.wasm reads the requests and writes the answers; this file moves the bytes
// between the module and the sockets of node:net.

'use strict'

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
 *
 * @returns {Promise<{port: number, addresses: string[], endpoint: string, database: ModuleDatabase, close: () => Promise<void>}>}
 *   when the server listens. `addresses` are written as in a URL: '127.0.0.1', '[::1]'; `endpoint` is the URL of the first one.
 *   `database` is that of ./module.cjs, for calls without HTTP. `close` ends idle connections, gives the requests under way 800 ms
 *   and ends the connections that remain; the database stays open until `database.close()`.
 *   Rejects with an Error whose message is a sentence for the user when an address cannot be had ("port 8000 on 127.0.0.1 is taken by
 *   another program …"), and with what `prepare` throws.
 */
async function serveModule(options = {}) {
  throw new Error('hashrange: the module cannot serve yet.')
}

module.exports = { serveModule }
