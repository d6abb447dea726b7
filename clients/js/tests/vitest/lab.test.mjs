// The lab inside this process. These tests need lab.wasm: scripts/build wasm, then HASHRANGE_LAB names it. The program, which
// HASHRANGE_BINARY names, has to give the same bytes.

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkLab, explainLab, LabError, labSchema, labStarter, runLab } from '@hashrange/testing/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import host from '../../lib/host.cjs'
import labModule from '../../lib/lab-module.cjs'

const EXAMPLES = new URL('../../../../lab/examples/', import.meta.url)
const SECONDS = 1000
// A table of this file breaks at some times its rates, so that trials of the limit take milliseconds.
const SMALL = `lab: 1
entities: {Page: {count: 90, attributes: {id: {sequence: 4}, kind: {choice: [a, b]}}}}
access_patterns: {look: {get: Page, by: [id], rate: 20/s}, list: {query: Page, by: [kind], rate: 1/s}}
layouts:
  plain: {tables: {pages: {key: [id], items: {Page: {}}}}}
  by kind: {tables: {pages: {key: [id], indexes: {ByKind: {key: [kind, id]}}, items: {Page: {}}}}}
traffic: [{for: 20s, rate: 1}]
partitions: {read_units: 30, write_units: 30, new_table_read_units: 60, new_table_write_units: 60, quota_read_units: 60, quota_write_units: 60}
`
const LIMITED = `${SMALL}limits: {"*": {headroom: 2}}\n`

const exampleOf = (name) => readFile(new URL(name, EXAMPLES), 'utf8')
// A tenth of the data takes a tenth of the time.
const smaller = (text) => text.replace(/^( {4}count: )(\d+)$/gm, (_, before, count) => before + Math.max(5, Math.floor(count / 10)))

