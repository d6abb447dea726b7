// Runs the TypeScript compiler on files of a project that has the package installed.

import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { project } from './project.mjs'

const require = createRequire(import.meta.url)
const TSC = require.resolve('typescript/bin/tsc')
const OPTIONS = { strict: true, noEmit: true, allowJs: true, checkJs: true, target: 'es2022', module: 'nodenext', types: [],
  exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }

/** A file that declares the globals of a test of Jest. */
export const JEST_GLOBALS = {
  'globals.d.ts': `
    import type * as jest from ${JSON.stringify(require.resolve('@jest/globals').replace(/index\.js$/, 'index.d.ts'))}
    declare global { const expect: typeof jest.expect; const test: typeof jest.test }`,
}

/**
 * Returns the output of the compiler for `files` {path: text}, with the package of `packed` (see project.mjs), and with `options`
 * in addition to OPTIONS: 'status 0' if there are no errors.
 */
export async function compile(files, { packed, ...options } = {}) {
  const config = { compilerOptions: { ...OPTIONS, ...options }, files: Object.keys(files).filter((name) => name !== 'package.json') }
  const made = project({ ...files, 'tsconfig.json': JSON.stringify(config) }, packed)
  try {
    const done = await promisify(execFile)(process.execPath, [TSC, '--project', made.folder]).catch((error) => error)
    return `${done.stdout}status ${done.code ?? 0}`
  } finally {
    made.remove()
  }
}
