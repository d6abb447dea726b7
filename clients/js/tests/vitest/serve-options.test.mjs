// The options of `hashrange serve` where a module serves.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { helpOfOptions, readServeLine } from '../../lib/serve/options.cjs'

const MIB = 2 ** 20
const read = (words, env = {}) => readServeLine(words, env)
const refusalOf = (...words) => {
  try {
    return read(words)
  } catch ({ message }) {
    return message
  }
}

describe('the options of serve', () => {
  test('become those of the server and of the database', () => {
    expect(read(['--host', '0.0.0.0', '--port=0', '--transition-ms', '50', '--index-transition-ms', '70', '--ttl-interval', '5m', '--stream-shards', '3',
      '--stream-buffer', '16MB', '--shared', '--control-token', 'secret', '--cors', '*', '--cors', 'https://app.example', '--allow-host', 'db',
      '--request-memory', '1GB', '--max-memory', '512m', '--max-connections', '7', '--metrics', '--data', 'dir', '--exit-with-parent=12',
      '--seed', 'files', '--seed-account', '111122223333', '--seed-region', 'eu-west-1'])).toEqual({
      options: { host: '0.0.0.0', port: 0, transitionMs: 50, indexTransitionMs: 70, ttlIntervalMs: 300_000, streamShards: 3, streamBufferBytes: 16 * MIB,
        sharedTables: true, controlToken: 'secret', cors: ['*', 'https://app.example'], allowedHosts: ['db'], requestMemoryBytes: 1024 * MIB,
        maxMemoryBytes: 512 * MIB, maxConnections: 7, metrics: true },
      data: 'dir', seed: { path: 'files', account: '111122223333', region: 'eu-west-1' }, parent: 12, warnings: [] })
  })

  test('have defaults from the environment, which an option replaces', () => {
    const env = { HASHRANGE_HOST: '::1', HASHRANGE_TOKEN: 'of the environment' }
    expect(read(['--max-memory', 'none'], env)).toEqual({ options: { host: '::1', controlToken: 'of the environment', maxMemoryBytes: 0 }, warnings: [] })
    expect(read(['--max-memory', 'none', '--host', 'db', '--control-token', 'own'], env).options).toEqual({ host: 'db', controlToken: 'own', maxMemoryBytes: 0 })
    expect(read([]).options.maxMemoryBytes).toBeGreaterThan(16 * MIB)
  })

  test('take the place of DynamoDB Local', () => {
    const { options, like } = read(['--like', 'dynamodb-local'])
    expect([like, options.tablesOfEachKey, options.answersRootWith400]).toEqual(['dynamodb-local', true, true])
  })

  test('read the token from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hashrange-options-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [file, empty] = ['token', 'empty'].map((name) => join(folder, name))
    writeFileSync(file, ' secret\n')
    writeFileSync(empty, '\n')
    expect(read(['--control-token-file', file]).options.controlToken).toBe('secret')
    expect(refusalOf('--control-token-file', empty)).toBe(`--control-token-file: ${empty} holds no token`)
    expect(refusalOf('--control-token', 'a', '--control-token-file', file)).toBe('--control-token excludes --control-token-file')
  })

  test('without an effect are taken with a warning', () => {
    expect(read(['--threads', '4', '--log-level', 'debug', '--console', 'off']).warnings).toEqual([
      '--threads: it has no effect, as the module has one thread', '--log-level: it has no effect: the module logs warnings and errors',
      '--console: it has no effect, as the module has no console'])
  })

  test('--exit-with-parent without a number means the parent', () => {
    expect(read(['--exit-with-parent', '--port', '1']).parent).toBe(process.ppid)
  })

  test.each([
    [['--port', '99999'], '--port: Value 99999 not in range 0 to 65535'],
    [['--port', 'x'], '--port: Value x not in range 0 to 65535'],
    [['--port'], '--port: 1 required PORT missing'],
    [['--port', '1', '--port', '2'], '--port: given more than once'],
    [['--foo'], 'unknown argument: --foo'],
    [['extra'], 'unknown argument: extra'],
    [['-p'], 'unknown argument: -p'],
    [['--ttl-interval', '3x'], '--ttl-interval: 3x is not a time with its unit, such as "500ms", "3s", "5m", "2h" or "2d"'],
    [['--ttl-interval', '2d'], '--ttl-interval: 2d is longer than a day'],
    [['--stream-buffer', '3'], '--stream-buffer: Value 3 not in range 1048576 to 1099511627776'],
    [['--stream-shards', '300'], '--stream-shards: Value 300 not in range 1 to 256'],
    [['--like', 'x'], '--like: x not in {dynamodb-local}'],
    [['--cors', 'foo'], '--cors: not an origin like https://app.example:3000, and not * alone: foo'],
    [['--allow-host', '*.example'], '--allow-host: not a name like db.example, and no pattern stands for several: *.example'],
    [['--max-memory', '1'], '--max-memory: less than 16MB: 1'],
    [['--ready-fd', '77'], '--ready-fd: not open for writing: 77'],
    [['--exit-with-parent=x'], '--exit-with-parent: not the number of a process: x'],
    [['--log-level', 'x'], '--log-level: x not in {debug,info,warning,error}'],
    [['--sync', '1s'], '--sync: the module does not write each change: it writes all tables some seconds after a change, and at its end'],
    [['--seed', 'x', '--seed-account', '1'], '--seed-account: not an account of 12 digits: 1'],
    [['--seed', 'x', '--seed-region', 'US'], '--seed-region: not a Region like us-east-1: US'],
    [['--seed-region', 'eu-west-1'], '--seed-region requires --seed'],
    [['--kinesis-dir', 'x'], '--kinesis-dir: the module writes no files but those of --data'],
    [['--files=x'], '--files: the module does not see whose program calls it; callers with the control token may name any path of a seed'],
  ])('%j is refused', (words, sentence) => {
    expect(refusalOf(...words)).toBe(sentence)
  })

  test('are all described, and are those of the program', async () => {
    const { readFileSync } = await import('node:fs')
    const page = readFileSync(new URL('../../../../docs/options.md', import.meta.url), 'utf8').split('Commands:')[0]
    const names = (text) => [...new Set(text.match(/(?<=^ +)--[a-z-]+/gm))].filter((name) => name !== '--version').sort()
    expect(names(helpOfOptions())).toEqual(names(page))
  })
})
