// Runs before each test file, in its worker; Jest calls the exported function and awaits it.

'use strict'

module.exports = require('./worker.cjs').enterFile
