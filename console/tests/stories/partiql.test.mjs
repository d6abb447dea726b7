// PartiQL statements: completion, highlighting, what they cost, and a question before they write.

import assert from 'node:assert/strict'
import { soon, takePicture, textOf, waitForText } from './support/browser.mjs'
import { assertFits, assertNoViolations, fillIn, focusOn, onPage, press, pressWithCtrl, waitForValue } from './support/on-page.mjs'
import { seedShop } from './support/shop.mjs'
import { story } from './support/story.mjs'

const kField = 'PartiQL statement'
const options = (page) => page.$$eval('.statement-options li .data-text', (all) => all.map((each) => each.innerText))

story('A statement is completed by the keyboard, and a Scan of it is explained', () =>
  onPage('shop/tables', seedShop, async (page) => {
    await page.keyboard.type('gp')
    await waitForValue(page, kField, 'SELECT * FROM "shop"')
    await fillIn(page, kField, 'SELECT * FROM sh')
    await page.waitForSelector('.statement-options')
    await soon(async () => assert.deepEqual(await options(page), ['"shop"']))
    await page.keyboard.press('Enter')
    await waitForValue(page, kField, 'SELECT * FROM "shop"')
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA')
    await page.keyboard.type(" WHERE GSI1P")
    await page.waitForSelector('.statement-options')
    await takePicture(page, 'partiql-completion')
    await assertNoViolations(page)
    await page.keyboard.press('Tab')
    await page.keyboard.type(" = 'STATUS#open' AND cust")
    await page.waitForFunction(() => document.querySelector('.statement-options')?.innerText.includes('customer'))
    await page.keyboard.press('Enter')
    await page.keyboard.type(" = 'USER#u0000'")
    await waitForValue(page, kField, `SELECT * FROM "shop" WHERE "GSI1PK" = 'STATUS#open' AND "customer" = 'USER#u0000'`)
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'of 660 examined')
    await soon(async () => assert.match(await textOf(page, '.notice-warning'), /Index GSI1 has GSI1PK as its HASH key: FROM "shop"\."GSI1" makes it a Query\./))
    await soon(async () => assert.equal((await page.$$('.grid-row')).length, 1))
    await soon(async () => assert.equal(await textOf(page, '.statement-behind .token-string'), "'STATUS#open'"))
    await takePicture(page, 'partiql')
    await assertNoViolations(page)
    await fillIn(page, kField, 'SELECT status FROM "shop".')
    await page.waitForSelector('.statement-options')
    await soon(async () => assert.deepEqual(await options(page), ['"GSI1"']))
    await page.keyboard.press('Escape')
    await page.waitForSelector('.statement-options', { hidden: true })
  }))

story('A statement that writes asks first', () =>
  onPage('shop/partiql', seedShop, async (page, server) => {
    await fillIn(page, kField, `UPDATE "shop" SET age = 99 WHERE PK = 'USER#u0001' AND SK = 'PROFILE'`)
    await page.keyboard.press('Escape')
    const ageOf = async () => (await server.call('GetItem', { TableName: 'shop', Key: { PK: { S: 'USER#u0001' }, SK: { S: 'PROFILE' } } })).Item.age
    await press(page, 'Explain')
    await waitForText(page, '1 write unit')
    await pressWithCtrl(page, 'Enter')
    await page.waitForSelector('dialog[open]')
    assert.deepEqual(await ageOf(), { N: '21' })
    await press(page, 'Update the item', 'dialog button')
    await waitForText(page, 'Done.')
    assert.deepEqual(await ageOf(), { N: '99' })
  }))

story('A mistake is marked in the statement where the answer names its place', () =>
  onPage('shop/partiql', seedShop, async (page) => {
    const marked = () => page.$$eval('.token-mistake', (all) => all.map((each) => each.innerText))
    const answerTo = async (statement, error) => {
      await fillIn(page, kField, statement)
      await page.keyboard.press('Escape')
      await focusOn(page, kField)
      await pressWithCtrl(page, 'Enter')
      await waitForText(page, error, '[role=alert]')
    }
    await answerTo(`SELECT * FROM "shop" WHERE PK = 'é' AND exists(name)`, 'Unrecognized function: exists')
    await soon(async () => assert.deepEqual(await marked(), ['exists']))
    await waitForText(page, 'The mistake is at line 1, column 41.', '.statement-mistake')
    await takePicture(page, 'partiql-mistake')
    await assertNoViolations(page)
    await answerTo(`SELECT * FROM "shop" WHERE begins_with(PK, 5)`, 'operand type: N')
    await soon(async () => assert.deepEqual(await marked(), ['begins_with']))
    // The mark goes with the text that it is of, and Explain tells the same.
    await fillIn(page, kField, 'SELECT size(PK) FROM "shop"')
    await page.keyboard.press('Escape')
    assert.deepEqual(await marked(), [])
    await press(page, 'Explain')
    await soon(async () => assert.deepEqual(await marked(), ['size']))
    await answerTo('SELECT * FROM "shop" WHERE', 'Unexpected term')
    assert.deepEqual(await marked(), [])
  }))

story('A statement that is wrong shows the error, at 390 pixels', () =>
  onPage('shop/partiql', seedShop, async (page) => {
    await fillIn(page, kField, 'SELECT * FROM "nothing"')
    await page.keyboard.press('Escape')
    await focusOn(page, kField)
    await pressWithCtrl(page, 'Enter')
    await waitForText(page, 'ResourceNotFoundException')
    await takePicture(page, 'partiql-error-390')
    await fillIn(page, kField, 'SELECT * FROM "shop"')
    await waitForText(page, 'The request has changed')
    await assertFits(page)
    await assertNoViolations(page)
    await fillIn(page, kField, 'SELEC * FROM "shop"')
    await waitForText(page, 'SELEC is no statement')
    assert.equal(await page.$('.button-danger'), null)
    await assertFits(page)
    await assertNoViolations(page)
  }, { width: 390, height: 844, scheme: 'dark' }))
