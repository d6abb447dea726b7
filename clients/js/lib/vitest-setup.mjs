// Runs before each test file, in its worker.

import { createRequire } from 'node:module'
import { afterAll, afterEach, beforeEach, inject } from 'vitest'

const { enterFile, enterTest, leaveFile, leaveTest, publish } = createRequire(import.meta.url)('./worker.cjs')

publish(inject('hashrange'))
await enterFile()
beforeEach(() => enterTest())
afterEach(() => leaveTest())
afterAll(() => leaveFile())
