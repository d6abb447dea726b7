// Queries from key templates, what they cost, and why one is a Scan.

import assert from 'node:assert/strict'
import { soon, takePicture, textOf, waitForText } from './support/browser.mjs'
import { assertFits, assertNoViolations, choose, fillIn, focusOn, goTo, gridRows, onPage, press, pressWithCtrl, waitForValue } from './support/on-page.mjs'
import { seedShop } from './support/shop.mjs'
import { story } from './support/story.mjs'

async function chooseTemplate(page, text) {
  await page.waitForFunction((wanted) => {
    const button = [...document.querySelectorAll('.template')].find((each) => [...each.querySelectorAll('.template-text')].map((part) => part.innerText).join(' ') === wanted)
    button?.focus()
    return Boolean(button)
  }, {}, text)
  await page.keyboard.press('Enter')
}

/** Returns the figures by their names. */
const figuresOf = (page) =>
  page.$$eval('.figure', (all) => Object.fromEntries(all.map((each) => [each.querySelector('dt').innerText, each.querySelector('dd').innerText.replace(/\s+/g, ' ').trim()])))

/** Returns what is said beside fields: their names, and the sentences. */
const errorsOf = (page) =>
  page.$$eval('[aria-invalid="true"]', (all) => all.map((field) =>
    [field.getAttribute('aria-label') ?? field.labels[0].innerText, document.getElementById(field.getAttribute('aria-describedby')).innerText]))

/** Returns the label of the field that has the focus. */
const focusedField = (page) => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.innerText)

/** Puts a text into a field as a paste does. */
async function paste(page, name, text) {
  await focusOn(page, name, 'input')
  await page.evaluate((pasted) => {
    const field = document.activeElement
    field.value = pasted
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste', data: pasted }))
  }, text)
}

story('A key template is filled in, and the answer says what a million such calls cost', () =>
  onPage('shop/tables', seedShop, async (page) => {
    await page.keyboard.type('gq')
    await waitForText(page, 'Key template')
    await waitForText(page, 'This is a Scan.')
    await chooseTemplate(page, 'USER#… ORDER#date#…')
    // Without its HASH value, it is not sent.
    await pressWithCtrl(page, 'Enter')
    await soon(async () => assert.deepEqual(await errorsOf(page), [['PK equals', 'A condition on SK needs a value of PK.']]))
    await takePicture(page, 'query-template')
    await fillIn(page, 'PK: text', 'u0007')
    await fillIn(page, 'SK: date', '2026-08')
    await waitForValue(page, 'Value of SK', 'ORDER#2026-08#')
    await fillIn(page, 'SK: date, up to', '2026-09')
    await waitForValue(page, 'Value 2 of SK', 'ORDER#2026-09~')
    await pressWithCtrl(page, 'Enter')
    await page.waitForSelector('.grid-row')
    await soon(async () => assert.deepEqual((await gridRows(page, 'Items')).map((cells) => cells.slice(1)), [
      ['USER#u0007', 'ORDER#2026-08-22#o00021', 'order', 'paid', '10.07'],
      ['USER#u0007', 'ORDER#2026-09-23#o00022', 'order', 'sent', '11.07']
    ]))
    const figuresWithoutTime = async () => {
      const { time, ...figures } = await figuresOf(page)
      return figures
    }
    await soon(async () => assert.deepEqual(await figuresWithoutTime(), {
      'read units': '0.5 table 0.5', 'a million times this request': '$0.0625 on demand, us-east-1 prices', returned: '2 of 2 examined', page: '1 the last one'
    }))
    assert.equal(await page.$('.notice-warning'), null)
    await takePicture(page, 'query')
    await assertNoViolations(page)

    // The URL has the request: opened again, it is the same.
    await page.reload()
    await waitForValue(page, 'PK equals', 'USER#u0007')
  }))

