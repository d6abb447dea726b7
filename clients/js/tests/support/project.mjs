// A user's project in a temporary folder, with this package as npm installs it.

import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

/** Unpacks the archive that npm would publish. Returns the folder. */
export function pack() {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-pack-'))
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: PACKAGE })
  const [archive] = readdirSync(folder)
  execFileSync('tar', ['-xzf', join(folder, archive), '-C', folder])
  return folder
}

/**
 * Creates a project with `files` {path: text}. `packed` is the folder of pack(); if it is undefined, the package is linked,
 * as `npm install PATH` does. Returns {folder, run, start, remove}.
 */
export function project(files, packed) {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-project-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@hashrange'), { recursive: true })
  if (packed) cpSync(join(packed, 'package'), join(modules, '@hashrange/testing'), { recursive: true })
  else symlinkSync(PACKAGE, join(modules, '@hashrange/testing'))
  for (const name of ['@aws-sdk', '@types', 'jest', 'testcontainers', 'vitest']) symlinkSync(join(PACKAGE, 'node_modules', name), join(modules, name))
  for (const [path, text] of Object.entries({ 'package.json': '{}', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return {
    folder,
    /** Starts `vitest` or `jest`; returns the child process. */
    start: (runner, environment) => startRunner(runner, folder, environment),
    /** Runs the runner to its end. Returns its output, and `status N`. */
    run: (runner, environment) => outcome(startRunner(runner, folder, environment)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const PROGRAMS = { jest: ['jest/bin/jest.js'], vitest: ['vitest/vitest.mjs', 'run'] }

function startRunner(runner, folder, changes = {}) {
  const [program, ...words] = PROGRAMS[runner]
  // The variables of the runner that runs this file, and of its server, are removed.
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(AWS_|VITEST|JEST|NODE_ENV|TEST$|HASHRANGE_TESTING)/.test(name)))
  // The runner gets its own process group, so that its workers can be killed with it.
  return spawn(process.execPath, [join(folder, 'node_modules', program), ...words],
    { cwd: folder, detached: true, env: { ...own, NO_COLOR: '1', ...changes }, stdio: ['ignore', 'pipe', 'pipe'] })
}

function outcome(child) {
  return new Promise((ended) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
    child.on('close', (status) => ended(`${output}status ${status}`))
  })
}
