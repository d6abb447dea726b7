// Hostile data: names, keys and values that would be markup, would turn text around, or are very
// large, are shown as what they are, and do nothing.

import assert from 'node:assert/strict'
import { findViolations, soon, takePicture, textOf } from './support/browser.mjs'
import { story } from './support/story.mjs'
import { placeHash, settled, withPage } from './support/with-page.mjs'

const kMarkup = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>'
const kTexts = [
  kMarkup, '"><svg/onload=window.broken=1>', '{{constructor.constructor("window.broken=1")()}}', 'javascript:window.broken=1', "'; DROP TABLE--",
  '\u0000\u0007\u001b[31mred', 'line\nbreak\ttab', '\u202Egnp.exe\u202C', '\u200F\u200E\u2066x\u2069', 'שלום #1', '👩‍👩‍👧‍👦', '%00%2e%2e%2f', '__proto__', '${7*7}', ' '
]
const kNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', kMarkup, '\u202Eeman', 'a.b[0]', '#n', '', 'x'.repeat(3000)].filter((name) => name !== '')

// Makes pseudo-random texts of the pieces, the same in every run.
function* drawTexts(count) {
  let state = 12345
  const next = (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % below
  }
  for (let i = 0; i < count; ++i) yield Array.from({ length: 1 + next(3) }, () => kTexts[next(kTexts.length)]).join('') + i
}

async function prepare(server) {
  await server.call('CreateTable', {
    TableName: 'hostile', BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['PK', 'SK', '__proto__'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
    GlobalSecondaryIndexes: [{ IndexName: 'odd', KeySchema: [{ AttributeName: '__proto__', KeyType: 'HASH' }], Projection: { ProjectionType: 'KEYS_ONLY' } }]
  })
  let i = 0
  for (const text of drawTexts(120)) {
    const attributes = kNames.map((name) => [name, name === '__proto__' || i % 2 ? { S: text } : { M: Object.fromEntries([[text, { L: [{ S: text }, { B: 'AAEC' }] }]]) }])
    await server.call('PutItem', { TableName: 'hostile', Item: Object.fromEntries([['PK', { S: text }], ['SK', { S: text }], ...attributes]) })
    ++i
  }
  await server.call('PutItem', { TableName: 'hostile', Item: { PK: { S: '!large' }, SK: { S: '1' }, large: { S: '<b>'.repeat(133_000) } } })
}

story('Hostile data is inert and can be told apart, on the board, in a table, and item by item', () =>
  withPage({ prepare, hash: placeHash({ table: 'hostile', view: 'collections' }), height: 1600 }, async ({ page }) => {
    await page.waitForFunction(() => document.querySelectorAll('.board-item').length > 10)
    const seen = async () => {
      assert.equal(await page.evaluate(() => window.broken), undefined)
      assert.equal(await page.$$eval('main img, main script, main iframe, main svg', (all) => all.length), 0)
    }
    await seen()
    await soon(async () => assert.match(await textOf(page, '.board'), /<b><b><b>/))
    await page.$eval('.board', (board) => (board.scrollTop = board.scrollHeight))
    await page.waitForFunction(() => document.querySelectorAll('.board-item').length > 5)
    await seen()
    await page.$eval('.board', (board) => (board.scrollTop = 0))
    // The large value is shown in part, and as a whole only as far as a reader reads.
    await page.waitForSelector('.board-item ::-p-text(<b><b>)')
    await (await page.waitForSelector('.board-item ::-p-text(<b><b>)')).click()
    await page.waitForSelector('.places li')
    await (await page.waitForSelector('.item-panel ::-p-text(The first 20,000 characters)')).click()
    await page.waitForFunction(() => document.querySelector('.attributes')?.innerText.length > 20_000)
    assert.ok((await textOf(page, '.attributes')).length < 25_000)
    // Marks that turn text around are shown as signs.
    const prefix = '\u202E'
    await page.goto(page.url().replace(/#.*/, `#${placeHash({ table: 'hostile', view: 'collections', prefix })}`))
    await page.waitForFunction(() => [...document.querySelectorAll('.board-head .sign')].some((sign) => sign.innerText === 'U+202E'))
    await settled(page)
    await (await page.waitForSelector('.board-item')).click()
    await page.waitForSelector('.places li')
    await seen()
    await soon(async () => {
      const names = await page.$$eval('.attributes dt', (all) => all.map((each) => each.innerText))
      for (const name of ['__proto__', 'constructor', 'toString', '<img src=x']) assert.ok(names.some((text) => text.includes(name)), name)
    })
    await takePicture(page, 'hostile')
    assert.deepEqual(await findViolations(page), [])
    // The index whose key is the attribute __proto__.
    await page.goto(page.url().replace(/#.*/, `#${placeHash({ table: 'hostile', view: 'collections', index: 'odd' })}`))
    await page.waitForFunction(() => document.querySelectorAll('.board-item').length > 10)
    await seen()
    await page.goto(page.url().replace(/#.*/, `#${placeHash({ table: 'hostile', view: 'collections', key: '{"PK":' })}`))
    await page.waitForFunction(() => document.querySelectorAll('.board-item').length > 10)
    await seen()
  }))

story('A hostile URL is a place like any other', () =>
  withPage({ prepare, hash: placeHash({ table: 'hostile' }) }, async ({ page }) => {
    for (const hash of [
      '#/1/2/3/4?5', '#/000000000000/us-east-1/%3Cimg%20src=x%3E/collections', '#/__proto__/constructor/toString/valueOf',
      '#/000000000000/us-east-1/hostile/collections?index=%3Cscript%3E', '#/000000000000/us-east-1/hostile/collections?key=%5B%5D&item=7&at=x&order=%00',
      '#/000000000000/us-east-1/hostile/collections?key=%7B%22PK%22%3A%7B%22S%22%3A7%7D%7D'
    ]) {
      await page.evaluate((to) => (location.hash = to), hash)
      await new Promise((resolve) => setTimeout(resolve, 300))
      assert.ok((await textOf(page, 'main')).length > 0, hash)
      assert.equal(await page.$$eval('main img, main script', (all) => all.length), 0, hash)
    }
  }))
