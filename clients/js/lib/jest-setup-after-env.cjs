// Before each test file, where Jest's hooks exist already.

'use strict'

const { afterAll, afterEach, beforeEach } = require('@jest/globals')
const { enterTest, leaveFile, leaveTest } = require('./worker.cjs')

beforeEach(enterTest)
afterEach(leaveTest)
afterAll(leaveFile)
