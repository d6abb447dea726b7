// Tables: a designer makes, fills, looks at, empties and deletes them.

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { dropFile, findViolations, soon, takePicture, textOf, waitForText } from './support/browser.mjs'
import { kShopTable } from './support/shop.mjs'
import { story } from './support/story.mjs'
import { loadApplication, placeHash, withPage } from './support/with-page.mjs'

// Presses the first button that is shown with this text.
async function press(page, text, within = 'body') {
  const button = await page.waitForSelector(`${within} ::-p-text(${text})`)
  await button.click()
}

async function fill(page, label, text) {
  const field = await page.waitForSelector(`dialog ::-p-aria([name="${label}"][role="textbox"])`)
  await field.click({ count: 3 })
  await page.keyboard.type(text)
}

async function withFolder(run) {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  try {
    await run(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

story('Tables: a list says what each table is, and the details of one say the rest', () =>
  withPage(
    {
      hash: placeHash({ table: 'shop' }),
      prepare: async (server) => {
        await loadApplication(server, 'ecommerce')
        await loadApplication(server, 'shop')
        await server.call('UpdateTable', { TableName: 'shop', StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } })
        await server.call('UpdateTimeToLive', { TableName: 'shop', TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' } })
      }
    },
    async ({ page }) => {
      await page.waitForSelector('.details')
      await waitForText(page, 'new images', '[role=grid]')
      await soon(async () => {
        const rows = await page.$$eval('[role=grid] .grid-row', (all) => all.map((row) => row.innerText.split('\n').map((text) => text.trim()).filter(Boolean).join(' | ')))
        assert.equal(rows.length, 2)
        assert.match(rows[0], /^ecommerce \| PKSSKS \| 35 \| 2\.5 KB \| GSI1 +GSI2 \| – \| –$/)
        assert.match(rows[1], /^shop \| .* \| 13 \| .* \| GSI1 \| new images \| expires$/)
        const details = await textOf(page, '.details')
        for (const text of ['GSI1PK', 'global · all attributes', 'NEW_IMAGE', 'expires', 'on demand', '10']) assert.ok(details.includes(text), text)
      })
      await takePicture(page, 'tables')
      assert.deepEqual(await findViolations(page), [])
    }))

story('Tables: a table is found by the keyboard, and Enter opens the first that is found', () =>
  withPage(
    {
      prepare: async (server) => {
        for (const name of ['bookstore', 'shop', 'store', 'store-old']) await server.call('CreateTable', { ...kShopTable, TableName: name })
      }
    },
    async ({ page }) => {
      await waitForText(page, '4 tables')
      await page.keyboard.press('/')
      await page.keyboard.type('sto')
      const shown = () => page.$$eval('.table-name', (all) => all.map((each) => each.innerText))
      await soon(async () => assert.deepEqual(await shown(), ['store', 'store-old', 'bookstore']))
      await page.keyboard.press('Enter')
      await soon(async () => assert.match(page.url(), /\/store\/collections$/))
      await waitForText(page, 'GSI1', '.pivot')
    }))

story('Tables: a file that is dropped on the page fills a new table', () =>
  withFolder((folder) =>
    withPage({}, async ({ server, page }) => {
      const path = join(folder, 'users.csv')
      writeFileSync(path, 'PK,SK,age:N\nUSER#ada,PROFILE,36\nUSER#alan,PROFILE,41\n')
      await waitForText(page, 'No tables in this account and Region.')
      await dropFile(page, path, '.tables')
      await page.waitForSelector('dialog[open]')
      assert.match(await textOf(page, 'dialog[open]'), /users\.csv/)
      assert.deepEqual(await findViolations(page), [])
      await press(page, 'Create users and load the file', 'dialog')
      await waitForText(page, '2 items loaded into users.')
      await page.waitForSelector('dialog[open]', { hidden: true })
      const { Item } = await server.call('GetItem', { TableName: 'users', Key: { PK: { S: 'USER#alan' }, SK: { S: 'PROFILE' } } })
      assert.deepEqual(Item.age, { N: '41' })
      // A definition that is dropped opens the form of a new table.
      const definition = join(folder, 'other.table.json')
      writeFileSync(definition, JSON.stringify({ TableName: 'other', BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions: [{ AttributeName: 'k', AttributeType: 'S' }], KeySchema: [{ AttributeName: 'k', KeyType: 'HASH' }] }))
      await dropFile(page, definition, '.tables')
      await waitForText(page, 'Create a table', 'dialog[open]')
      await page.waitForFunction(() => document.querySelector('dialog[open] textarea')?.value.includes('"other"'))
    })))

story('Tables: a table is made by the form, with an index, a stream and an expiry', () =>
  withPage({}, async ({ server, page }) => {
    await press(page, 'Create a table', '.toolbar')
    await fill(page, 'Name', 'made')
    await press(page, 'Add an index', 'dialog')
    await page.select('dialog select:has(option[value=INCLUDE])', 'INCLUDE')
    await fill(page, 'Attributes, with commas between them', 'status, total')
    await page.select('dialog select:has(option[value=NEW_IMAGE])', 'NEW_IMAGE')
    await fill(page, 'Time to live: attribute', 'expires')
    assert.deepEqual(await findViolations(page), [])
    await press(page, 'Create the table made', 'dialog')
    await waitForText(page, 'The table made is there.')
    const { Table } = await server.call('DescribeTable', { TableName: 'made' })
    assert.deepEqual(Table.KeySchema, [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }])
    assert.equal(Table.GlobalSecondaryIndexes[0].IndexName, 'GSI1')
    assert.deepEqual(Table.GlobalSecondaryIndexes[0].Projection, { ProjectionType: 'INCLUDE', NonKeyAttributes: ['status', 'total'] })
    assert.equal(Table.StreamSpecification.StreamViewType, 'NEW_IMAGE')
    const { TimeToLiveDescription } = await server.call('DescribeTimeToLive', { TableName: 'made' })
    assert.equal(TimeToLiveDescription.AttributeName, 'expires')
  }))

story('Tables: a table is made from CreateTable JSON, and what the server refuses is said', () =>
  withPage({}, async ({ server, page }) => {
    await press(page, 'Create a table', '.toolbar')
    await press(page, 'CreateTable JSON', 'dialog')
    const area = await page.waitForSelector('dialog textarea')
    await area.evaluate((element) => {
      element.value = '{"TableName":"x","KeySchema":[]}'
      element.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await press(page, 'Create the table', 'dialog footer')
    await page.waitForSelector('dialog [role=alert]')
    assert.match(await textOf(page, 'dialog [role=alert]'), /keySchema|KeySchema|AttributeDefinitions/i)
    await area.evaluate((element) => {
      element.value = JSON.stringify({
        TableName: 'by-json', BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }], KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }]
      })
      element.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await press(page, 'Create the table', 'dialog footer')
    await waitForText(page, 'The table by-json is there.')
    assert.deepEqual((await server.call('ListTables', {})).TableNames, ['by-json'])
  }))

story('Tables: files are loaded, of each format, and a downloaded file is the same', () =>
  withPage({ prepare: (server) => loadApplication(server, 'shop'), hash: placeHash({ table: 'shop' }) }, async ({ server, page }) =>
    withFolder(async (folder) => {
      const load = async (name, content, button) => {
        writeFileSync(join(folder, name), content)
        const picker = await page.waitForSelector('input[type=file]')
        await picker.uploadFile(join(folder, name))
        await press(page, button, 'dialog footer')
        await page.waitForSelector('dialog[open]', { hidden: true })
      }
      await page.waitForSelector('.details')
      await load('more.csv', 'PK,SK,age:N\nCSV#1,A,36\n"CSV#2","A ""quoted""\nline",41\n', 'Load the file into shop')
      await waitForText(page, '2 items loaded into shop.')
      await load('more.json.gz', gzipSync('{"Item":{"PK":{"S":"EXPORT#1"},"SK":{"S":"A"},"big":{"N":"12345678901234567890123456789012345678"}}}\n'), 'Load the file into shop')
      await waitForText(page, '1 item loaded into shop.')
      const { Item } = await server.call('GetItem', { TableName: 'shop', Key: { PK: { S: 'CSV#2' }, SK: { S: 'A "quoted"\nline' } } })
      assert.deepEqual(Item.age, { N: '41' })

      const client = await page.createCDPSession()
      await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, browserContextId: page.browserContext().id })
      const download = async (title, name) => {
        await press(page, 'Download', '.details-actions')
        await press(page, title, '.details-actions')
        for (let i = 0; i < 100 && !readdirSync(folder).includes(name); ++i) await new Promise((resolve) => setTimeout(resolve, 50))
        const content = readFileSync(join(folder, name), 'utf8')
        rmSync(join(folder, name))
        return content
      }
      const lines = (text) => text.trim().split('\n').sort()
      assert.deepEqual(lines(await download('Items as DynamoDB JSON', 'shop.jsonl')), lines(await server.control('POST', 'dump', { table: 'shop', format: 'dynamodb' })))
      assert.deepEqual(lines(await download('Items as JSON', 'shop.jsonl')), lines(await server.control('POST', 'dump', { table: 'shop', format: 'json' })))
      assert.equal(JSON.parse(await download('The definition', 'shop.table.json')).Table.TableName, 'shop')
      const csv = await download('Items as CSV', 'shop.csv')
      const before = lines(await server.control('POST', 'dump', { table: 'shop', format: 'dynamodb' }))
      await server.control('POST', 'reset', { account: '000000000000', table: 'shop' })
      await load('again.csv', csv, 'Load the file into shop')
      await waitForText(page, '16 items loaded into shop.')
      assert.deepEqual(lines(await server.control('POST', 'dump', { table: 'shop', format: 'dynamodb' })), before)
    })))

story('Tables: a file makes its table, and a wrong file changes nothing', () =>
  withPage({}, async ({ server, page }) =>
    withFolder(async (folder) => {
      const picker = await page.waitForSelector('input[type=file]')
      writeFileSync(join(folder, 'users.jsonl'), '{"PK":"USER#1","SK":"A"}\n{"PK":"USER#2"}\n')
      await picker.uploadFile(join(folder, 'users.jsonl'))
      await press(page, 'Create users and load the file', 'dialog footer')
      await page.waitForSelector('dialog [role=alert]')
      assert.match(await textOf(page, 'dialog [role=alert]'), /2: .*Missing the key SK/)
      assert.deepEqual((await server.call('ListTables', {})).TableNames, [])
      await page.keyboard.press('Escape')
      writeFileSync(join(folder, 'users.jsonl'), '{"PK":"USER#1","SK":"A"}\n{"PK":"USER#2","SK":"A"}\n')
      await picker.uploadFile(join(folder, 'users.jsonl'))
      await press(page, 'Create users and load the file', 'dialog footer')
      await waitForText(page, '2 items loaded into users.')
      assert.equal((await server.call('Scan', { TableName: 'users', Select: 'COUNT' })).Count, 2)
    })))

story('Tables: emptying and deleting ask first, and say what they do', () =>
  withPage({ prepare: (server) => loadApplication(server, 'shop'), hash: placeHash({ table: 'shop' }) }, async ({ server, page }) => {
    const count = async () => (await server.call('Scan', { TableName: 'shop', Select: 'COUNT' })).Count
    const choose = async (title) => {
      await (await page.waitForSelector('.details-actions [aria-label=More]')).click()
      await press(page, title, '.details-actions')
      await page.waitForSelector('dialog[open]')
    }
    await choose('Empty the table')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog[open]', { hidden: true })
    assert.equal(await count(), 13)
    await choose('Empty the table')
    await press(page, 'Delete 13 items', 'dialog')
    await waitForText(page, 'shop is empty.')
    assert.equal(await count(), 0)
    await choose('Delete the table')
    await press(page, 'Delete the table shop', 'dialog footer')
    await waitForText(page, 'shop is deleted.')
    assert.deepEqual((await server.call('ListTables', {})).TableNames, [])
    await waitForText(page, 'No tables in this account and Region.')
  }))

story('Tables: another account and Region are a link away', () =>
  withPage(
    { prepare: (server) => server.control('POST', 'seed', { table: 'elsewhere', account: '111122223333', region: 'eu-west-1', definition: kDefinition, data: '{"PK":"a"}\n' }) },
    async ({ page }) => {
      await waitForText(page, 'No tables in this account and Region.')
      const account = await page.waitForSelector('::-p-aria([name="Account"])')
      await account.click({ count: 3 })
      await page.waitForFunction(() => [...document.querySelectorAll('datalist option')].some((option) => option.value === '111122223333'))
      await page.keyboard.type('111122223333')
      await page.keyboard.press('Enter')
      const region = await page.waitForSelector('::-p-aria([name="Region"])')
      await region.click({ count: 3 })
      await page.keyboard.type('eu-west-1')
      await page.keyboard.press('Enter')
      await waitForText(page, 'elsewhere', '[role=grid]')
      assert.match(page.url(), /#\/111122223333\/eu-west-1\/-\/tables$/)
    }))

const kDefinition = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }]
}
