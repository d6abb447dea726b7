// A Hashrange server for a story, and the page of this folder's dist in front of it.
//
// The program is HASHRANGE_PROGRAM, or build/release/hashrange of the repository. Without a program of
// its own, a story uses the server at CONSOLE_SERVER ("http://127.0.0.1:8000"), whose tables it changes.

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const kConsole = fileURLToPath(new URL('../../..', import.meta.url))
const kProgram = process.env.HASHRANGE_PROGRAM ?? join(kConsole, '../build/release/hashrange')
const kPage = '/_hashrange/console'
const kTypes = { html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }
// The same as the server sends: a page that needs more than it allows fails in the stories, too.
const kPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Starts a server on a free port.
 * Returns its URL, the page's URL, `stop`, `kill` and `restart`, and `control` and `call` for what a story sets up.
 */
export async function startServer(options = []) {
  let running = process.env.CONSOLE_SERVER ? { url: process.env.CONSOLE_SERVER, stop: async () => {} } : await startProgram(options)
  const is_served = (await fetch(running.url + kPage)).ok
  const front = is_served ? { url: running.url, stop: async () => {} } : await startFront(running.url)
  return {
    url: running.url,
    page_url: front.url + kPage,
    /** Stops the program as if it had crashed, and leaves the page's own server. */
    kill: () => running.stop(),
    /** Starts it again, after `kill`, on the same port. */
    restart: async () => {
      running = await startProgram(options, new URL(running.url).port)
    },
    stop: async () => {
      await front.stop()
      await running.stop()
    },
    control: (method, path, body) => control(running.url, method, path, body),
    call: (operation, input, owner) => call(running.url, operation, input, owner)
  }
}

async function startProgram(options, port = 0) {
  if (!existsSync(kProgram)) throw new Error(`There is no program at ${kProgram}: build it, or set HASHRANGE_PROGRAM.`)
  const child = spawn(kProgram, ['serve', '--port', String(port), '--host', '127.0.0.1', ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const url = await new Promise((resolve, reject) => {
    let text = ''
    const read = (chunk) => {
      text += chunk
      const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(text)
      if (found) resolve(found[0])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void exited.then(() => reject(new Error(`The server ended at once: ${text}`)))
  })
  return {
    url,
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    }
  }
}

// Serves dist/ below the path that the server uses, and passes everything else to the server: one origin.
async function startFront(target) {
  const dist = join(kConsole, 'dist')
  const server = createServer((request, response) => {
    const path = request.url.split('?')[0]
    if (path === kPage || path.startsWith(`${kPage}/`)) {
      const name = path.slice(kPage.length + 1) || 'index.html'
      if (!readdirSync(dist).includes(name)) return void response.writeHead(404).end()
      response.writeHead(200, { 'Content-Type': kTypes[name.split('.').pop()], 'Content-Security-Policy': kPolicy })
      return void response.end(readFileSync(join(dist, name)))
    }
    const url = new URL(target)
    const passed = httpRequest(
      { host: url.hostname, port: url.port, method: request.method, path: request.url, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode, answer.headers)
        answer.pipe(response)
      })
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () => new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  }
}

async function control(url, method, path, body) {
  const response = await fetch(`${url}/_hashrange/${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
  return response.headers.get('Content-Type')?.startsWith('application/json') ? JSON.parse(text) : text
}

async function call(url, operation, input, { account = '000000000000', region = 'us-east-1' } = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDB_20120810.${operation}`,
      'X-Amz-Date': '20260101T000000Z',
      Authorization: `AWS4-HMAC-SHA256 Credential=${account}/20260101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`
    },
    body: JSON.stringify(input)
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${operation}: ${JSON.stringify(answer)}`)
  return answer
}
