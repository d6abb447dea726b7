// A headless Chromium for the tests of a file, and pages in it.

import { afterAll, expect, inject, onTestFinished } from 'vitest'
import { launch } from './launch.mjs'

/** Starts the browser; it ends after all tests of the file. */
export async function startBrowser() {
  const browser = await launch()
  afterAll(() => browser.close())
  return browser
}

/**
 * Opens a page of the site for a test: '/built/tests/pages/calls.html'. `prepare(page)` is called before it loads. The test fails
 * when the page throws, or writes an error to its console, except those of `expected`, a regular expression. With `until: afterAll`,
 * the page is for all tests of a file.
 */
export async function openPage(browser, path, { prepare, expected = /^$/, until = onTestFinished, ...options } = {}) {
  const page = await (await browser.newContext(options)).newPage()
  const problems = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && !expected.test(message.text()) && problems.push(message.text()))
  until(async () => {
    await page.context().close()
    expect(problems).toEqual([])
  })
  await prepare?.(page)
  await page.goto(inject('site') + path)
  return page
}

export const CALLS = '/built/tests/pages/calls.html'

export async function openCalls(browser, options) {
  const page = await openPage(browser, CALLS, options)
  await page.waitForFunction(() => document.title === 'ready')
  return page
}
