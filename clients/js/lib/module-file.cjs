// Finds hashrange.wasm.

'use strict'

const { existsSync } = require('node:fs')
const { resolve } = require('node:path')

const VARIABLE = 'HASHRANGE_MODULE'

/**
 * Returns the path of the module: that in HASHRANGE_MODULE, or that of this package, or that of the npm package `hashrange`, in
 * this order; undefined when there is none. Throws when the variable names no file.
 */
function findModule() {
  const named = process.env[VARIABLE]
  if (named) {
    const path = resolve(named)
    if (existsSync(path)) return path
    throw new Error(`hashrange: ${VARIABLE} names ${named}, which is no file.`)
  }
  const own = resolve(__dirname, '../hashrange.wasm')
  return existsSync(own) ? own : moduleOfPackage()
}

function moduleOfPackage() {
  try {
    return require('hashrange').module
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    return undefined
  }
}

module.exports = { findModule }
