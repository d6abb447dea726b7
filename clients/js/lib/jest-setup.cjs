// Before each test file, in its worker; Jest awaits what is exported.

'use strict'

const { current, enter, forkEach } = require('./worker.cjs')

module.exports = async function setup() {
  enter()
  if (forkEach()) await current().fork()
}
