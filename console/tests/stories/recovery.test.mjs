// A server that stops and comes back: the page says so, and goes on by itself.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findViolations, soon, takePicture, waitForText } from './support/browser.mjs'
import { fillIn, pressWithCtrl, waitForValue } from './support/on-page.mjs'
import { seedShop } from './support/shop.mjs'
import { story } from './support/story.mjs'
import { placeHash, settled, withPage } from './support/with-page.mjs'

const kGone = 'The server does not answer: the page asks it every second, and goes on when it is back.'

const kUnknown = 'The change got no answer, so it may be written or not. Sent again, it is written only if the item is still as it was read.'

/** Runs a story on a server that keeps its tables over a restart. */
async function onKeptServer(parameters, tell) {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  const options = { hash: placeHash({ table: 'shop', ...parameters }), prepare: (server) => seedShop(server, 3), server_options: ['--data', folder] }
  try {
    await withPage(options, tell)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const alerts = (page) => page.$$eval('[role=alert]', (all) => all.map((each) => each.innerText))

async function isBack(page) {
  await waitForText(page, 'The server is back.')
  await soon(async () => assert.deepEqual(await alerts(page), []))
}

story('Recovery: a page at which nobody does anything notices, says it in one sentence, and reads again', () =>
  onKeptServer({ view: 'collections' }, async ({ server, page }) => {
    await settled(page)
    await server.kill()
    await waitForText(page, kGone)
    await soon(async () => assert.deepEqual(await alerts(page), [kGone]))
    assert.ok((await page.$$('.board-item')).length > 5, 'what was read is still shown')
    await takePicture(page, 'server-gone')
    assert.deepEqual(await findViolations(page), [])
    await server.restart()
    await server.call('PutItem', { TableName: 'shop', Item: { PK: { S: 'AFTERWARDS' }, SK: { S: '1' } } })
    await isBack(page)
    await waitForText(page, 'AFTERWARDS', '.board')
  }))

story('Recovery: what the reader is editing stays, and is written afterwards', () =>
  onKeptServer({ view: 'item', key: JSON.stringify({ PK: { S: 'USER#u0001' }, SK: { S: 'PROFILE' } }) }, async ({ server, page }) => {
    await waitForText(page, 'Where it is')
    await fillIn(page, 'Value of age', '99')
    await server.kill()
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, kGone)
    await waitForText(page, kUnknown)
    await server.restart()
    await waitForText(page, 'The server is back.')
    await soon(async () => assert.deepEqual(await alerts(page), [kUnknown]))
    await waitForValue(page, 'Value of age', '99')
    await pressWithCtrl(page, 'Enter')
    await page.waitForFunction(() => document.querySelector('main')?.innerText.includes('not written') === false)
    await soon(async () => assert.deepEqual(await alerts(page), []))
    const { Item } = await server.call('GetItem', { TableName: 'shop', Key: { PK: { S: 'USER#u0001' }, SK: { S: 'PROFILE' } } })
    assert.deepEqual(Item.age, { N: '99' })
  }))

story('Recovery: a Query that got no answer is asked again', () =>
  onKeptServer({ view: 'query' }, async ({ server, page }) => {
    await page.waitForSelector('.template')
    await fillIn(page, 'PK equals', 'USER#u0001')
    await server.kill()
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, kGone)
    await soon(async () => assert.deepEqual(await alerts(page), [kGone]))
    await server.restart()
    await isBack(page)
    await waitForText(page, 'User 1', '[role=grid]')
  }))

story('Recovery: tails begin again where the server has lost its tables', () =>
  withPage({ hash: placeHash({ table: 'shop', view: 'requests' }), prepare: (server) => seedShop(server, 3) }, async ({ server, page }) => {
    await server.control('POST', 'requests', {})
    await waitForText(page, 'No such call has come yet.')
    await server.kill()
    await waitForText(page, kGone)
    await server.restart()
    await isBack(page)
    await waitForText(page, 'The server does not list calls.', 'main')
  }))
