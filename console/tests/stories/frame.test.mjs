// The frame: the page opens, finds its server, and moves between views and places.

import assert from 'node:assert/strict'
import { dropFile, findViolations, soon, takePicture, textOf, waitForText } from './support/browser.mjs'
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
    await (await page.waitForSelector('[role=grid]')).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await waitForText(page, 'shop', '.details h2')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.details', { hidden: true })
    await soon(async () => assert.equal(await page.title(), 'Tables · Hashrange console'))
    // Keys in a field are text, not shortcuts.
    await page.keyboard.press('/')
    await page.keyboard.type('gc?')
    assert.equal(await page.title(), 'Tables · Hashrange console')
    assert.equal(await page.$('dialog[open]'), null)
  }))

story('The reader chooses light or dark, and the choice stays', () =>
  withPage({ scheme: 'dark' }, async ({ page }) => {
    const theme = () => page.$eval('html', (element) => element.dataset.theme)
    await soon(async () => assert.equal(await theme(), 'dark'))
    await (await page.waitForSelector('[aria-label="Use light colours"]')).click()
    await soon(async () => assert.equal(await theme(), 'light'))
    await page.reload()
    await page.waitForSelector('main')
    await soon(async () => assert.equal(await theme(), 'light'))
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

// What each view offers in read-only mode. Nothing of it writes an item or a table.
const kReadOnlyViews = [
  { view: 'tables', buttons: ['✕', 'Collections', 'Download ▾'] },
  { view: 'collections', buttons: ['By key', 'By hash', 'Fold all', 'Query the table', '↻'], without: '.entity' },
  { view: 'query', buttons: ['History', 'Save', '+ Add a filter', 'Run the Scan', 'Explain', 'Answer', 'Request and code'], without: '.template' },
  { view: 'partiql', buttons: ['History', 'Save', 'Run the SELECT', 'Explain'] },
  { view: 'item', buttons: ['Tree', 'JSON', 'DynamoDB JSON'] },
  { view: 'requests', buttons: ['Of all clients', 'Of this page (n)', 'List the calls from now on', 'Pause', 'Clear'] }
]

story('A server with --console read-only: nothing in the page writes, and the API writes as before', () =>
  withPage({ server_options: ['--console', 'read-only'], prepare: (server) => loadApplication(server, 'shop'), hash: placeHash({ table: 'shop' }) }, async ({ page, server }) => {
    await waitForText(page, 'read-only', 'header')
    assert.equal((await server.control('GET', '')).console, 'read-only')
    const key = { PK: { S: 'PRODUCT#1' }, SK: { S: 'META' } }
    const { Items } = await server.call('Scan', { TableName: 'shop', Limit: 1 })
    Object.assign(key, { PK: Items[0].PK, SK: Items[0].SK })
    for (const { view, buttons, without } of kReadOnlyViews) {
      await page.evaluate((to) => (location.hash = to), `#${placeHash({ table: 'shop', view, ...(view === 'item' && { key: JSON.stringify(key) }) })}`)
      await page.waitForFunction((title) => document.title.toLowerCase().startsWith(title), {}, view)
      const shownButtons = () => page.$$eval('main button, main a.button', (all, left_out) =>
        all.filter((each) => !left_out || !each.matches(left_out)).map((each) => each.innerText.trim().replace(/\s+/g, ' ').replace(/\(\d+\)/, '(n)')).filter(Boolean), without ?? '')
      await soon(async () => assert.deepEqual([view, await shownButtons()], [view, buttons]))
    }
    // Neither by a shortcut nor by a file that is dropped.
    await page.evaluate((to) => (location.hash = to), `#${placeHash({ table: 'shop' })}`)
    await page.waitForSelector('.details')
    await dropFile(page, new URL('../../../conformance/apps/blog.json', import.meta.url).pathname, '.tables')
    assert.equal(await page.$('dialog[open]'), null)
    // The mode keeps people from mistakes, and no program from the API.
    const status = await page.evaluate(async () => {
      const answer = await fetch('/', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': 'DynamoDB_20120810.PutItem', 'X-Amz-Date': '20260101T000000Z',
          Authorization: 'AWS4-HMAC-SHA256 Credential=000000000000/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0'
        },
        body: JSON.stringify({ TableName: 'shop', Item: { PK: { S: 'by hand' }, SK: { S: '1' } } })
      })
      return answer.status
    })
    assert.equal(status, 200)
    assert.deepEqual(await findViolations(page), [])
  }))
