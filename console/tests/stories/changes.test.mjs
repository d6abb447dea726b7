// Changes as they come: from a stream, and from the tail of a table without one.

import assert from 'node:assert/strict'
import { soon, takePicture, textOf, waitForText } from './support/browser.mjs'
import { assertFits, assertNoViolations, fillIn, focusOn, gridRows, onPage, press } from './support/on-page.mjs'
import { kShopTable, seedShop } from './support/shop.mjs'
import { story } from './support/story.mjs'

const kKey = { PK: { S: 'USER#ada' }, SK: { S: 'PROFILE' } }

async function write(server) {
  await server.call('PutItem', { TableName: 'shop', Item: { ...kKey, age: { N: '36' }, address: { M: { city: { S: 'London' }, street: { S: 'Main' } } } } })
  await server.call('UpdateItem', {
    TableName: 'shop', Key: kKey, UpdateExpression: 'SET age = :a, address.city = :c, tags = :t', ExpressionAttributeValues: { ':a': { N: '37' }, ':c': { S: '<b>Paris</b>' }, ':t': { SS: ['x'] } }
  })
  await server.call('DeleteItem', { TableName: 'shop', Key: kKey })
}

/** Returns the rows without their times. */
const rowsOf = async (page) => (await gridRows(page, 'Changes')).map((cells) => cells.slice(1))
const kRows = [
  ['deleted', 'USER#ada · PROFILE', '5 attributes'], ['changed', 'USER#ada · PROFILE', 'address.city: London → <b>Paris</b>, age: 36 → 37, tags: none → {"x"}'], ['put', 'USER#ada · PROFILE', '4 attributes']
]

async function followWrites(page, server) {
  await write(server)
  await page.waitForFunction(() => document.querySelectorAll('.grid-row').length === 3)
  assert.deepEqual(await rowsOf(page), kRows)
  await focusOn(page, 'Changes', '[role=grid]')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await waitForText(page, 'address.city', '.change')
  assert.deepEqual(await page.$$eval('.difference tbody tr', (rows) => rows.map((row) => [row.className, ...[...row.cells].map((cell) => cell.innerText.replace(/\s+/g, ' ').trim())])), [
    ['difference-same', 'PK', 'USER#ada', 'USER#ada'], ['difference-same', 'SK', 'PROFILE', 'PROFILE'],
    ['difference-changed', '≠address.city changed', 'London', '<b>Paris</b>'], ['difference-same', 'address.street', 'Main', 'Main'],
    ['difference-changed', '≠age changed', '36', '37'], ['difference-added', '+tags added', '', '{"x"}']
  ])
  await assertNoViolations(page)
}

story('The stream of a table as a tail, with what differs', () =>
  onPage('shop/changes', async (server) => {
    await server.call('CreateTable', { ...kShopTable, StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } })
  }, async (page, server) => {
    await waitForText(page, 'No change has come yet.')
    await followWrites(page, server)
    await takePicture(page, 'changes')
    await fillIn(page, 'Find a change', 'paris')
    await page.waitForFunction(() => document.querySelectorAll('.grid-row').length === 2)
    await server.kill()
    await waitForText(page, 'The server does not answer')
    assert.equal((await page.$$('.grid-row')).length, 2)
    await assertNoViolations(page)
  }))

story('The changes of a table without a stream, once the reader asks for them', () =>
  onPage('shop/changes', seedShop, async (page, server) => {
    await waitForText(page, 'This table has no stream.')
    await assertNoViolations(page)
    await press(page, 'Keep the changes of shop from now on')
    await waitForText(page, 'No change has come yet.')
    await followWrites(page, server)
    // Below the pointer, rows stay where they are: new ones wait.
    await (await page.waitForSelector('.grid-row:last-child, .grid-row')).hover()
    await server.call('PutItem', { TableName: 'shop', Item: kKey })
    await waitForText(page, 'Show 1 new')
    assert.equal((await page.$$('.grid-row')).length, 3)
    await takePicture(page, 'changes-waiting')
    await assertNoViolations(page)
    await page.mouse.move(5, 5)
    await page.waitForFunction(() => document.querySelectorAll('.grid-row').length === 4)
    await press(page, 'Stop keeping the changes')
    await waitForText(page, 'forgets the changes of shop', 'dialog')
    await press(page, 'Stop keeping the changes', 'dialog button')
    await waitForText(page, 'This table has no stream.')
  }))

/** Returns how many cells of the list show less than all of their text. */
const cutCells = (page) => page.$$eval('.grid-row .two-lines, .change-head', (all) =>
  all.filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1).map((each) => each.innerText))

for (const width of [1280, 800, 390]) {
  story(`What differs can be read whole in the list of changes (${width} pixels)`, () =>
    onPage('shop/changes', async (server) => {
      await server.call('CreateTable', { ...kShopTable, StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } })
      const change = (values) => server.call('UpdateItem', {
        TableName: 'shop', Key: kKey, UpdateExpression: `SET ${Object.keys(values).map((name) => `${name} = :${name}`).join(', ')}`,
        ExpressionAttributeValues: Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, { S: value }]))
      })
      const names = ['age', 'biography', 'city', 'description', 'an_attribute_with_a_name_that_is_rather_long']
      const image = (count, value) => Object.fromEntries(names.slice(0, count).map((name) => [name, value]))
      await change(image(5, 'a'))
      await change({ city: 'London' })
      await change({ city: 'Paris', age: '36' })
      for (const count of [2, 3, 4, 5]) for (const value of ['a text of some length', 'another text, which is longer than the room that a list has for it']) await change(image(count, value))
    }, async (page) => {
      await page.waitForFunction(() => document.querySelectorAll('.grid-row').length === 11)
      await waitForText(page, 'age: a → 36, city: London → Paris', '[role=grid]')
      assert.deepEqual(await cutCells(page), [])
      await assertFits(page)
      await takePicture(page, `what-differs-${width}`)
      await assertNoViolations(page)
    }, { width, height: 844 }))
}

story('Changes at 390 pixels', () =>
  onPage('shop/changes', async (server) => {
    await server.call('CreateTable', { ...kShopTable, StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } })
    await write(server)
  }, async (page) => {
    await waitForText(page, 'The stream has only keys.')
    await soon(async () => assert.match(await textOf(page, '.toolbar'), /Stream \(keys only\)/))
    await assertFits(page)
    await takePicture(page, 'changes-390')
    await assertNoViolations(page)
  }, { width: 390, height: 844, scheme: 'dark' }))
