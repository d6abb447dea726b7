import { defineConfig } from 'vitest/config'
import { hashrange } from './vitest.mjs'

export default defineConfig({
  plugins: [hashrange({ setup: 'tests/support/tables.cjs' })],
  test: {
    include: ['tests/vitest/*.test.mjs'],
    maxWorkers: 2,
    minWorkers: 2, // worker-one and worker-two wait for each other
    testTimeout: 620_000,
    hookTimeout: 150_000,
  },
})
