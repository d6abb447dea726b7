// A static server on this machine, with a policy that lets pages run no script but their own, and WebAssembly.

import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'

export const POLICY = "worker-src 'self'; script-src 'self' 'wasm-unsafe-eval'"

const TYPES = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' }

/** Serves `folders` {prefix of the path: folder}. Resolves to {url, close}. */
export async function serve(folders) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://site').pathname)
    const prefix = Object.keys(folders).find((each) => path.startsWith(each))
    const file = prefix && join(folders[prefix], path.slice(prefix.length))
    if (!file || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain', 'content-security-policy': POLICY })
    createReadStream(file).pipe(response)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}