story('What lacks a value is not sent, and says so beside its field', () =>
  onPage('shop/query', seedShop, async (page) => {
    const asked = []
    page.on('request', (request) => {
      const operation = request.headers()['x-amz-target']?.split('.')[1]
      if (operation === 'Query' || request.url().endsWith('/explain')) asked.push(operation ?? 'explain')
    })
    await fillIn(page, 'PK equals', 'USER#u0007')
    await choose(page, 'Operator of SK', 'BETWEEN')
    await fillIn(page, 'Value 1 of SK', 'ORDER#')
    await press(page, '+ Add a filter')
    await fillIn(page, 'Attribute of filter 1', 'status')
    await choose(page, 'Operator of filter 1', 'begins_with')
    // While the reader fills in the form, nothing is wrong yet.
    assert.deepEqual(await errorsOf(page), [])
    await press(page, 'Explain')
    const kErrors = [
      ['Value 2 of SK', 'BETWEEN needs both values of SK.'],
      ['Value of filter 1', 'begins_with needs a value of status. For the empty string, choose DynamoDB JSON: {"S": ""}']
    ]
    await soon(async () => assert.deepEqual(await errorsOf(page), kErrors))
    await soon(async () => assert.equal(await focusedField(page), 'Value 2 of SK'))
    await waitForText(page, 'Nothing was sent: what is missing or wrong is marked above.', '.query-run')
    await takePicture(page, 'query-incomplete')
    await assertNoViolations(page)
    await page.keyboard.type('ORDER$')
    await pressWithCtrl(page, 'Enter')
    await soon(async () => assert.deepEqual(await errorsOf(page), kErrors.slice(1)))
    await soon(async () => assert.equal(await focusedField(page), 'Value of filter 1'))
    assert.deepEqual(asked, [])
    await page.keyboard.type('pa')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, '1\n', '.figures')
    await soon(async () => assert.equal((await figuresOf(page)).returned, '1 of 3 examined 3 examined for each'))
    assert.deepEqual(asked, ['Query'])
    // An empty blank before a filled one: what is filled in would not be asked for.
    await chooseTemplate(page, 'USER#… ORDER#date#…')
    await fillIn(page, 'PK: text', 'u0007')
    await fillIn(page, 'SK: text', 'o00021')
    await pressWithCtrl(page, 'Enter')
    await soon(async () => assert.deepEqual(await errorsOf(page), ['SK: date', 'SK: date, up to'].map((name) => [name, 'Fill in date: without it, the blanks behind it say nothing.'])))
    await soon(async () => assert.equal(await focusedField(page), 'SK: date'))
    await takePicture(page, 'query-blank')
    await assertNoViolations(page)
    assert.deepEqual(asked, ['Query'])
    await page.keyboard.type('2026-08-22')
    await pressWithCtrl(page, 'Enter')
    await soon(async () => assert.equal((await figuresOf(page)).returned, '1 of 1 examined'))
    assert.deepEqual(await errorsOf(page), [])
  }))

story('A blank takes the label of its template once, and a whole key fills all blanks', () =>
  onPage('shop/query?index=GSI1', seedShop, async (page) => {
    await chooseTemplate(page, 'STATUS#status')
    await fillIn(page, 'GSI1PK: status', 'STATUS#paid')
    await waitForValue(page, 'GSI1PK: status', 'paid')
    await waitForValue(page, 'GSI1PK equals', 'STATUS#paid')
    await chooseTemplate(page, 'STATUS#status ORDER#date#…')
    await paste(page, 'GSI1PK: status', 'STATUS#paid')
    await paste(page, 'GSI1SK: date', 'ORDER#2026-08-22#o00021')
    await waitForValue(page, 'GSI1PK equals', 'STATUS#paid')
    await waitForValue(page, 'Value of GSI1SK', 'ORDER#2026-08-22#o00021')
    await waitForValue(page, 'GSI1SK: text', 'o00021')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, '1 examined')
  }))

