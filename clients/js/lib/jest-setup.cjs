// Before each test file, in its worker; Jest awaits what is exported.

'use strict'

module.exports = require('./worker.cjs').enterFile
