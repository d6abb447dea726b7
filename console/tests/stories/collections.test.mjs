// Collections: a single table as its designer draws it, and as each index sees it.

import assert from 'node:assert/strict'
import { findViolations, soon, takePicture, textOf, waitForText } from './support/browser.mjs'
import { fillIn, pressWithCtrl, waitForValue } from './support/on-page.mjs'
import { seedShop } from './support/shop.mjs'
import { story } from './support/story.mjs'
import { loadApplication, placeHash, settled, withPage } from './support/with-page.mjs'

const ecommerce = (parameters = {}) => ({
  prepare: (server) => loadApplication(server, 'ecommerce'),
  hash: placeHash({ table: 'ecommerce', view: 'collections', ...parameters })
})

/** Returns what the board shows: a line of text for each of its lines, with " | " between the cells. */
function boardLines(page) {
  return page.$$eval('.board [role=row]', (rows) =>
    rows.map((row) => [...row.querySelectorAll('[role=gridcell], [role=columnheader]')].map((cell) => cell.innerText.replace(/\s+/g, ' ').trim()).join(' | ').trim()))
}

async function openCollection(page, key) {
  await (await page.waitForSelector('::-p-aria([name="Key or prefix"])')).click()
  await page.keyboard.type(key)
  await page.waitForFunction((wanted) => {
    const heads = [...document.querySelectorAll('.board-head')]
    return heads.length > 0 && heads.every((head) => head.innerText.includes(wanted))
  }, {}, key)
  await settled(page)
}

story('Collections: entities, collections by key, and items under the names of their attributes', () =>
  withPage({ ...ecommerce(), height: 1600 }, async ({ page }) => {
    await settled(page)
    const entityGroups = () => page.$$eval('.entity-group', (all) => all.map((group) => group.innerText.split('\n').map((text) => text.trim()).filter(Boolean).join(' ')))
    await soon(async () => {
      const groups = await entityGroups()
      assert.deepEqual(groups.map((text) => text.split(' ')[0]), ['ORDER#{digits}', 'METRICS#{date}', 'USER#{digits}', 'PRODUCT#{…}'])
      assert.equal(groups[0], 'ORDER#{digits} ITEM#{digits} 6 META 4')
    })
    const linesOfOrder = async () => {
      const lines = await boardLines(page)
      const at = lines.findIndex((line) => line.includes('ORDER#1001'))
      return lines.slice(at, at + 6)
    }
    await soon(async () => assert.deepEqual(await linesOfOrder(), [
      '▾ PK ORDER#1001 3 items ITEM#{digits}2 META Query',
      'SK | entityType | productId | quantity',
      'ITEM#1 | OrderItem | p1 | 2',
      'ITEM#2 | OrderItem | p3 | 1',
      'SK | GSI1PK | GSI1SK | amount | date | entityType | status | userId',
      'META | STATUS#delivered | ORDER#2024-01-05#1001 | 59.5 | 2024-01-05 | Order | delivered | 1'
    ]))
    await waitForText(page, '12 of 12 collections', '.collections-count')
    await page.setViewport({ width: 1280, height: 800 })
    await takePicture(page, 'collections')
    assert.deepEqual(await findViolations(page), [])
  }))

