import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { showWarnings } from '../../lib/warnings.cjs'

const AT = '2026-01-31 12:00:00.000'

/** Returns the text shown for a log that arrives in parts. */
async function shownOf(...parts) {
  const log = new PassThrough()
  const shown = []
  showWarnings(log, (line) => shown.push(line))
  for (const part of parts) log.write(part)
  log.end()
  await finished(log)
  return shown
}

test('warnings and errors are shown, and nothing else', async () => {
  const log = ['info a table', 'warning no table', 'debug GetItem', 'error no memory', 'critical no more'].map((line) => `${AT} ${line}\n`)
  expect(await shownOf(...log, 'warning of another program\n')).toEqual(
    ['hashrange server warning: no table', 'hashrange server error: no memory', 'hashrange server critical: no more'])
})

test('what is said again, at another time, is shown once', async () => {
  expect(await shownOf(`${AT} warning one\n${AT} warning two\n`, '2026-01-31 12:01:00.000 warning one\n')).toEqual(
    ['hashrange server warning: one', 'hashrange server warning: two'])
})

test('a line is read whole, however it comes', async () => {
  const bytes = Buffer.from(`${AT} warning table größer not found`)
  expect(await shownOf(...[...bytes].map((byte) => Buffer.from([byte])))).toEqual(['hashrange server warning: table größer not found'])
})
