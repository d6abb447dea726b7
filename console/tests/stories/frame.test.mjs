// The frame: the page opens, finds its server, and moves between views and places.

import assert from 'node:assert/strict'
import { findViolations, openPage, startBrowser, takePicture, textOf, waitForText } from './support/browser.mjs'
import { startServer } from './support/server.mjs'
import { story } from './support/story.mjs'

story('The page opens on the tables of the usual account', async () => {
  const server = await startServer()
  const browser = await startBrowser()
  try {
    await server.call('CreateTable', {
      TableName: 'app',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }]
    })
    const { page, complaints } = await openPage(browser, server.page_url)
    await waitForText(page, 'app', 'main')
    assert.equal(await page.title(), 'Tables · Hashrange console')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog[open]')
    assert.match(await textOf(page, 'dialog[open]'), /Go to Tables/)
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog[open]', { hidden: true })
    await takePicture(page, 'frame')
    assert.deepEqual(await findViolations(page), [])
    assert.deepEqual(complaints, [])
  } finally {
    await browser.close()
    await server.stop()
  }
})
