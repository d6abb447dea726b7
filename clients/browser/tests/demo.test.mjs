// The demo, as a visitor uses it.

import { beforeAll, expect, inject, test } from 'vitest'
import { openPage, startBrowser } from './support/chromium.mjs'

let browser
beforeAll(async () => {
  browser = await startBrowser()
})

async function openDemo(options) {
  const page = await openPage(browser, '/built/demo/index.html', options)
  await page.waitForSelector('body[data-is-ready]')
  return page
}

const rowsOf = (page) => page.$$eval('tbody tr', (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)))

async function put(page, order, total) {
  await page.fill('#put [name=order]', order)
  await page.fill('#put [name=total]', total)
  await page.click('#put button')
  await page.waitForFunction((text) => document.querySelector('#answer').textContent.includes(text), order)
}

test('orders are put and queried', async () => {
  const page = await openDemo()
  await put(page, '2026-002', '7')
  await put(page, '2026-001', '12.50')
  await put(page, '2025-001', '1')
  await page.click('#query button')
  await page.waitForSelector('table:not([hidden])')
  expect(await page.textContent('#answer')).toBe('ada has 2 such orders.')
  expect(await rowsOf(page)).toEqual([['2026-001', '12.5'], ['2026-002', '7']])
})

test('an order that is not new, and a total that is no number', async () => {
  const page = await openDemo()
  await put(page, '2026-001', '7')
  await page.check('#put [name=isNew]')
  await page.click('#put button')
  await page.waitForSelector('#answer.failed')
  expect(await page.textContent('#answer')).toBe('ConditionalCheckFailedException: The conditional request failed')
  await page.fill('#put [name=total]', 'much')
  await page.click('#put button')
  await page.waitForFunction(() => document.querySelector('#answer').textContent.startsWith('ValidationException'))
})

test.skipIf(!inject('hasLab'))('a run of the lab shows its page', async () => {
  const page = await openDemo()
  await page.click('#lab button:not([type])')
  await page.waitForSelector('iframe:not([hidden])')
  expect(await page.textContent('#verdict')).toMatch(/^The run took \d+\.\d s\.$/)
  expect(await page.$eval('progress', ({ value }) => value)).toBe(1)
  const report = await (await page.$('iframe')).contentFrame()
  await report.waitForSelector('svg[role=img]')
  expect(await report.textContent('body')).toContain('sparse index')
  expect(await page.textContent('pre')).toMatch(/^Take "filter"/)
})

test.skipIf(!inject('hasLab'))('a wrong lab file, and a run that is stopped', async () => {
  const page = await openDemo()
  await page.fill('textarea', 'lab: 1\n')
  await page.click('#lab button:not([type])')
  await page.waitForSelector('#verdict.failed')
  expect(await page.textContent('#verdict')).toMatch(/^LabError: lab\.yaml:/)
  await page.reload()
  await page.waitForSelector('body[data-is-ready]')
  await page.$eval('textarea', (field) => (field.value = field.value.replace('for: 20s', 'for: 9h')))
  await page.click('#lab button:not([type])')
  await page.click('#stop:not([disabled])')
  await page.waitForSelector('#verdict.failed')
  expect(await page.textContent('#verdict')).toMatch(/^AbortError: /)
  expect(await page.isEnabled('#lab button:not([type])')).toBe(true)
})

test.each([[1100, 900], [390, 844]])('the page fits a window of %i pixels', async (width, height) => {
  const page = await openDemo({ viewport: { width, height } })
  await put(page, '2026-001', '12.50')
  await page.click('#query button')
  await page.waitForSelector('table:not([hidden])')
  if (inject('hasLab')) {
    await page.click('#lab button:not([type])')
    await page.waitForSelector('iframe:not([hidden])')
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/demo-${width}.png`, fullPage: true })
})
