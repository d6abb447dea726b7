// Items: edited as a tree and as JSON under a condition, deleted, and written back by undo.

import assert from 'node:assert/strict'
import { soon, takePicture, textOf, waitForText } from './support/browser.mjs'
import { assertFits, assertNoViolations, choose, fillIn, focusOn, goTo, gridRows, onPage, press, pressWithCtrl, waitForValue } from './support/on-page.mjs'
import { seedShop } from './support/shop.mjs'
import { story } from './support/story.mjs'

const kUser = { PK: { S: 'USER#u0001' }, SK: { S: 'PROFILE' } }
const kSeen = {
  ...kUser, Type: { S: 'user' }, name: { S: 'User 1' }, email: { S: 'u1@example.com' }, age: { N: '21' }, tags: { L: [{ S: 'new' }, { S: 'eu' }] }
}
const viewOf = (key) => `shop/item?key=${encodeURIComponent(JSON.stringify(key))}`

async function itemOf(server, key = kUser) {
  return (await server.call('GetItem', { TableName: 'shop', Key: key })).Item
}

story('An item is edited as a tree, and undo writes it back', () =>
  onPage(viewOf(kUser), seedShop, async (page, server) => {
    await waitForText(page, 'Where it is')
    await soon(async () => assert.match(await textOf(page, '.item-side'), /The item has no attribute GSI1PK\./))
    await page.keyboard.press('e')
    await fillIn(page, 'Value of age', '12345678901234567890123456789012345678x')
    await waitForText(page, 'This is not a number.')
    await page.keyboard.press('Backspace')
    await press(page, '+ Add an attribute')
    await page.waitForFunction(() => document.activeElement?.getAttribute('placeholder') === 'name')
    await page.keyboard.type('flags')
    await choose(page, 'Type of flags', 'SS')
    await page.waitForFunction(() => document.querySelectorAll('.tree-problem').length === 0)
    await fillIn(page, 'Value of flags[0]', 'vip')
    await press(page, 'Remove tags')
    await waitForText(page, '1 changed, 1 added, 1 removed, not written')
    await takePicture(page, 'item-edited')
    await assertNoViolations(page)
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'Changed USER#u0001 · PROFILE.')
    const { tags, ...others } = kSeen
    assert.deepEqual(await itemOf(server), { ...others, age: { N: '12345678901234567890123456789012345678' }, flags: { SS: ['vip'] } })

    await page.waitForFunction(() => document.activeElement?.blur() ?? true)
    await page.keyboard.press('u')
    await page.waitForSelector('dialog[open] .undo-list')
    await focusOn(page, 'Undo', '.undo-list button')
    await page.keyboard.press('Enter')
    await waitForText(page, 'Everything is undone.')
    assert.deepEqual(await itemOf(server), kSeen)
    await page.keyboard.press('Escape')
    await waitForValue(page, 'Value of age', '21')
  }))

story('What was not written is there again when the item is', () =>
  onPage(viewOf(kUser), seedShop, async (page, server) => {
    await waitForText(page, 'Where it is')
    await fillIn(page, 'Value of age', '22')
    await waitForText(page, '1 changed, not written')
    await goTo(page, 'shop/tables')
    await server.call('UpdateItem', { TableName: 'shop', Key: kUser, UpdateExpression: 'SET email = :e', ExpressionAttributeValues: { ':e': { S: 'ann@example.com' } } })
    await goTo(page, viewOf(kUser))
    await waitForText(page, '1 changed, not written')
    await waitForValue(page, 'Value of email', 'ann@example.com')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'Changed USER#u0001 · PROFILE.')
    assert.deepEqual(await itemOf(server), { ...kSeen, age: { N: '22' }, email: { S: 'ann@example.com' } })

    await goTo(page, 'shop/tables')
    await goTo(page, viewOf(kUser))
    await waitForValue(page, 'Value of age', '22')
    assert.doesNotMatch(await textOf(page, '.toolbar'), /not written/)
  }))

story('An item is edited as JSON: numbers keep their digits, sets stay sets', () =>
  onPage('shop/tables', async (server) => {
    await seedShop(server)
    await server.call('UpdateItem', { TableName: 'shop', Key: kUser, UpdateExpression: 'SET flags = :f, exact = :n', ExpressionAttributeValues: { ':f': { SS: ['a', 'b'] }, ':n': { N: '0.10000000000000000000000000000000000001' } } })
  }, async (page, server) => {
    await goTo(page, viewOf(kUser))
    await waitForText(page, 'Where it is')
    await press(page, 'JSON', '[role=tab]')
    await page.waitForSelector('.item-text')
    const text = await page.$eval('.item-text', (field) => field.value)
    assert.match(text, /"exact": 0\.10000000000000000000000000000000000001/)
    await fillIn(page, 'The item as JSON', text.replace('"age": 21', '"age": 22').replace('["a", "b"]', '["a", "c"]') + 'x')
    await waitForText(page, 'Something follows the value.')
    await focusOn(page, 'The item as JSON')
    await pressWithCtrl(page, 'End')
    await page.keyboard.press('Backspace')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'Changed USER#u0001 · PROFILE.')
    const item = await itemOf(server)
    assert.deepEqual([item.age, item.flags, item.exact], [{ N: '22' }, { SS: ['a', 'c'] }, { N: '0.10000000000000000000000000000000000001' }])
  }))

