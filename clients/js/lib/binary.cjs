// Finds the program of the server.

'use strict'

const { accessSync, constants, statSync } = require('node:fs')
const { delimiter, join, resolve } = require('node:path')

/** Returns the path of the program: `binary`, or HASHRANGE_BINARY, or `hashrange` on PATH, in this order. Throws when there is none. */
function findBinary(binary) {
  for (const [path, source] of [[binary, 'the option `binary`'], [process.env.HASHRANGE_BINARY, 'HASHRANGE_BINARY']]) {
    if (!path) continue
    const program = resolve(path)
    if (!isProgram(program)) throw new Error(`hashrange: ${source} names ${program}, which is no program.`)
    return program
  }
  const found = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder || '.', 'hashrange')).find(isProgram)
  if (found) return resolve(found)
  throw new Error('hashrange: no server to start. Put `hashrange` on PATH, or its path into HASHRANGE_BINARY or the ' +
    'option `binary`. In a checkout, `scripts/build release hashrange` builds it as build/release/hashrange.')
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

module.exports = { findBinary }
