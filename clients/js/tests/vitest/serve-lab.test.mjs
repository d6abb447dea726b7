// `hashrange lab` by lab.wasm, where there is no program. The program, which HASHRANGE_BINARY names, has to print and write the
// same bytes.

import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const { HASHRANGE_BINARY: program, HASHRANGE_LAB: lab } = process.env
const COMMAND = createRequire(import.meta.url).resolve('../../lib/serve/command.cjs')
const NEEDS_PROGRAM = 'needs the program, which is for Linux: run it in a container (docs/install.md)'

const SMALL = `lab: 1
entities: {Page: {count: 90, attributes: {id: {sequence: 4}, kind: {choice: [a, b]}}}}
access_patterns: {look: {get: Page, by: [id], rate: 20/s}, list: {query: Page, by: [kind], rate: 1/s}}
layouts:
  plain: {tables: {pages: {key: [id], items: {Page: {}}}}}
  by kind: {tables: {pages: {key: [id], indexes: {ByKind: {key: [kind, id]}}, items: {Page: {}}}}}
traffic: [{for: 20s, rate: 1}]
`

describe.skipIf(!lab)('hashrange lab without the program', () => {
  let folder
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hashrange-serve-lab-'))
    writeFileSync(join(folder, 'small.yaml'), SMALL)
    writeFileSync(join(folder, 'limited.yaml'), `${SMALL}limits: {"*": {headroom: 1e9}}\n`)
    writeFileSync(join(folder, 'wrong.yaml'), 'x: 1\n')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function run(file, words, input) {
    const { status, stdout, stderr } = spawnSync(file, words, { cwd: folder, encoding: 'utf8', input, maxBuffer: 1 << 26 })
    return { status, stdout, stderr }
  }
  const byModule = (words, input) => run(process.execPath, [COMMAND, 'lab', ...words], input)

  describe.skipIf(!program)('does what the program does', () => {
    test.each([
      [0, 'run', 'small.yaml', '--no-confirm'],
      [0, 'run', 'small.yaml', '--no-confirm', '--scale', '1,2', '--thin=2', '--layout', 'plain', '--html', '-'],
      [0, 'run', '--no-confirm', '--vary', 'rates.look=1/s..100/s', '--json', '--layout', 'by kind', 'small.yaml'],
      [1, 'check', 'limited.yaml', '--thin', '10'],
      [2, 'check', 'small.yaml'],
      [0, 'explain', 'small.yaml', '--json=-'],
      [0, 'schema'],
      [2, 'init', 'small.yaml'],
      [2, 'explain', 'wrong.yaml'],
      [2, 'explain', 'none.yaml'],
      [2, 'run', 'small.yaml', '--layout', 'none'],
      [2, 'run', 'small.yaml', '--thin', '0'],
      [2, 'run', 'small.yaml', '--html', '-', '--json', '-'],
      [2, 'explain', 'small.yaml', '--html', 'page.html'],
      [2, 'run', 'small.yaml', 'wrong.yaml'],
      [2, 'run'],
      [2, 'none'],
      [2],
    ])('%i: %s %s %s %s %s %s', (status, ...words) => {
      const expected = run(program, ['lab', ...words])
      expect(expected.status).toBe(status)
      expect(byModule(words)).toEqual(expected)
    })

    test('on stdin', () => {
      const words = ['run', '-', '--no-confirm']
      expect(byModule(words, SMALL)).toEqual(run(program, ['lab', ...words], SMALL))
    })

    test('in files', () => {
      const made = (act) => {
        act(['run', 'small.yaml', '--no-confirm', '--json', 'all.json', '--html', 'page.html'])
        return ['all.json', 'page.html'].map((name) => readFileSync(join(folder, name), 'utf8'))
      }
      const expected = made((words) => run(program, ['lab', ...words]))
      for (const name of ['all.json', 'page.html']) rmSync(join(folder, name))
      expect(made(byModule)).toEqual(expected)
    })
  })

  test('writes a lab file to start from, which can be run', () => {
    expect(byModule(['init'])).toEqual({ status: 0, stdout: 'wrote lab.yaml; next: hashrange lab explain lab.yaml\n', stderr: '' })
    expect(byModule(['check', 'lab.yaml', '--thin', '50']).stdout).toBe('within limits\n')
  })

  test('says what needs the program', () => {
    const refused = (stderr) => ({ status: 2, stdout: '', stderr: `hashrange: ${stderr}\n` })
    expect(byModule(['import', 'model.json'])).toEqual(refused(`hashrange lab import ${NEEDS_PROGRAM}`))
    expect(byModule(['run', 'small.yaml', '--endpoint', 'http://127.0.0.1:1'])).toEqual(refused(`--endpoint: it ${NEEDS_PROGRAM} (see hashrange lab run --help)`))
  })

  test('says that threads have no effect', () => {
    const { stdout } = byModule(['check', 'limited.yaml', '--thin', '10'])
    expect(byModule(['check', 'limited.yaml', '--thin', '10', '--threads', '2'])).toMatchObject({ status: 1, stdout,
      stderr: expect.stringContaining('hashrange: --threads: it has no effect, as the module runs layouts one after another\n') })
  })

  test('ends at Ctrl-C with a report', { timeout: 120_000 }, async () => {
    writeFileSync(join(folder, 'long.yaml'), SMALL.replace('for: 20s', 'for: 500h'))
    const child = spawn(process.execPath, [COMMAND, 'lab', 'run', 'long.yaml', '--no-confirm', '--html', '-'], { cwd: folder })
    const texts = { stdout: '', stderr: '' }
    for (const name of Object.keys(texts)) child[name].on('data', (bytes) => (texts[name] += bytes))
    const ended = new Promise((end) => child.on('close', (status) => end(status)))
    // A signal before the command listens to it would end the process without a report.
    const asking = setTimeout(() => child.kill('SIGINT'), 10_000)
    const status = await ended
    clearTimeout(asking)
    expect(status).toBe(130)
    expect(texts.stderr).toBe('hashrange: interrupted: the report is about what was done until then\n')
    expect(texts.stdout).toMatch(/^<!doctype html>/i)
  })
})
