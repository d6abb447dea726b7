// Makes the folder of the package @hashrange/browser: the files of this folder, those of clients/js that they import, and the modules.
//
//   node clients/browser/assemble.mjs FOLDER [hashrange.wasm [lab.wasm]]
//
// The files of clients/js are CommonJS, for Jest. Browsers load ES modules without a bundler, so the lines that import and export
// are rewritten. A file that needs Node.js is refused.

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))
const JS = join(HERE, '../js')

const SCRIPTS = ['index.mjs', 'database-worker.mjs', 'lab-worker.mjs']
const TYPES = ['account.d.ts', 'control-api.d.ts', 'lab.d.ts', 'measurement.d.ts', 'module.d.ts']

/** Makes `folder` anew. `modules` are {name: path of a .wasm file}; one without a path is left out. */
export function assemble(folder, modules = {}) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'lib'), { recursive: true })
  copyFileSync(join(HERE, 'README.md'), join(folder, 'README.md'))
  writeFileSync(join(folder, 'package.json'), manifest())
  for (const [name, path] of Object.entries(modules)) if (path) copyFileSync(path, join(folder, name))
  copyFileSync(join(HERE, 'index.d.ts'), join(folder, 'index.d.ts'))
  for (const name of TYPES) writeFileSync(join(folder, name), typesOf(readFileSync(join(JS, name), 'utf8')))

  const waiting = [...SCRIPTS], known = new Set(SCRIPTS)
  while (waiting.length > 0) {
    const path = waiting.pop()
    const text = sourceOf(path)
    writeFileSync(join(folder, path), text)
    for (const [, name] of text.matchAll(/^(?:import|export) .*from '\.\/(?:lib\/)?(.*)'$/gm)) {
      if (known.has(`lib/${name}`)) continue
      known.add(`lib/${name}`)
      waiting.push(`lib/${name}`)
    }
  }
}

// The manifest without what is for work on the package.
function manifest() {
  const { scripts, devDependencies, overrides, ...rest } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))
  return `${JSON.stringify(rest, null, 2)}\n`
}

function sourceOf(path) {
  const own = join(HERE, path)
  return existsSync(own) ? readFileSync(own, 'utf8') : asModule(readFileSync(join(JS, path.replace(/\.mjs$/, '.cjs')), 'utf8'), path)
}

/** Returns the text of a CommonJS file as that of an ES module. */
export function asModule(text, name) {
  const made = text
    .replace(/^'use strict'\n\n/m, '')
    .replace(/^const (\{.*\}) = require\('(\.\/.*)\.cjs'\)$/gm, "import $1 from '$2.mjs'")
    .replace(/^module\.exports = (\{[^}:]*\})$/m, 'export $1')
  const left = /\brequire\(|\bmodule\.exports\b|\bprocess\.|\bBuffer\b|\b__dirname\b/.exec(made)
  if (left) throw new Error(`assemble: clients/js/${name.replace(/\.mjs$/, '.cjs')} cannot run in a browser: it has ${left[0]}`)
  return made
}

// TypeScript finds the neighbours of a declaration in a package of ES modules by their whole names.
const typesOf = (text) => text.replace(/from '(\.\/[\w-]+)'/g, "from '$1.js'")

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, database, lab] = process.argv.slice(2)
  if (!folder) {
    console.error('assemble: node clients/browser/assemble.mjs FOLDER [hashrange.wasm [lab.wasm]]')
    process.exit(1)
  }
  assemble(folder, { 'hashrange.wasm': database, 'lab.wasm': lab })
}
