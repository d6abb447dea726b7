// What Node.js gives to those files of this package that run in browsers, too. The functions of the same names for browsers are in
// clients/browser/lib/host.mjs.

'use strict'

const { randomFillSync } = require('node:crypto')
const { existsSync } = require('node:fs')
const { readFile, writeFile } = require('node:fs/promises')
const { resolve } = require('node:path')
const zlib = require('node:zlib')
const { tableCrc32 } = require('./crc32.cjs')

// file -> the variable that names another one
const VARIABLES = { 'hashrange.wasm': 'HASHRANGE_MODULE', 'lab.wasm': 'HASHRANGE_LAB' }

const compiled = new Map() // file -> a promise of the module, for all databases of the process

/** Resolves to a compiled module: the file that a variable names, or that of this package. */
function compile(name = 'hashrange.wasm') {
  if (!compiled.has(name)) compiled.set(name, readFile(pathOf(name)).then((bytes) => WebAssembly.compile(bytes)))
  return compiled.get(name).catch((error) => {
    compiled.delete(name) // the next call tries again
    throw error
  })
}

function pathOf(name) {
  const variable = VARIABLES[name]
  const named = process.env[variable]
  const path = named ? resolve(named) : resolve(__dirname, '..', name)
  if (existsSync(path)) return path
  throw new Error(named ? `hashrange: ${variable} names ${named}, which is no file.`
    : `hashrange: this package has no ${name}: build it (scripts/build wasm), and name it in ${variable}.`)
}

/** Returns the text of a file, whose path is relative to `root`. Errors: one with the code ENOENT when there is no file. */
const readText = (root, path) => readFile(resolve(root, path), 'utf8')
const writeText = (root, path, content) => writeFile(resolve(root, path), content)

/** Returns how a message names a file. */
const fileName = (root, path) => resolve(root, path)

const currentFolder = () => process.cwd()

/** Returns an environment variable; undefined when it is not set. */
const variable = (name) => process.env[name]

/** Fills an array of bytes in place. */
const fillRandomly = (bytes) => randomFillSync(bytes)

/** Shows text that a module writes: warnings of its log. */
const showLog = (text) => process.stderr.write(text)

const crc32 = zlib.crc32 ?? tableCrc32 // Node.js has zlib.crc32 since 20.15

module.exports = { compile, crc32, currentFolder, fileName, fillRandomly, readText, showLog, variable, writeText }
