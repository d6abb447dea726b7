// The Jest configuration: module.exports = { ...hashrange({ setup: './tables.js' }) }

'use strict'

const globalSetup = require('./lib/jest-global-setup.cjs')
const globalTeardown = require('./lib/jest-global-teardown.cjs')

const file = (name) => require.resolve(`./lib/${name}`)

function hashrange(options = {}) {
  if (typeof options.setup === 'function') throw new TypeError('hashrange: with Jest, the option `setup` is the path of a module.')
  return {
    globals: { hashrange: options },
    globalSetup: file('jest-global-setup.cjs'),
    globalTeardown: file('jest-global-teardown.cjs'),
    setupFiles: [file('jest-setup.cjs')],
    setupFilesAfterEnv: [file('jest-setup-after-env.cjs')],
  }
}

// A project with its own global setup calls this one in it.
module.exports = { globalSetup, globalTeardown, hashrange }