story('Collections: the reader folds, finds a key, and chooses the order of a Scan', () =>
  withPage(ecommerce(), async ({ page }) => {
    await settled(page)
    await (await page.waitForSelector('.board-head')).click()
    await page.waitForSelector('.board-head[aria-expanded=false]')
    await openCollection(page, 'USER#1')
    await soon(async () => assert.equal((await boardLines(page)).filter((line) => line.startsWith('▾')).length, 1))
    await soon(async () => assert.match(page.url(), /prefix=USER%231/))
    await page.goto(page.url().replace(/\?.*/, '?order=hash'))
    await settled(page)
    await soon(async () => {
      const places = await page.$$eval('.board-at', (all) => all.map((each) => parseFloat(each.innerText)))
      assert.ok(places.length > 2 && places.every((place, i) => i === 0 || place > places[i - 1]), String(places))
    })
    await page.$eval('input[type=range]', (range) => {
      range.value = '0.5'
      range.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await page.waitForFunction(() => parseFloat(document.querySelector('.board-at')?.innerText) >= 50)
    await soon(async () => assert.match(page.url(), /at=0.5/))
  }))

story('Collections: an entity alone is a plain table', () =>
  withPage(ecommerce(), async ({ page }) => {
    await settled(page)
    await (await page.waitForSelector('.entity ::-p-text(PROFILE)')).click()
    await page.waitForSelector('.grid-row')
    const rows = () => page.$$eval('[role=grid] [role=row]', (all) =>
      all.map((row) => [...row.querySelectorAll('[role=gridcell], [role=columnheader]')].map((cell) => cell.innerText.trim()).join(' | ')))
    await soon(async () => assert.deepEqual(await rows(), [
      'PK | SK | email | entityType | name | GSI2PK | GSI2SK',
      'USER#1 | PROFILE | ada@example.com | User | Ada | ACTIVE_USER | USER#1',
      'USER#2 | PROFILE | ben@example.com | User | Ben | ACTIVE_USER | USER#2',
      'USER#3 | PROFILE | cleo@example.com | User | Cleo |  | '
    ]))
    await takePicture(page, 'entity')
    assert.deepEqual(await findViolations(page), [])
    // Its collections have other items, too.
    await (await page.waitForSelector('.choice ::-p-text(Board)')).click()
    await waitForText(page, '3 of 3 collections with its items; other items are grey')
    await soon(async () => assert.deepEqual(await page.$$eval('.board-item:not(.board-other)', (all) => [...new Set(all.map((each) => each.innerText.split('\n')[0].trim()))]), ['PROFILE']))
    assert.deepEqual(await findViolations(page), [])
    await (await page.waitForSelector('.choice ::-p-text(Table)')).click()
    // An entity whose sort keys differ is read by Queries.
    await (await page.waitForSelector('.entity ::-p-text(ITEM#)')).click()
    await waitForText(page, 'OrderItem', '[role=grid]')
    await page.waitForFunction(() => document.querySelectorAll('.grid-row').length === 6)
  }))

story('Collections: the table of an entity is sorted by a press on a head, and says that only what is loaded is sorted', () =>
  withPage({ hash: placeHash({ table: 'shop', view: 'collections', entity: 'USER#{…} · ORDER#{date}#{…}', as: 'table' }), prepare: (server) => seedShop(server, 60) }, async ({ page }) => {
    await page.waitForFunction(() => document.querySelectorAll('.grid-row').length >= 20)
    const heads = () => page.$$eval('[role=columnheader]', (all) => Object.fromEntries(all.map((head) => [head.innerText, head.getAttribute('aria-sort')])))
    const column = async (name) => {
      const at = Object.keys(await heads()).findIndex((head) => head.startsWith(name))
      return page.$$eval('.grid-row', (rows, c) => rows.slice(0, 20).map((row) => row.querySelectorAll('[role=gridcell]')[c].innerText.trim()), at)
    }
    const byKey = await column('SK')
    await soon(async () => assert.deepEqual(new Set(Object.values(await heads())), new Set(['none'])))
    await (await page.waitForSelector('[role=columnheader] ::-p-text(total)')).click()
    await waitForText(page, 'Sorted by total, ascending: only the ')
    const [, loaded] = /only the (\d+) items that are loaded, of 180\./.exec(await textOf(page, '.sort-note'))
    assert.ok(loaded >= 100 && loaded < 180, loaded)
    assert.equal((await heads())['total ▲'], 'ascending')
    await (await page.waitForSelector('.sort-note ::-p-text(Load 1,000 more)')).click()
    await waitForText(page, 'Sorted by total, ascending: all 180 items.')
    assert.deepEqual((await column('total')).slice(0, 4), ['10', '10.01', '10.02', '10.03'])
    assert.deepEqual(await findViolations(page), [])
    await takePicture(page, 'entity-sorted')
    // By the keyboard: up from the first row to the heads, then to the next one.
    await (await page.waitForSelector('[role=grid]')).focus()
    await page.keyboard.press('ArrowUp')
    const activeHead = () => page.$eval('[role=grid]', (grid) => document.getElementById(grid.getAttribute('aria-activedescendant')).innerText)
    assert.equal(await activeHead(), 'PK')
    while (!(await activeHead()).startsWith('total')) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await waitForText(page, 'Sorted by total, descending: all 180 items.')
    assert.deepEqual((await column('total')).slice(0, 3), ['12.59', '12.58', '12.57'])
    // The order is in the URL.
    await page.reload()
    await waitForText(page, `Sorted by total, descending: only the ${loaded} items that are loaded, of 180.`)
    await (await page.waitForSelector('[role=grid]')).focus()
    await page.keyboard.press('ArrowUp')
    while (!(await activeHead()).startsWith('total')) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.sort-note', { hidden: true })
    await soon(async () => assert.deepEqual(await column('SK'), byKey))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.item-panel')
  }))

story('From the board to a Query: of a collection, of an entity in it, of an index', () =>
  withPage({ hash: placeHash({ table: 'shop', view: 'collections', prefix: 'USER#' }), prepare: (server) => seedShop(server, 3) }, async ({ page }) => {
    const chosen = () => page.waitForSelector('.template[aria-pressed="true"]').then((button) => button.evaluate((each) => each.innerText.replace(/\s+/g, ' ').trim()))
    const backToBoard = async () => {
      await page.goBack()
      await settled(page)
    }
    /** Clicks what matches in the head of a collection, once it is there. */
    const clickInHead = (key, selector) =>
      page.waitForFunction((wanted, at) => {
        const head = [...document.querySelectorAll('.board-head')].find((each) => each.innerText.includes(wanted))
        const found = head?.querySelector(at)
        found?.click()
        return Boolean(found)
      }, {}, key, selector)
    await settled(page)
    // A collection: its HASH value is in the form and in the blank of the template.
    await clickInHead('USER#u0001', '.board-query')
    await soon(async () => assert.match(await chosen(), /^USER#… whole collection \d+ items$/))
    await waitForValue(page, 'PK: text', 'u0001')
    await waitForValue(page, 'PK equals', 'USER#u0001')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'of 5 examined')
    await takePicture(page, 'query-of-collection')
    assert.deepEqual(await findViolations(page), [])
    await backToBoard()
    // An entity in a collection.
    await clickInHead('USER#u0002', '.board-tag[href*="ORDER"]')
    await soon(async () => assert.match(await chosen(), /^USER#… ORDER#date#… \d+ items$/))
    await waitForValue(page, 'PK equals', 'USER#u0002')
    await waitForValue(page, 'Value of SK', 'ORDER#')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'of 3 examined')
    await backToBoard()
    // By the keyboard, from an item: those of its entity.
    await (await page.waitForSelector('[role=treegrid]')).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('q')
    await page.waitForSelector('.template[aria-pressed="true"]')
    await backToBoard()
    // An index, then an entity of it.
    await (await page.waitForSelector('.pivot-place ::-p-text(GSI1)')).click()
    await waitForText(page, 'Projection:')
    await (await page.waitForSelector('a ::-p-text(Query GSI1)')).click()
    await waitForValue(page, 'Read from', 'GSI1')
    await waitForValue(page, 'GSI1PK equals', '')
    await backToBoard()
    await (await page.waitForSelector('.entity ::-p-text(ORDER#)')).click()
    await page.waitForSelector('.entity[aria-pressed="true"]')
    await (await page.waitForSelector('a ::-p-text(Query GSI1)')).click()
    await soon(async () => assert.match(await chosen(), /^STATUS#status ORDER#date#… 9 items$/))
    await fillIn(page, 'GSI1PK: status', 'paid')
    await waitForValue(page, 'GSI1PK equals', 'STATUS#paid')
    await waitForValue(page, 'Value of GSI1SK', 'ORDER#')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'of 3 examined')
  }))

const kVectorTable = {
  TableName: 'products', BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['PK', 'shop', 'category'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })), KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  VectorIndexes: [{
    IndexName: 'byMeaning', VectorAttribute: { AttributeName: 'embedding' }, Dimensions: 3, DistanceFunction: 'COSINE', Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['title'] },
    SearchSchema: [{ AttributeName: 'shop', SearchSchemaElementType: 'HASH' }, { AttributeName: 'category', SearchSchemaElementType: 'INLINE_FILTER' }]
  }]
}

async function seedVectors(server) {
  await server.call('CreateTable', kVectorTable)
  const vector = (...numbers) => ({ L: numbers.map((number) => ({ N: String(number) })) })
  for (const Item of [
    { PK: { S: 'tent' }, shop: { S: 'north' }, title: { S: 'a light tent' }, price: { N: '210' }, embedding: vector(1, 1, 0) },
    { PK: { S: 'stove' }, shop: { S: 'north' }, title: { S: 'a stove' } },
    { PK: { S: 'map' }, shop: { S: 'north' }, embedding: vector(1, 0) },
    { PK: { S: 'rope' }, embedding: vector(0, 0, 1) }
  ]) await server.call('PutItem', { TableName: 'products', Item }).catch((error) => { if (Item.PK.S !== 'map') throw error })
}

for (const [width, scheme] of [[1280, 'light'], [390, 'dark']]) {
  story(`Index pivot: a vector index is said in sentences, with the items that are in it (${width} pixels)`, () =>
    withPage({ hash: placeHash({ table: 'products', view: 'collections' }), prepare: seedVectors, width, scheme }, async ({ page }) => {
      await settled(page)
      await (await page.waitForSelector('.pivot-place ::-p-text(byMeaning)')).click()
      await page.waitForFunction(() => document.querySelectorAll('.grid-row').length >= 3)
      const note = async () => (await textOf(page, '.pivot-note')).replace(/\s+/g, ' ')
      await soon(async () => assert.match(await note(), /byMeaning is a vector index: SearchVectors finds the items whose embedding, a list of 3 numbers, is the nearest to a given one by COSINE\. It has no item collections\./))
      await soon(async () => assert.match(await note(), /A search reads the vectors of one shop, and may ask for category\. It has 1 of the table's 3 items\. Projection: keys, title\./))
      const rows = async () => (await page.$$eval('.grid-row', (all) => all.map((row) => [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.innerText.replace(/\d+ B/, 'n B'))))).sort()
      await soon(async () => assert.deepEqual(await rows(), [
        ['rope', 'no: The item has no attribute shop.'], ['stove', 'no: The item has no attribute embedding.'], ['tent', 'yes, n B, without embedding, price']
      ]))
      assert.equal(await page.$('[role=alert]'), null)
      await takePicture(page, `vector-index-${width}`)
      assert.deepEqual(await findViolations(page), [])
      await (await page.waitForSelector('.grid-row ::-p-text(tent)')).click()
      await page.waitForSelector('.places li')
      const places = () => page.$$eval('.places li', (all) => all.map((each) => each.innerText.replace(/\s+/g, ' ').replace(/\d+ B/, 'n B').trim()))
      await soon(async () => assert.deepEqual(await places(), ['Table tent', 'byMeaning by embedding 3 numbers, COSINE without embedding, price n B']))
      assert.deepEqual(await findViolations(page), [])
      await page.keyboard.press('Escape')
      await (await page.waitForSelector('label ::-p-text(only items that are not in it)')).click()
      await page.waitForFunction(() => document.querySelectorAll('.grid-row').length === 2)
    }))
}

story('Index pivot: sparse items are gone, and an item shows every place it has', () =>
  withPage({ ...ecommerce({ index: 'GSI1' }), height: 1200 }, async ({ page }) => {
    await settled(page)
    await soon(async () => assert.match(await textOf(page, '.pivot-note'), /^7 of the table's 35 items: 28 lack GSI1PK or GSI1SK\.\s+Projection: all attributes\.$/))
    await soon(async () => {
      const heads = (await boardLines(page)).filter((line) => line.startsWith('▾'))
      assert.deepEqual(heads.map((line) => line.split(' ')[2]), ['ORG#acme', 'ORG#globex', 'STATUS#delivered', 'STATUS#pending', 'STATUS#shipped'])
    })
    await (await page.waitForSelector('.board-item ::-p-text(ORDER#2024-02-10)')).click()
    await page.waitForSelector('.places li')
    const places = () => page.$$eval('.places li', (all) => all.map((each) => each.innerText.split('\n').map((text) => text.trim()).filter(Boolean)))
    await soon(async () => assert.deepEqual((await places()).map((texts) => texts.filter((text) => !/ B$/.test(text))), [
      ['Table', 'ORDER#1002', 'META'],
      ['GSI1', 'STATUS#shipped', 'ORDER#2024-02-10#1002'],
      ['GSI2', 'The item has no attribute GSI2PK.']
    ]))
    await takePicture(page, 'index-pivot')
    assert.deepEqual(await findViolations(page), [])
    // A key is a link to its collection.
    await (await page.waitForSelector('.places a ::-p-text(ORDER#1002)')).click()
    await waitForText(page, 'One collection: ORDER#1002', 'main')
    await page.waitForFunction(() => document.querySelectorAll('.board-item').length === 2)
    await soon(async () => assert.match(await textOf(page, '.board-head'), /2 items/))
  }))

story('Index pivot: a linked collection says how many items it has, of which it shows the first', () =>
  withPage({ hash: placeHash({ table: 'shop', view: 'collections', index: 'GSI1', key: '{"GSI1PK":{"S":"STATUS#open"}}' }), prepare: (server) => seedShop(server) }, async ({ page }) => {
    await waitForText(page, '60 items', '.board-head')
    await page.waitForSelector('.board-item')
    await page.$eval('.board', (board) => (board.scrollTop = board.scrollHeight))
    await waitForText(page, 'Show more of 35 items', '.board')
  }))

story('Index pivot: what the projection lacks is grey', () =>
  withPage(
    {
      prepare: async (server) => {
        await server.control('POST', 'seed', {
          table: 'narrow',
          definition: {
            BillingMode: 'PAY_PER_REQUEST',
            AttributeDefinitions: ['PK', 'SK', 'owner'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
            KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
            GlobalSecondaryIndexes: [{ IndexName: 'by-owner', KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }], Projection: { ProjectionType: 'KEYS_ONLY' } }]
          },
          data: '{"PK":"A#1","SK":"x","owner":"ada","note":"secret"}\n{"PK":"A#2","SK":"x","note":"none"}\n'
        })
      },
      hash: placeHash({ table: 'narrow', view: 'collections', index: 'by-owner' })
    },
    async ({ page }) => {
      await settled(page)
      await soon(async () => assert.match(await textOf(page, '.pivot-note'), /1 of the table's 2 items: 1 lacks owner\.\s+Projection: keys only\. Grey is what it leaves out/))
      await soon(async () => assert.deepEqual(await page.$$eval('.board-item .left-out', (all) => all.map((each) => each.innerText)), ['secret']))
      await soon(async () => assert.equal(await page.$eval('.board-item', (row) => row.innerText.includes('none')), false))
      assert.deepEqual(await findViolations(page), [])
    }))

story('Collections: everything is done with the keyboard', () =>
  withPage({ ...ecommerce({}), hash: placeHash({ table: 'ecommerce' }) }, async ({ page }) => {
    await page.waitForSelector('.details')
    for (const key of ['g', 'c']) await page.keyboard.press(key)
    await settled(page)
    await page.keyboard.press('/')
    await page.keyboard.type('ORDER#1001')
    await page.waitForFunction(() => document.querySelectorAll('.board-head').length === 1 && document.querySelectorAll('.board-item').length === 3)
    await page.keyboard.press('Enter')
    await soon(async () => assert.equal(await page.evaluate(() => document.activeElement.className), 'board'))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await waitForText(page, 'ORDER#1001 · ITEM#1', '.item-panel')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.item-panel', { hidden: true })
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.waitForSelector('.board-head[aria-expanded=false]')
    await page.keyboard.press('ArrowRight')
    await page.waitForSelector('.board-head[aria-expanded=true]')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('e')
    await page.waitForFunction(() => location.hash.includes('/item?key='))
    assert.equal(new URLSearchParams(page.url().split('?')[1]).get('key'), '{"PK":{"S":"ORDER#1001"},"SK":{"S":"ITEM#2"}}')
  }))

for (const scheme of ['light', 'dark']) {
  story(`Collections: a narrow screen, ${scheme}`, () =>
    withPage({ ...ecommerce(), width: 390, height: 844, scheme }, async ({ page }) => {
      await settled(page)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.equal(width, 390)
      // The entities are as wide as their names, in the heads of the collections and above the board.
      assert.deepEqual(await page.$$eval('.board-head .entity-tag, .entity-key, .entity-hash', (all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText)), [])
      assert.ok((await page.$$('.board-head .entity-tag')).length > 3)
      await takePicture(page, `collections-390-${scheme}`)
      assert.deepEqual(await findViolations(page), [])
      await (await page.waitForSelector('.board-item')).click()
      await page.waitForSelector('.places li')
      await takePicture(page, `item-390-${scheme}`)
      assert.deepEqual(await findViolations(page), [])
    }))
}

story('Collections: a server that stops in the middle is said', () =>
  withPage(ecommerce(), async ({ server, page }) => {
    await settled(page)
    await server.kill()
    await (await page.waitForSelector('::-p-aria([name="Key or prefix"])')).click()
    await page.keyboard.type('USER#')
    await page.waitForSelector('[role=alert]')
    await soon(async () => assert.deepEqual(await page.$$eval('[role=alert]', (all) => all.map((each) => each.innerText)),
      ['The server does not answer: the page asks it every second, and goes on when it is back.']))
  }))
