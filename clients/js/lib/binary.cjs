// Finds the server that a preset starts: a program, or a module.

'use strict'

const { accessSync, constants, realpathSync, statSync } = require('node:fs')
const { delimiter, join, resolve } = require('node:path')

const { findModule } = require('./module-file.cjs')

/**
 * Returns the server that a preset starts, as {program, words}: the program, and the words before `serve`. It is the first of
 * these: the program `binary`, or that of HASHRANGE_BINARY; the module that HASHRANGE_MODULE names; the program in the npm package
 * `hashrange`; `hashrange` on PATH; the module of the npm package. Throws when there is none.
 */
function findServer(binary) {
  const isModuleNamed = process.env.HASHRANGE_MODULE && !binary && !process.env.HASHRANGE_BINARY
  const program = isModuleNamed ? undefined : findBinary(binary)
  if (program) return { program, words: [] }
  if (findModule()) return { program: process.execPath, words: [require.resolve('./serve/command.cjs')] }
  throw new Error('hashrange: no server to start. Put `hashrange` on PATH, or its path into HASHRANGE_BINARY or the option `binary`. ' +
    'The npm package `hashrange` has it for Linux on x64 and arm64, and as a module for all systems. In a checkout, `scripts/build release hashrange` builds it as build/release/hashrange.')
}

/**
 * Returns the path of the program: `binary`, or HASHRANGE_BINARY, or the one in the npm package `hashrange`, or `hashrange` on
 * PATH, in this order; undefined when there is none.
 */
function findBinary(binary) {
  for (const [path, source] of [[binary, 'the option `binary`'], [process.env.HASHRANGE_BINARY, 'HASHRANGE_BINARY']]) {
    if (!path) continue
    const program = resolve(path)
    if (!isProgram(program)) throw new Error(`hashrange: ${source} names ${program}, which is no program.`)
    return program
  }
  const { program, launcher } = installed()
  const found = program ?? onPath((path) => isProgram(path) && realpathSync(path) !== launcher)
  return found && resolve(found)
}

/**
 * Returns the program of the npm package `hashrange`, if there is one for this machine, and the path of the script that the
 * package puts on PATH, which serves the module if there is none.
 */
function installed() {
  try {
    return { program: require('hashrange').binary, launcher: realpathSync(require.resolve('hashrange/bin/hashrange.js')) }
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    return {}
  }
}

const onPath = (accepts) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder || '.', 'hashrange')).find(accepts)

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

module.exports = { findBinary, findServer }
