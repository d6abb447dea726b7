// Where the server is: `import { binary, module } from 'hashrange'`.

'use strict'

const { join } = require('node:path')

/** The npm package that has the program for this machine, if there is such a package. */
const carrier = `@hashrange/${process.platform}-${process.arch}`

function find() {
  try {
    return require.resolve(`${carrier}/bin/hashrange`)
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    return undefined
  }
}

exports.carrier = carrier
exports.binary = find()
exports.module = join(__dirname, 'hashrange.wasm')