story('What somebody else changed is not overwritten, and a draft goes onto it', () =>
  onPage(viewOf(kUser), seedShop, async (page, server) => {
    await waitForText(page, 'Where it is')
    await server.call('UpdateItem', { TableName: 'shop', Key: kUser, UpdateExpression: 'SET email = :e', ExpressionAttributeValues: { ':e': { S: 'other@example.com' } } })
    await fillIn(page, 'Value of age', '30')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'Somebody changed the item after it was read')
    assert.match(await textOf(page, '.notice-warning'), /email\s+changed\s+u1@example\.com\s+other@example\.com/)
    assert.deepEqual((await itemOf(server)).age, { N: '21' })
    await takePicture(page, 'item-conflict')
    await assertNoViolations(page)
    await press(page, 'Put my changes onto the present item')
    await waitForValue(page, 'Value of email', 'other@example.com')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'Changed USER#u0001 · PROFILE.')
    assert.deepEqual(await itemOf(server), { ...kSeen, age: { N: '30' }, email: { S: 'other@example.com' } })
  }))

story('An item is copied to another key, and moved', () =>
  onPage(viewOf(kUser), seedShop, async (page, server) => {
    await waitForText(page, 'Where it is')
    await press(page, 'Duplicate')
    await waitForText(page, 'New item')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'There is an item with this key already.')
    await fillIn(page, 'Value of PK', 'USER#copy')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'Put USER#copy · PROFILE.')
    const copy = { ...kUser, PK: { S: 'USER#copy' } }
    assert.deepEqual(await itemOf(server, copy), { ...kSeen, ...copy })
    await waitForText(page, 'USER#copy · PROFILE', '.item-title')
    await fillIn(page, 'Value of SK', 'MOVED')
    await waitForText(page, 'one transaction puts the new item and deletes the old one')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'Changed USER#copy · MOVED.')
    assert.equal(await itemOf(server, copy), undefined)
    assert.deepEqual(await itemOf(server, { ...copy, SK: { S: 'MOVED' } }), { ...kSeen, ...copy, SK: { S: 'MOVED' } })
  }))

story('Several items are deleted by one click, and undo brings back those that nobody took', () =>
  onPage('shop/query', seedShop, async (page, server) => {
    await fillIn(page, 'PK equals', 'USER#u0001')
    await pressWithCtrl(page, 'Enter')
    await page.waitForSelector('.grid-row')
    const before = await gridRows(page, 'Items')
    assert.equal(before.length, 5)
    await focusOn(page, 'Items', '[role=grid]')
    await page.keyboard.press(' ')
    await page.keyboard.down('Shift')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.up('Shift')
    await press(page, 'Delete 3 items')
    await page.waitForSelector('dialog[open]')
    await assertNoViolations(page)
    await press(page, 'Delete 3 items', 'dialog button')
    await waitForText(page, 'Deleted 3 items.')
    await page.waitForFunction(() => document.querySelectorAll('.grid-row').length === 2)
    const { Items } = await server.call('Query', { TableName: 'shop', KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': kUser.PK } })
    assert.equal(Items.length, 2)
    // Somebody takes the key of one of them.
    await server.call('PutItem', { TableName: 'shop', Item: { PK: kUser.PK, SK: { S: before[0][2] }, taken: { BOOL: true } } })
    await press(page, 'Undo (1)')
    await focusOn(page, 'Undo', '.undo-list button')
    await page.keyboard.press('Enter')
    await waitForText(page, '1 item changed since the write, and stayed as they are now.')
    const after = await server.call('Query', { TableName: 'shop', KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': kUser.PK } })
    assert.deepEqual([after.Items.length, after.Items.filter((item) => item.taken).length], [5, 1])
  }))

story('A read-only console shows nothing that writes', () =>
  onPage(viewOf(kUser), seedShop, async (page) => {
    await waitForValue(page, 'Value of age', '21')
    const buttons = () => page.$$eval('main button, main .button', (all) => all.map((each) => each.innerText.trim()))
    await soon(async () => assert.deepEqual(await buttons(), ['Tree', 'JSON', 'DynamoDB JSON']))
    assert.equal(await page.$eval('.tree-value textarea', (field) => field.readOnly), true)
    await assertNoViolations(page)
    await goTo(page, 'shop/query')
    await fillIn(page, 'PK equals', 'USER#u0001')
    await pressWithCtrl(page, 'Enter')
    await page.waitForSelector('.grid-row')
    await focusOn(page, 'Items', '[role=grid]')
    await page.keyboard.press(' ')
    await waitForText(page, '1 item selected')
    await soon(async () => assert.deepEqual((await buttons()).filter((name) => /delete|new|undo/i.test(name)), []))
    await goTo(page, 'shop/partiql')
    await fillIn(page, 'PartiQL statement', `DELETE FROM "shop" WHERE PK = 'USER#u0001' AND SK = 'PROFILE'`)
    await waitForText(page, 'This console is read-only.')
    await soon(async () => assert.equal(await page.$eval('.query-run button', (button) => button.disabled), true))
  }, { server_options: ['--console', 'read-only'] }))

story('An item at 390 pixels, and of a server that stops', () =>
  onPage(viewOf(kUser), seedShop, async (page, server) => {
    await waitForText(page, 'Where it is')
    await assertFits(page)
    await takePicture(page, 'item-390')
    await assertNoViolations(page)
    await fillIn(page, 'Value of age', '99')
    await server.kill()
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'The server does not answer', 'main')
    await waitForValue(page, 'Value of age', '99')
  }, { width: 390, height: 844, scheme: 'dark' }))
