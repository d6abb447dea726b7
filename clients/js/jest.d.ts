import type { Options } from './index'

/** Members of a Jest configuration: a server, an account for each worker, forks. */
export function hashrange(options?: Options & { setup?: string }): {
  globals: { hashrange: Options }
  globalSetup: string
  globalTeardown: string
  setupFiles: string[]
  setupFilesAfterEnv: string[]
}
