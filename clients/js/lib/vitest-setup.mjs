// Before each test file, in its worker.

import { createRequire } from 'node:module'
import { beforeEach, inject } from 'vitest'

const { current, enter, forkEach, publish } = createRequire(import.meta.url)('./worker.cjs')

publish(inject('hashrange'))
enter()
if (forkEach()) await current().fork()
if (forkEach() === 'test') beforeEach(() => current().fork())
