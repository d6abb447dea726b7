import type { Options } from './index'

/** Members of a Jest configuration: a server, an account for each worker, forks. */
export function hashrange(options?: Options & { setup?: string }): {
  globals: { hashrange: Options }
  globalSetup: string
  globalTeardown: string
  setupFiles: string[]
  setupFilesAfterEnv: string[]
}

/** What `globalSetup` of these members does, for a project that has its own: it calls this with its arguments. */
export function globalSetup(globalConfig: unknown, projectConfig: unknown): Promise<void>
export function globalTeardown(): Promise<void>
