import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{apps,single-table,operations,replays,v2,control,mcp}/**/*.test.js'],
    pool: 'threads',
    isolate: false, // every file creates its own clients and tables, so a thread can load the SDK once for all
    maxWorkers: 2,
    minWorkers: 1,
    chaiConfig: { truncateThreshold: 0 }, // a failure shows both answers in full
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
})
