// A static server on this machine with the built pages, and with a policy that lets pages run no script but their own, and
// WebAssembly.

import { createReadStream, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { assemble } from '../../assemble.mjs'

const place = (path) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Assembles the package with `modules` {name: path}, builds the pages, and serves both: /built/ and /package/, and below /plain/ the pages that
 * need no bundler. Resolves to {url, package, close}: `package` is a folder.
 */
export async function openSite(modules) {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-browser-'))
  const own = join(folder, 'package')
  assemble(own, modules)
  for (const name of Object.keys(modules)) {
    if (!existsSync(join(own, name))) writeFileSync(join(own, name), '') // the bundler wants a file
  }
  process.env.HASHRANGE_PACKAGE = own
  await build({ configFile: place('../../vite.config.mjs'), logLevel: 'warn', build: { outDir: join(folder, 'built') } })
  const server = await serve({ '/built/': join(folder, 'built'), '/package/': own, '/plain/': place('../pages') })
  return { url: `http://127.0.0.1:${server.address().port}`, package: own, close: () => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  } }
}

const POLICY = "worker-src 'self'; script-src 'self' 'wasm-unsafe-eval'"
const TYPES = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' }

// Serves `folders` {prefix of the path: folder}.
async function serve(folders) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://site').pathname)
    const prefix = Object.keys(folders).find((each) => path.startsWith(each))
    const file = prefix && join(folders[prefix], path.slice(prefix.length))
    if (!file || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain', 'content-security-policy': POLICY })
    createReadStream(file).pipe(response)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return server
}
