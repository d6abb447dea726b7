// Requests as a tail with their units, filtered, and those of the page repeated.

import assert from 'node:assert/strict'
import { soon, takePicture, textOf, waitForText } from './support/browser.mjs'
import { assertFits, assertNoViolations, choose, fillIn, focusOn, goTo, gridRows, onPage, press, pressWithCtrl, waitForValue } from './support/on-page.mjs'
import { seedShop } from './support/shop.mjs'
import { story } from './support/story.mjs'

/** Makes the calls of a program: a Query of GSI1, a Scan, a write and a call that fails. */
async function makeCalls(server) {
  await server.call('Query', {
    TableName: 'shop', IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :p AND begins_with(GSI1SK, :s)',
    ExpressionAttributeValues: { ':p': { S: 'STATUS#open' }, ':s': { S: 'ORDER#' } }
  })
  await server.call('Scan', { TableName: 'shop', FilterExpression: 'age > :a', ExpressionAttributeValues: { ':a': { N: '60' } } })
  await server.call('PutItem', { TableName: 'shop', Item: { PK: { S: 'a' }, SK: { S: 'b' }, GSI1PK: { S: 'STATUS#open' }, GSI1SK: { S: 'c' } } })
  await server.call('Query', { TableName: 'shop', KeyConditionExpression: '<script>' }).catch(() => {})
}

// Without the time and the duration.
const rowsOf = async (page) => (await gridRows(page, 'Requests')).map((cells) => cells.slice(1, 6))

story('Requests are listed with their units once the reader asks for it, and filtered', () =>
  onPage('shop/tables', seedShop, async (page, server) => {
    await page.keyboard.type('gr')
    await waitForText(page, 'The server does not list calls.')
    await assertNoViolations(page)
    await press(page, 'List the calls from now on')
    await waitForText(page, 'No such call has come yet.')
    await makeCalls(server)
    await page.waitForFunction(() => document.querySelectorAll('.grid-row').length === 3)
    await soon(async () => assert.deepEqual(await rowsOf(page), [
      ['PutItem', 'shop', '2', '', '200'], ['Scan', 'shop', '7.5', '9 of 660', '200'], ['Query', 'shop.GSI1', '1', '60', '200']
    ]))
    await focusOn(page, 'Requests', '[role=grid]')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await waitForText(page, 'A Scan reads the items of all keys', '.change')
    await soon(async () => assert.match(await textOf(page, '.change'), /\$0\.9375, on demand, us-east-1 prices/))
    await takePicture(page, 'requests')
    await assertNoViolations(page)
    await choose(page, 'Operation', 'PutItem')
    await waitForText(page, '1 request, 2 write units')
    await choose(page, 'Operation', '')
    await focusOn(page, 'only failed')
    await page.keyboard.press(' ')
    await waitForText(page, 'No such call of this table. 1 call of no table or of another one is left out.')
    await press(page, '1 more of no table or of another one: show them')
    await waitForText(page, 'ValidationException', '.change')
    await takePicture(page, 'requests-failed')
    await server.kill()
    await waitForText(page, 'The server does not answer', '.notice')
    await assertNoViolations(page)
  }))

story('A request of the page is repeated', () =>
  onPage('shop/query', seedShop, async (page, server) => {
    await fillIn(page, 'PK equals', 'USER#u0001')
    await pressWithCtrl(page, 'Enter')
    await page.waitForSelector('.grid-row')
    await server.call('DeleteItem', { TableName: 'shop', Key: { PK: { S: 'USER#u0001' }, SK: { S: 'PROFILE' } } })
    await goTo(page, 'shop/requests')
    await press(page, 'Of this page (1)', '[role=tab]')
    await waitForText(page, 'aws dynamodb query', '.change')
    await press(page, 'Repeat the Query')
    await waitForText(page, '4 items, 0.5 read units', '.change')
    await takePicture(page, 'requests-own')
    await assertNoViolations(page)
  }))

story('A listed Query opens in the query view, which says that its values are not known', () =>
  onPage('shop/requests', async (server) => {
    await seedShop(server)
    await server.control('POST', 'requests', { enabled: true })
    await makeCalls(server)
  }, async (page) => {
    await choose(page, 'Operation', 'Query')
    await page.waitForFunction(() => document.querySelectorAll('.grid-row').length === 1)
    await press(page, 'Open a Query of it')
    await waitForText(page, 'The list of requests does not record values: give GSI1PK a value')
    await waitForValue(page, 'Read from', 'GSI1')
    assert.equal(await page.$('.notice-warning'), null)
    await takePicture(page, 'query-listed')
    // The page's own calls are told from those of programs.
    await fillIn(page, 'GSI1PK equals', 'STATUS#open')
    await pressWithCtrl(page, 'Enter')
    await page.waitForSelector('.grid-row')
    await goTo(page, 'shop/requests')
    await soon(async () => assert.deepEqual((await rowsOf(page)).map(([operation]) => operation), ['Query page', 'PutItem', 'Scan', 'Query']))
    await focusOn(page, "without this page's")
    await page.keyboard.press(' ')
    await page.waitForFunction(() => document.querySelectorAll('.grid-row').length === 3)
  }))

story('Requests at 390 pixels', () =>
  onPage('shop/requests', async (server) => {
    await seedShop(server)
    await server.control('POST', 'requests', { enabled: true })
    await makeCalls(server)
  }, async (page) => {
    await page.waitForSelector('.grid-row')
    await assertFits(page)
    await takePicture(page, 'requests-390')
    await assertNoViolations(page)
  }, { width: 390, height: 844, scheme: 'dark' }))
