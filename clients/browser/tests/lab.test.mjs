// The lab in a page: results, progress, and how a run ends.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openCalls, startBrowser } from './support/chromium.mjs'

const FILE = readFileSync(new URL('../demo/orders.yaml', import.meta.url), 'utf8')

describe.skipIf(!inject('hasLab'))('the lab in a page', () => {
  let page
  beforeAll(async () => {
    page = await openCalls(await startBrowser(), { until: afterAll })
  })

  const inPage = (work, given) => page.evaluate(work, given)

  test('a run says how much is done, and gives a text, JSON and a page', async () => {
    const { result, shares } = await inPage(async (file) => {
      const shares = []
      const result = await runLab(file, { html: true, json: true, noConfirm: true, onProgress: (done) => shares.push(done) })
      return { result, shares }
    }, FILE)
    expect(result).toEqual({ text: expect.stringMatching(/^Take "filter": it costs US\$ 74\.23 a month/), messages: [], stopped: false,
      json: expect.stringMatching(/^\{/), html: expect.stringMatching(/^<!doctype html>/i) })
    expect(shares.length).toBeGreaterThan(0)
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...shares)).toBeLessThanOrEqual(1)
  })

  test('two runs at the same time have the same result', async () => {
    const [one, other] = await inPage((file) => Promise.all([1, 2].map(() => runLab(file, { noConfirm: true, json: true }))), FILE)
    expect(one).toEqual(other)
  })

  test('layouts are explained, and limits checked', async () => {
    const [explained, checked] = await inPage(async (file) => [await explainLab(file), await checkLab(`${file}limits: {filter: {month_usd: 1}}\n`)], FILE)
    expect(explained.text).toContain('open orders of a customer')
    expect(checked.holds).toBe(false)
    expect(checked.text).toContain('month_usd')
  })

  test('a wrong file is an error with a place', async () => {
    expect(await inPage(async () => [await failureOf(runLab('lab: 1\nentities: 7\n', { name: 'mine.yaml' })), await failureOf(runLab(7))])).toEqual([
      { name: 'LabError', message: expect.stringMatching(/^mine\.yaml:2:\d+: /) },
      { name: 'TypeError', message: 'hashrange: it is runLab(text, options), with the text of a lab file.' },
    ])
  })

  test('a run ends when its signal aborts, and the next one is done', async () => {
    const [failure, before, text] = await inPage(async (file) => {
      const long = file.replace('for: 20s', 'for: 2h')
      const ends = new AbortController()
      const failure = await failureOf(runLab(long, { signal: ends.signal, onProgress: () => ends.abort() }))
      const before = await failureOf(runLab(long, { signal: AbortSignal.abort() }))
      return [failure, before, (await runLab(file, { noConfirm: true })).text]
    }, FILE)
    expect([failure.name, before.name, text.length > 100]).toEqual(['AbortError', 'AbortError', true])
  })

  test('an error of onProgress ends the run', async () => {
    expect(await inPage((file) => failureOf(runLab(file, { onProgress: () => { throw new Error('no bar') } })), FILE)).toEqual(
      { name: 'Error', message: 'no bar' })
  })

  test('the schema, and a file to start from', async () => {
    const [schema, starter] = await inPage(async () => [JSON.parse(await labSchema()), await labStarter()])
    expect(schema.$schema).toMatch(/json-schema/)
    expect(starter).toMatch(/^# A lab/)
  })
})
