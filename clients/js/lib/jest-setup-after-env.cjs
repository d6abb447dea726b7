// Before each test file, where Jest's hooks exist already.

'use strict'

const { beforeEach } = require('@jest/globals')
const { current, forkEach } = require('./worker.cjs')

if (forkEach() === 'test') beforeEach(() => current().fork())