describe.skipIf(!process.env.HASHRANGE_LAB)('the lab in this process', () => {
  let folder
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hashrange-lab-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  describe.skipIf(!process.env.HASHRANGE_BINARY)('gives what the program gives', () => {
    // Resolves to what the program prints and writes, as the lab in this process answers.
    async function byProgram(command, text, ...options) {
      const name = join(folder, 'lab.yaml')
      const [json, html] = [join(folder, 'lab.json'), join(folder, 'lab.html')]
      await writeFile(name, text)
      const files = command === 'explain' ? ['--json', json] : ['--json', json, '--html', html]
      const { code, stdout, stderr } = await new Promise((done) => {
        execFile(process.env.HASHRANGE_BINARY, ['lab', command, name, ...options, ...files], { maxBuffer: 2 ** 26 },
          (error, stdout, stderr) => done({ code: error?.code ?? 0, stdout, stderr }))
      })
      const messages = stderr.split('\n').slice(0, -1).map((line) => line.replace(/^hashrange: /, ''))
      if (code === 2) return { name, messages }
      const result = { text: stdout, messages, json: await readFile(json, 'utf8') }
      return { name, code, result: command === 'explain' ? result : { ...result, html: await readFile(html, 'utf8') } }
    }

    const ALL = { json: true, html: true }

    test('of each example', { timeout: 600 * SECONDS }, async () => {
      const names = (await readdir(EXAMPLES)).filter((name) => name.endsWith('.yaml'))
      expect(names.length).toBeGreaterThan(9)
      for (const example of names) {
        const text = smaller(await exampleOf(example))
        const { name, code, result } = await byProgram('run', text, '--thin', '20', '--no-confirm')
        expect(code).toBe(0)
        expect({ example, ...await runLab(text, { ...ALL, name, thin: 20, noConfirm: true }) }).toEqual({ example, ...result, stopped: false })
      }
    })

    test('of trials, of several sizes, and of a number that varies', { timeout: 120 * SECONDS }, async () => {
      const { name, result } = await byProgram('run', SMALL, '--scale', '1,5', '--vary', 'rates.look=1/s..100/s')
      expect(await runLab(SMALL, { ...ALL, name, scale: [5, 1], vary: 'rates.look=1/s..100/s' })).toEqual({ ...result, stopped: false })
      expect(JSON.parse(result.json).layouts.map(({ first_limit }) => first_limit.is_confirmed)).toContain(true)
    })

    test('of an explanation', { timeout: 120 * SECONDS }, async () => {
      const text = await exampleOf('shop.yaml')
      const { name, result } = await byProgram('explain', text, '--layout', 'sharded', '--vary', 'counts.Customer=x0.1..x10')
      expect(await explainLab(text, { name, json: true, layout: 'sharded', vary: ['counts.Customer=x0.1..x10'] })).toEqual(result)
    })

    test('of a check', { timeout: 120 * SECONDS }, async () => {
      for (const text of [LIMITED, LIMITED.replace('headroom: 2', 'headroom: 2000')]) {
        const { name, code, result } = await byProgram('check', text, '--thin', '2')
        expect(await checkLab(text, { ...ALL, name, thin: 2 })).toEqual({ ...result, holds: code === 0 })
      }
    })

    test('of wrong files', { timeout: 120 * SECONDS }, async () => {
      for (const text of ['', '{', 'lab: 1\nlab: 1', `a: ${'['.repeat(100_000)}`, `a: ${'{a: '.repeat(100_000)}`, `${'- '.repeat(100_000)}a`, 'lab: \u001b[2J',
        Buffer.from('lab: "\xff"', 'latin1'), SMALL.replace('rate: 20/s', 'rate: "{?How often?}"').replace('rate: 1/s', 'rate: "{?And this?}"'),
        SMALL.replace('kind, id', 'kin, id'), `a: &a [1]\nb: ${'*a '.repeat(10)}`]) {
        for (const [command, call] of [['run', runLab], ['explain', explainLab]]) {
          const { name, messages } = await byProgram(command, text)
          const failure = await call(text, { name }).catch((error) => error)
          expect([failure.name, failure.message]).toEqual(['LabError', messages.join('\n')])
        }
      }
    })
  })

  test('a result has only what it is asked for', async () => {
    const explained = await explainLab(SMALL)
    expect(Object.keys(explained)).toEqual(['text', 'messages'])
    expect(await explainLab(Buffer.from(SMALL))).toEqual(explained)
  })

  test('a check without limits has no verdict', async () => {
    await expect(checkLab(SMALL)).rejects.toThrow(new LabError('lab.yaml has no limits'))
  })

  test('progress ascends, and an error in its function ends the run', { timeout: 60 * SECONDS }, async () => {
    const told = []
    await runLab(SMALL, { scale: 20, onProgress: (done) => told.push(done) })
    expect(told.length).toBeGreaterThan(0)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(told.every((done) => done >= 0 && done <= 1)).toBe(true)
    const problem = new Error('no more')
    await expect(runLab(SMALL, { onProgress: () => { throw problem } })).rejects.toBe(problem)
  })

  test('a run ends when its time is over, with a report of what was done', { timeout: 60 * SECONDS }, async () => {
    const { stopped, messages, text } = await runLab(SMALL, { scale: 1000, seconds: 0 })
    expect({ stopped, messages }).toEqual({ stopped: true, messages: ['interrupted: the report is about what was done until then'] })
    expect(text).toMatch(/^The run was interrupted: its figures are of a part of the traffic, and there is no verdict\./)
  })

  test('a host that stops a check gets no verdict', async () => {
    const lab = await labModule.LabModule.open(await host.compile('lab.wasm'), () => true)
    expect(lab.call({ command: 'check' }, LIMITED)).toEqual({ outcome: 'interrupted', text: '',
      messages: ['interrupted: the report is about what was done until then'] })
  })

  test('a signal ends the work at once', async () => {
    await expect(runLab(SMALL, { signal: AbortSignal.abort('before') })).rejects.toBe('before')
    const ending = new AbortController()
    await expect(runLab(SMALL, { scale: 1000, signal: ending.signal, onProgress: () => ending.abort('amid') })).rejects.toBe('amid')
  })

  test('data that take too much memory are an error, and the next run is not', { timeout: 60 * SECONDS }, async () => {
    await expect(runLab(SMALL, { scale: 100_000, maxMemoryBytes: 50e6 })).rejects.toThrow(/^Layout "plain": the data takes more memory than the run may take\./)
    expect((await runLab(SMALL, { noConfirm: true })).stopped).toBe(false)
  })

  test('wrong arguments are refused', async () => {
    await expect(runLab()).rejects.toThrow(TypeError('hashrange: it is runLab(text, options), with the text of a lab file.'))
    await expect(checkLab(SMALL, { vary: 'a' })).rejects.toThrow(/there is no option `vary`, but name, /)
    await expect(explainLab(SMALL, { layout: 7 })).rejects.toThrow(LabError)
    await expect(runLab(SMALL, { thin: 0 })).rejects.toThrow('"thin" is not a whole number from 1 to 1000000.')
    await expect(runLab(SMALL, { layout: 'plian' })).rejects.toThrow('unknown layout "plian"; did you mean plain? The file has "plain", "by kind"')
    await expect(runLab(new Uint8Array(2 ** 26))).rejects.toThrow('The lab file is too large.')
  })

  test('the schema is that of the documents, and the first file is right', { timeout: 60 * SECONDS }, async () => {
    expect(await labSchema()).toBe(await readFile(new URL('../../../../docs/lab.schema.json', import.meta.url), 'utf8'))
    expect((await explainLab(await labStarter())).messages).toEqual([])
  })
})
