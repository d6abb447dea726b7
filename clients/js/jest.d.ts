import type { Options } from './index'

/** Returns members of a Jest configuration that start a server, give each worker an account, and fork. */
export function hashrange(options?: Options & { setup?: string }): {
  globals: { hashrange: Options }
  globalSetup: string
  globalTeardown: string
  setupFiles: string[]
  setupFilesAfterEnv: string[]
}

/** The `globalSetup` of these members. A project with its own global setup calls this function with the same arguments. */
export function globalSetup(globalConfig: unknown, projectConfig: unknown): Promise<void>
export function globalTeardown(): Promise<void>
