import type { Options } from './index'

/** A plugin for `plugins` of vitest.config: starts a server, gives each worker an account, forks. */
export function hashrange(options?: Options): { name: string }
