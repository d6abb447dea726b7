import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{apps,single-table,operations,v2,control}/**/*.test.js'],
    pool: 'threads',
    isolate: false, // every file makes its own clients and tables; the SDK is loaded once for each thread
    maxWorkers: 2,
    minWorkers: 1,
    chaiConfig: { truncateThreshold: 0 }, // a failure shows both answers whole
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
})
