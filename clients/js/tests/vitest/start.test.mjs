import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from '@hashrange/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findBinary } from '../../lib/binary.cjs'

const refusal = (options) => start(options).then(async (server) => {
  await server.stop()
  return 'started'
}, ({ message }) => message)

describe('start() refuses', () => {
  test.each([
    [{ binary: '/nowhere/hashrange' }, 'hashrange: the option `binary` names /nowhere/hashrange, which is no program.'],
    [{ binary: '/tmp' }, 'hashrange: the option `binary` names /tmp, which is no program.'],
    [{ binary: '/bin/false' }, 'hashrange: /bin/false ended with 1 before it was ready.'],
    [{ binary: '/bin/sh' }, expect.stringMatching(/^hashrange: \/bin\/sh ended with \d+ before it was ready\.\n.*serve/)],
    [{ fork: 'often' }, 'hashrange: the option `fork` is \'file\', \'test\' or false, not "often".'],
    [{ args: '--shared' }, "hashrange: the option `args` is a list of texts: ['--transition-ms', '50'], not \"--shared\"."],
    [{ setup: 7 }, 'hashrange: the option `setup` is the path of a module, or a function, not 7.'],
    [{ token: null }, 'hashrange: the option `token` is a text, not null.'],
    ['tables.mjs', "hashrange: the options are an object: { setup: './tables.mjs' }, not \"tables.mjs\"."],
    [{ binaries: [] }, expect.stringMatching(/^hashrange: there is no option `binaries`, but args, binary, /)],
    [{ setup: 'tests/support/meet.cjs' }, 'hashrange: tests/support/meet.cjs exports no function by default.'],
    [{ setup: 'nowhere.mjs' }, expect.stringContaining('nowhere.mjs')],
    [{ setup: () => Promise.reject(new Error('no tables today')) }, 'no tables today'],
    [{ seed: '/nowhere/seed' }, expect.stringMatching(/^hashrange: POST seed: .*\/nowhere\/seed/)],
  ])('%o', async (options, message) => {
    expect(await refusal(options)).toEqual(message)
  })
})

test('stop() does not wait for processes that keep the pipes of a killed program', { timeout: 20_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const binary = join(folder, 'program')
  writeFileSync(binary, `#!/bin/sh\ntrap '' TERM\n"${findBinary()}" "$@" &\nwhile :; do wait; done\n`)
  chmodSync(binary, 0o755)
  const server = await start({ binary })
  const { pid } = await server.control('GET', '')
  onTestFinished(() => process.kill(pid))
  await server.stop()
  expect(() => process.kill(pid, 0)).not.toThrow() // the program's child still runs, and has the pipes
})
