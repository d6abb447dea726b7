// Builds the page: src/ → dist/index.html, dist/app-HASH.js, dist/app-HASH.css, later-HASH.js (views that
// are fetched when they are opened: views/later.ts), and chunk-HASH.js for what both scripts share.
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
  chunkNames: '[name]-[hash]',
  splitting: true,
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

const outputs = Object.entries(metafile.outputs)
const script_path = outputs.find(([, output]) => output.entryPoint === 'src/main.tsx')[0]
const style_path = metafile.outputs[script_path].cssBundle
const script = basename(script_path)
const style = basename(style_path)

// What the browser fetches before it shows a view: the script, what it imports at once, and the style.
const first_paths = new Set([script_path, style_path])
for (const path of first_paths) {
  for (const { path: imported, kind } of metafile.outputs[path].imports) if (kind === 'import-statement') first_paths.add(imported)
}
const [imported, ...others] = [...first_paths].filter((path) => path !== script_path && path !== style_path).map((path) => basename(path))
if (!imported || others.length > 0) throw new Error(`index.html preloads one script that the first one imports, not ${[imported, ...others]}.`)
// Minifying the template by hand is not worth a tool: it is one screen of text.
const html = readFileSync(join(folder, 'src/index.html'), 'utf8')
  .replace('{script}', kServedBelow + script)
  .replace('{style}', kServedBelow + style)
  .replace('{imported}', kServedBelow + imported)
writeFileSync(join(dist, 'index.html'), html)

let first_load_bytes = 0
for (const name of ['index.html', ...outputs.map(([path]) => basename(path)).sort()]) {
  const bytes = gzipSync(readFileSync(join(dist, name)), { level: 9 }).length
  const is_first = name === 'index.html' || [...first_paths].some((path) => basename(path) === name)
  if (is_first) first_load_bytes += bytes
  console.log(`${name}: ${bytes.toLocaleString('en')} bytes gzipped${is_first ? '' : ', fetched later'}`)
}
console.log(`First load: ${first_load_bytes.toLocaleString('en')} of ${kMaxFirstLoadBytes.toLocaleString('en')} bytes gzipped`)
if (first_load_bytes > kMaxFirstLoadBytes) {
  console.error('The first load is larger than it may be.')
  process.exit(1)
}
