// Builds the page: src/ → dist/index.html, dist/app-HASH.js and dist/app-HASH.css.
//
// The page asks for its files below /_hashrange/console/, where the server answers them. Their names
// have a hash of their content, so a browser may keep them for ever. Two builds of the same sources
// give the same bytes.
//
//   node build.mjs            builds, prints the gzipped size of the first load, and fails above the bound

import { build } from 'esbuild'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const kMaxFirstLoadBytes = 60 * 1024
const kServedBelow = '/_hashrange/console/'

const folder = fileURLToPath(new URL('.', import.meta.url))
const dist = join(folder, 'dist')

rmSync(dist, { recursive: true, force: true })
const { metafile } = await build({
  absWorkingDir: folder,
  entryPoints: { app: 'src/main.tsx' },
  entryNames: '[name]-[hash]',
  outdir: 'dist',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning'
})

const names = Object.keys(metafile.outputs).map((path) => basename(path))
const script = names.find((name) => name.endsWith('.js'))
const style = names.find((name) => name.endsWith('.css'))
// Minifying the template by hand is not worth a tool: it is one screen of text.
const html = readFileSync(join(folder, 'src/index.html'), 'utf8')
  .replace('{script}', kServedBelow + script)
  .replace('{style}', kServedBelow + style)
writeFileSync(join(dist, 'index.html'), html)

let first_load_bytes = 0
for (const name of ['index.html', script, style]) {
  const bytes = gzipSync(readFileSync(join(dist, name)), { level: 9 }).length
  first_load_bytes += bytes
  console.log(`${name}: ${bytes.toLocaleString('en')} bytes gzipped`)
}
console.log(`First load: ${first_load_bytes.toLocaleString('en')} of ${kMaxFirstLoadBytes.toLocaleString('en')} bytes gzipped`)
if (first_load_bytes > kMaxFirstLoadBytes) {
  console.error('The first load is larger than it may be.')
  process.exit(1)
}
