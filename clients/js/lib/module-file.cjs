// Finds the files of the WebAssembly modules.

'use strict'

const { existsSync } = require('node:fs')
const { dirname, join, resolve } = require('node:path')

// file -> the variable that names another one
const VARIABLES = { 'hashrange.wasm': 'HASHRANGE_MODULE', 'lab.wasm': 'HASHRANGE_LAB' }

/**
 * Returns the path of a module: the one that its variable names, or the one of this package, or that of the npm package
 * `hashrange`, in this order; undefined when there is none. Throws when the variable names no file.
 */
function findModule(name = 'hashrange.wasm') {
  const variable = VARIABLES[name]
  const named = process.env[variable]
  if (named) {
    if (existsSync(named)) return resolve(named)
    throw new Error(`hashrange: ${variable} names ${named}, which is no file.`)
  }
  return [resolve(__dirname, '..'), folderOfPackage()].map((folder) => folder && join(folder, name)).find((path) => path && existsSync(path))
}

function folderOfPackage() {
  try {
    return dirname(require.resolve('hashrange/package.json'))
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    return undefined
  }
}

/** Returns the path of a module. Throws when there is none. */
function requireModule(name) {
  const path = findModule(name)
  if (path) return path
  throw new Error(`hashrange: there is no ${name}: install the npm package hashrange, or build it (scripts/build wasm) and name it in ${VARIABLES[name]}.`)
}

module.exports = { findModule, requireModule }