story('The bounds of a template can be read in the form and in the code, and have every key between them', () =>
  onPage('shop/query', async (server) => {
    await seedShop(server)
    for (const SK of ['ORDER#2026-09-30#\u{10ffff}', 'ORDER#2026-10-01#a', 'ORDER#2026-08#ñ']) await server.call('PutItem', { TableName: 'shop', Item: { PK: { S: 'USER#u0007' }, SK: { S: SK } } })
  }, async (page) => {
    await chooseTemplate(page, 'USER#… ORDER#date#…')
    await fillIn(page, 'PK: text', 'u0007')
    await fillIn(page, 'SK: date', '2026-08')
    await fillIn(page, 'SK: date, up to', '2026-09')
    await pressWithCtrl(page, 'Enter')
    await soon(async () => assert.deepEqual((await gridRows(page, 'Items')).map((cells) => cells[2]), ['ORDER#2026-08#ñ', 'ORDER#2026-08-22#o00021', 'ORDER#2026-09-23#o00022', 'ORDER#2026-09-30#\u{10ffff}']))
    await press(page, 'Request and code')
    for (const tab of ['JSON', 'SDK v3', 'boto3', 'AWS CLI', 'PartiQL']) {
      await press(page, tab, '[role=tab]')
      await waitForText(page, 'ORDER#2026-09~', '.code')
      assert.match(await textOf(page, '.code code'), /^[\x20-\x7e\n]*$/)
    }
    // Both bounds the same: a beginning.
    await fillIn(page, 'SK: date, up to', '2026-08')
    await waitForValue(page, 'Operator of SK', 'begins_with')
    await waitForValue(page, 'Value of SK', 'ORDER#2026-08')
  }))

story('An index is read by its own templates, and pages and units add up', () =>
  onPage('shop/query', seedShop, async (page) => {
    await page.waitForSelector('.template')
    await choose(page, 'Read from', 'GSI1')
    await fillIn(page, 'GSI1PK equals', 'STATUS#open')
    await fillIn(page, 'Limit of a page', '25')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'more follow')
    await soon(async () => assert.equal((await figuresOf(page)).returned, '25 of 25 examined'))
    // The price of the whole answer is another one than that of the page, and does not depend on how many items a page has.
    const pricesOf = async () => Object.fromEntries(Object.entries(await figuresOf(page)).filter(([name]) => name.startsWith('a million')))
    await soon(async () => assert.deepEqual(await pricesOf(), {
      'a million times this page': '$0.0625 on demand, us-east-1 prices', 'a million times the whole answer': '$0.125 in 1 page, without the limit of 25'
    }))
    await takePicture(page, 'query-pages')
    await assertNoViolations(page)
    await press(page, 'Explain')
    await waitForText(page, 'a million times this page: $0.0625; a million times the whole answer: $0.125, in 1 page, without the limit of 25; on demand, us-east-1 prices', '.explained')
    await press(page, 'Close the explanation')
    await press(page, 'All pages')
    await waitForText(page, 'the last one')
    await soon(async () => {
      const figures = await figuresOf(page)
      assert.equal(figures.returned, '60 of 60 examined')
      assert.equal(figures.pages, '3 the last one')
      assert.deepEqual(await pricesOf(), {
        'a million times these 3 pages': '$0.1875 on demand, us-east-1 prices, the whole answer; each of them rounds up',
        'a million times the whole answer': '$0.125 in 1 page, without the limit of 25'
      })
      assert.match(figures['read units'], /^1.5 GSI1 1.5$|^2 GSI1 2$|^1 GSI1 1$/)
    })
    // Items of the index are opened whole.
    await focusOn(page, 'Items', '[role=grid]')
    await page.keyboard.press('Enter')
    await waitForText(page, 'customer', 'main')
  }))

story('A Scan says why it is one, and which index would serve it', () =>
  onPage('shop/query', seedShop, async (page) => {
    await waitForText(page, 'there is no value of its HASH key PK')
    await press(page, '+ Add a filter')
    await fillIn(page, 'Attribute of filter 1', 'GSI1PK')
    await fillIn(page, 'Value of filter 1', 'STATUS#paid')
    await press(page, '+ Add a filter')
    await fillIn(page, 'Attribute of filter 2', 'total')
    await choose(page, 'Operator of filter 2', '>')
    await waitForValue(page, 'Type of the value of filter 2', 'N')
    await fillIn(page, 'Value of filter 2', '11')
    await fillIn(page, 'Limit of a page', '')
    await press(page, 'Explain')
    await waitForText(page, 'nothing was read or written')
    await soon(async () => assert.match(await textOf(page, '.explained'), /scan shop\s*· \d+ of 660 examined · 7.5 units/))
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'of 660 examined')
    await soon(async () => assert.equal((await figuresOf(page))['a million times this request'], '$0.9375 on demand, us-east-1 prices'))
    await soon(async () => assert.match(await textOf(page, '.notice-warning'), /Index GSI1 has GSI1PK in its key: a Query of index GSI1 serves it\./))
    await takePicture(page, 'query-scan')
    await assertNoViolations(page)
    // With another request, the answer and its price are those of the one before, and say so.
    await fillIn(page, 'Value of filter 2', '12')
    await waitForText(page, 'The request has changed: this is the answer to the one before.')
    assert.equal(await page.$('.explained'), null)
    await takePicture(page, 'query-outdated')
    await assertNoViolations(page)
    await press(page, 'Use index GSI1')
    await page.waitForFunction(() => !document.querySelector('.notice-warning'))
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'GSI1 1')
    await soon(async () => assert.match((await figuresOf(page)).returned, /of 60 examined/))
  }))

