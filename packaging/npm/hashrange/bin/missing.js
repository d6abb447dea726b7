// Says why the module serves on a machine for which there is a program.

'use strict'

const { carrier } = require('../index.js')
const { optionalDependencies: carriers } = require('../package.json')

/** Returns a sentence; undefined on a machine for which there is no program. */
function sentence() {
  if (!(carrier in carriers)) return undefined
  return `the package ${carrier}, which has the program, is not installed, so the WebAssembly module runs. ` +
    'Install hashrange with its optional packages (without --omit=optional and --no-optional); if a package-lock.json of another ' +
    'platform left the program out, remove it and node_modules, and install again.'
}

module.exports = { sentence }
