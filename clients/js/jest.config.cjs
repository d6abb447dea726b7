const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { hashrange } = require('./jest.cjs')

// If Jest remembers that all files are quick, it runs them in one worker. But worker-one and
// worker-two wait for each other, so Jest must not remember it.
const cacheDirectory = mkdtempSync(join(tmpdir(), 'hashrange-jest-'))
process.on('exit', () => rmSync(cacheDirectory, { recursive: true, force: true }))

module.exports = {
  ...hashrange({ setup: 'tests/support/tables.cjs', fork: 'test' }),
  testMatch: ['<rootDir>/tests/jest/*.test.cjs'],
  cacheDirectory,
  maxWorkers: 2,
  testTimeout: 620_000,
  transform: {},
}