story('A Scan for a value that a key template has offers the Query of that key', () =>
  onPage('shop/query', seedShop, async (page) => {
    await page.waitForSelector('.template')
    await press(page, '+ Add a filter')
    await fillIn(page, 'Attribute of filter 1', 'customer')
    await fillIn(page, 'Value of filter 1', 'u0007')
    await waitForText(page, 'Key templates have this value.')
    await soon(async () => assert.deepEqual(await page.$$eval('.offers li', (all) => all.map((each) => each.innerText.replace(/\s+/g, ' '))), [
      'Query USER#u0007 5 items, $0.0625', 'Query USER#u0007 · ORDER#… 3 items, $0.0625'
    ]))
    await waitForText(page, 'The prices are of a million such Queries, on demand, us-east-1 prices:')
    await takePicture(page, 'query-offers')
    await assertNoViolations(page)
    await press(page, 'Query USER#u0007 · ORDER#…')
    await waitForValue(page, 'Value of SK', 'ORDER#')
    // Escape leaves the field that / has gone to.
    await page.evaluate(() => document.activeElement.blur())
    await page.keyboard.press('/')
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT')
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement === document.body)
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'of 3 examined')
    await goTo(page, 'shop/partiql')
    await fillIn(page, 'PartiQL statement', `SELECT * FROM "shop" WHERE customer = 'u0007'`)
    await pressWithCtrl(page, 'Enter')
    await press(page, 'Query USER#u0007')
    await waitForValue(page, 'PartiQL statement', `SELECT *\nFROM "shop"\nWHERE "PK" = 'USER#u0007'`)
  }))

story('The code of a request, and a PartiQL statement that gives the same items', () =>
  onPage('shop/query', seedShop, async (page, server) => {
    await fillIn(page, 'PK equals', 'USER#u0003')
    await fillIn(page, 'Value of SK', 'PROFILE')
    await press(page, 'Request and code')
    for (const [tab, expected] of [['JSON', '"KeyConditionExpression": "#PK = :PK AND #SK = :SK"'], ['SDK v3', 'new QueryCommand({'], ['boto3', 'client.query('], ['AWS CLI', 'aws dynamodb query']]) {
      await press(page, tab)
      await waitForText(page, expected, '.code')
    }
    await press(page, 'PartiQL', '[role=tab]')
    await waitForText(page, 'SELECT *', '.code')
    const { Items } = await server.call('ExecuteStatement', { Statement: await textOf(page, '.code code') })
    assert.deepEqual(Items.map((item) => item.name), [{ S: 'User 3' }])
    await assertNoViolations(page)
  }))

story('Queries are kept in the browser and come back', () =>
  onPage('shop/query', seedShop, async (page) => {
    await fillIn(page, 'PK equals', 'USER#u0001')
    await pressWithCtrl(page, 'Enter')
    await page.waitForSelector('.grid-row')
    await press(page, 'Save')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.type('one user')
    await page.keyboard.press('Enter')
    await waitForText(page, 'Saved in this browser.')
    await fillIn(page, 'PK equals', 'USER#u0002')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'User 2')
    await press(page, 'History')
    await waitForText(page, 'one user', 'dialog')
    await soon(async () => assert.deepEqual(await page.$$eval('.history-entry > span:first-child', (all) => all.map((each) => each.innerText.trim())),
      ['one user table · USER#u0001', 'table · USER#u0002', 'table · USER#u0001']))
    await assertNoViolations(page)
    await (await page.waitForSelector('.history-entry')).focus()
    await page.keyboard.press('Enter')
    await waitForValue(page, 'PK equals', 'USER#u0001')
  }))

