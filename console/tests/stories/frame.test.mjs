// The frame: the page opens, finds its server, and moves between views and places.

import assert from 'node:assert/strict'
import { findViolations, takePicture, textOf, waitForText } from './support/browser.mjs'
import { story } from './support/story.mjs'
import { loadApplication, placeHash, withPage } from './support/with-page.mjs'

story('The page opens on the tables of the usual account', () =>
  withPage({ prepare: (server) => loadApplication(server, 'shop') }, async ({ page }) => {
    await waitForText(page, 'shop', 'main')
    assert.equal(await page.title(), 'Tables · Hashrange console')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog[open]')
    assert.match(await textOf(page, 'dialog[open]'), /Go to Tables/)
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog[open]', { hidden: true })
    await takePicture(page, 'frame')
    assert.deepEqual(await findViolations(page), [])
  }))

story('The first paint, of five pages in the foreground, is printed', () =>
  withPage({ prepare: (server) => loadApplication(server, 'shop') }, async ({ page, server }) => {
    const times = []
    for (let i = 0; i < 5; ++i) {
      const fresh = await page.browserContext().newPage()
      await fresh.bringToFront()
      await fresh.setCacheEnabled(false)
      await fresh.goto(server.page_url)
      await waitForText(fresh, 'shop', 'main')
      times.push(await fresh.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime))
      await fresh.close()
    }
    console.log(`  first paint: median ${times.sort((a, b) => a - b)[2].toFixed(0)} ms of ${times.map((time) => time.toFixed(0)).join(', ')} ms`)
    assert.ok(times.every((time) => time > 0))
  }))

story('The keyboard alone moves between views, opens a table and lists the shortcuts', () =>
  withPage({ prepare: async (server) => { for (const name of ['blog', 'orders', 'shop']) await loadApplication(server, name) } }, async ({ page }) => {
    await waitForText(page, 'shop', '[role=grid]')
    await page.keyboard.press('/')
    await page.keyboard.type('o')
    await page.focus('[role=grid]')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await waitForText(page, 'shop', '.details h2')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.details', { hidden: true })
    // Keys in a field are text, not shortcuts.
    await page.keyboard.press('/')
    await page.keyboard.type('gc?')
    assert.equal(await page.title(), 'Tables · Hashrange console')
    assert.equal(await page.$('dialog[open]'), null)
  }))

story('The reader chooses light or dark, and the choice stays', () =>
  withPage({ scheme: 'dark' }, async ({ page }) => {
    const theme = () => page.$eval('html', (element) => element.dataset.theme)
    assert.equal(await theme(), 'dark')
    await page.click('[aria-label="Use light colours"]')
    assert.equal(await theme(), 'light')
    await page.reload()
    await page.waitForSelector('main')
    assert.equal(await theme(), 'light')
  }))

story('A server with a token is asked with it: the page asks the reader once', () =>
  withPage({ server_options: ['--control-token', 'the-token-of-this-story'] }, async ({ page }) => {
    const give = async (text) => {
      const field = await page.waitForSelector('dialog input[type=password]')
      await field.click({ count: 3 })
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    await give('wrong')
    await waitForText(page, 'The server did not accept the token.', 'dialog')
    assert.deepEqual(await findViolations(page), [])
    await give('the-token-of-this-story')
    await page.waitForSelector('dialog', { hidden: true })
    await page.waitForSelector('.toolbar .button-main')
    await page.reload()
    await page.waitForSelector('.toolbar .button-main')
    assert.equal(await page.$('dialog'), null)
  }))

story('In read-only mode nothing that writes is shown', () =>
  withPage({ prepare: (server) => loadApplication(server, 'shop'), hash: placeHash({ table: 'shop' }) }, async ({ page }) => {
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      if (!request.url().endsWith('/_hashrange/')) return request.continue()
      return request.respond({ contentType: 'application/json', body: '{"version":"0","pid":1,"uptime_ms":1,"tables":1,"console":"read-only"}' })
    })
    await page.reload()
    await waitForText(page, 'read-only', 'header')
    await page.waitForSelector('.details')
    const buttons = await page.$$eval('main button, main a.button', (all) => all.map((each) => each.innerText.trim().replace(/\s+/g, ' ')))
    assert.deepEqual(buttons, ['✕', 'Collections', 'Download ▾'])
  }))
