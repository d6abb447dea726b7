// What stories do on the page of a view, mostly with the keyboard.

import assert from 'node:assert/strict'
import { findViolations } from './browser.mjs'
import { withPage } from './with-page.mjs'

/** Runs a story on the view `hash` ("shop/query"). `seed` fills the server before the page opens. */
export function onPage(hash, seed, run, options = {}) {
  return withPage({ ...options, hash: `/000000000000/us-east-1/${hash}`, prepare: seed }, ({ page, server }) => run(page, server))
}

/** Goes to another view as a link would. */
export async function goTo(page, hash) {
  await page.evaluate((to) => (location.hash = `#/000000000000/us-east-1/${to}`), hash)
}

/** Presses a key with Ctrl. */
export async function pressWithCtrl(page, key) {
  await page.keyboard.down('Control')
  await page.keyboard.press(key)
  await page.keyboard.up('Control')
}

/**
 * Focuses the element with a label or a text by its keyboard focus, not by a click. Waits until the element takes the focus, which
 * the elements of a dialog do once it is open.
 */
export async function focusOn(page, name, selector = 'a, button, input, select, textarea, [tabindex]') {
  await page.waitForFunction((wanted, among) => {
    const named = (element) => (element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText ?? '').trim()
    return [...document.querySelectorAll(among)].some((element) => {
      if (named(element) !== wanted || element.disabled) return false
      element.focus()
      return element.contains(document.activeElement)
    })
  }, {}, name, selector)
}

/** Focuses a button and presses Enter. */
export async function press(page, name, selector = 'button, a') {
  await focusOn(page, name, selector)
  await page.keyboard.press('Enter')
}

/** Replaces the text of a field by typing. */
export async function fillIn(page, name, text) {
  await focusOn(page, name, 'input, textarea')
  await pressWithCtrl(page, 'a')
  if (text === '') await page.keyboard.press('Backspace')
  else await page.keyboard.type(text)
}

/** Returns the cells of a grid as they are seen: a list of texts for each row in sight. */
export function gridRows(page, label) {
  return page.$eval(`[role=grid][aria-label="${label}"]`, (grid) =>
    [...grid.querySelectorAll('.grid-row')].map((row) => [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.innerText)))
}

export async function assertNoViolations(page) {
  assert.deepEqual(await findViolations(page), [])
}

/** Asserts that nothing is wider than the window. */
export async function assertFits(page) {
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true, 'the page is wider than the window')
}

/** Waits until the field has the value. */
export function waitForValue(page, name, value) {
  return page.waitForFunction((wanted_name, wanted) => {
    const named = (element) => (element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? '').trim()
    return [...document.querySelectorAll('input, textarea, select')].some((field) => named(field) === wanted_name && field.value === wanted)
  }, {}, name, value)
}

/** Chooses an option of a select field, by its value. */
export async function choose(page, name, value) {
  await focusOn(page, name, 'select')
  const handle = await page.evaluateHandle(() => document.activeElement)
  await handle.select(value)
}