const kHostile = ['<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', "'; DROP TABLE", '{{7*7}}', '\u202eevil\u0000', '__proto__', 'constructor', 'javascript:alert(1)']

/** Makes a table whose keys, names and values are hostile. */
export async function seedHostile(server) {
  await server.call('CreateTable', {
    TableName: 'hostile', BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: kHostile[0], AttributeType: 'S' }], KeySchema: [{ AttributeName: kHostile[0], KeyType: 'HASH' }]
  })
  for (const key of kHostile) {
    const members = Object.fromEntries(kHostile.map((name) => [name, { S: key }]))
    await server.call('PutItem', { TableName: 'hostile', Item: { ...members, map: { M: members }, [kHostile[0]]: { S: key } } })
  }
}

story('Hostile names, keys and values stay text in a query and in an item', () =>
  onPage('hostile/query', seedHostile, async (page) => {
    await page.waitForSelector('.template, .field-note')
    await pressWithCtrl(page, 'Enter')
    await page.waitForSelector('.grid-row')
    await soon(async () => assert.equal((await gridRows(page, 'Items')).length, kHostile.length))
    await assertNoViolations(page)
    for (const key of kHostile) {
      await goTo(page, `hostile/item?key=${encodeURIComponent(JSON.stringify({ [kHostile[0]]: { S: key } }))}`)
      await page.waitForFunction((wanted) => document.querySelector('.tree-key textarea')?.value === wanted, {}, key)
    }
    assert.equal(await page.evaluate(() => document.querySelectorAll('main img, main script').length), 0)
    await assertNoViolations(page)
  }))

story('Items are exported as JSON and as CSV', () =>
  onPage('shop/query', seedShop, async (page) => {
    await page.evaluate(() => {
      URL.createObjectURL = (blob) => {
        blob.text().then((text) => (window.exported = text))
        return '#'
      }
    })
    const exported = async (title) => {
      await page.evaluate(() => (window.exported = undefined))
      await press(page, 'Export 2 items')
      await press(page, title, '[role=menuitem]')
      return (await page.waitForFunction(() => window.exported)).jsonValue()
    }
    await fillIn(page, 'PK equals', 'ORDER#o00001')
    await fillIn(page, 'Attributes that come back', 'PK, SK, total')
    await pressWithCtrl(page, 'Enter')
    await page.waitForSelector('.grid-row')
    assert.equal(await exported('JSON'), '[\n{"PK":"ORDER#o00001","SK":"ITEM#1"},\n{"PK":"ORDER#o00001","SK":"META","total":11}\n]\n')
    assert.equal(await exported('CSV'), 'PK:S,SK:S,total:N\nORDER#o00001,ITEM#1,\nORDER#o00001,META,11\n')
    assert.equal(await exported('DynamoDB JSON'),
      '{"PK":{"S":"ORDER#o00001"},"SK":{"S":"ITEM#1"}}\n{"PK":{"S":"ORDER#o00001"},"SK":{"S":"META"},"total":{"N":"11"}}\n')
  }))

story('A query at 390 pixels', () =>
  onPage('shop/query', seedShop, async (page) => {
    await chooseTemplate(page, 'USER#… PROFILE')
    await fillIn(page, 'PK: text', 'u0002')
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'User 2')
    await assertFits(page)
    await page.waitForFunction(() => document.querySelector('.figures')?.getBoundingClientRect().top < 844)
    await takePicture(page, 'query-390')
    await assertNoViolations(page)
  }, { width: 390, height: 844, scheme: 'dark' }))

story('A query of a server that stops says so, and the form stays', () =>
  onPage('shop/query', seedShop, async (page, server) => {
    await page.waitForSelector('.template')
    await fillIn(page, 'PK equals', 'USER#u0001')
    await server.kill()
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'The server does not answer', 'main')
    await waitForValue(page, 'PK equals', 'USER#u0001')
    await assertNoViolations(page)
  }))
