// Seeds and dumps: tables are loaded from data and files, and read through the SDK.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { answer, page } from '../support/answers.js'
import { call, clientsOf, control, hasControl, newAccount } from '../support/control.js'
import { endpoint, isModule } from '../support/endpoint.js'
import { definition } from '../support/tables.js'

const table = definition({ key: ['PK:S', 'SK:S'], gsi: { byAge: ['age:N'] } })
const itReadsFiles = it.skipIf(isModule) // the module has no files
const lines = (...values) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

describe.skipIf(!hasControl)('seed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'seed-'))
  const accounts = []
  const account = () => {
    accounts.push(newAccount())
    return accounts.at(-1)
  }
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await Promise.all(accounts.map((each) => control('POST', 'reset', { account: each })))
  })
  const allItems = async (doc, TableName, options) => (await doc.scan({ TableName, ...options })).Items

  it('makes a table of data in each format', async () => {
    const id = account()
    const { doc } = clientsOf(id)
    const seed = (name, format, data) =>
      control('POST', 'seed', { account: id, table: name, definition: { ...table, TableName: 'x' }, format, data })
    expect(await seed('plain', undefined, lines({ PK: 'a', SK: '1', age: 7, list: [null, { deep: true }] }))).toEqual({ tables: { plain: 1 } })
    expect(await seed('typed', 'dynamodb', lines({ Item: { PK: { S: 'a' }, SK: { S: '1' }, tags: { SS: ['x', 'y'] } } }))).toEqual({ tables: { typed: 1 } })
    expect(await seed('sheet', 'csv', 'PK,SK,age,ok:BOOL\r\na,1,7,true\r\n"b, c",2,,\r\n')).toEqual({ tables: { sheet: 2 } })
    expect(await allItems(doc, 'plain')).toEqual([{ PK: 'a', SK: '1', age: 7, list: [null, { deep: true }] }])
    expect(await allItems(doc, 'typed')).toEqual([{ PK: 'a', SK: '1', tags: new Set(['x', 'y']) }])
    expect(await allItems(doc, 'sheet', { IndexName: 'byAge' })).toEqual([{ PK: 'a', SK: '1', age: 7, ok: true }])
  })

  itReadsFiles('loads a folder, and nothing of one with a broken line', async () => {
    const id = account()
    const { db, doc } = clientsOf(id)
    writeFileSync(join(folder, 'users.table.json'), JSON.stringify({ ...table, TableName: 'users' }))
    writeFileSync(join(folder, 'users.jsonl'), lines({ PK: 'a', SK: '1' }, { PK: 'a' }))
    expect(await call('POST', 'seed', { account: id, path: folder })).toEqual({ status: 400, body: {
      error: `${join(folder, 'users.jsonl')}:2: One or more parameter values were invalid: Missing the key SK in the item.` } })
    expect(await answer(db.listTables({}))).toEqual({ TableNames: [] })
    writeFileSync(join(folder, 'users.jsonl'), gzipSync(lines({ PK: 'a', SK: '1' }, { PK: 'a', SK: '2' })))
    expect(await control('POST', 'seed', { account: id, path: folder })).toEqual({ tables: { users: 2 } })
    expect(await answer(doc.query({ TableName: 'users', KeyConditionExpression: 'PK = :a', ExpressionAttributeValues: { ':a': 'a' } })))
      .toEqual(page([{ PK: 'a', SK: '1' }, { PK: 'a', SK: '2' }]))
  })

  itReadsFiles('gives one account what another has, by way of a dump', async () => {
    const [from, to] = [account(), account()]
    const one = clientsOf(from)
    const other = clientsOf(to)
    await one.db.createTable({ ...table, TableName: 'app', StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } })
    await one.db.updateTimeToLive({ TableName: 'app', TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' } })
    const items = [
      { PK: 'a', SK: '1', age: 7, bytes: new Uint8Array([0, 255]), set: new Set([1, 2.5]), text: 'é 😀 "\n' },
      { PK: 'b', SK: '1', nothing: null, list: [[], {}] },
    ]
    for (const Item of items) await one.doc.put({ TableName: 'app', Item })
    const path = join(folder, 'dump')
    expect(await control('POST', 'dump', { account: from, path, gzip: true })).toEqual({ tables: { app: 2 } })
    expect(gunzipSync(readFileSync(join(path, 'app/items.json.gz'))).toString().split('\n')).toHaveLength(3)
    expect(await control('POST', 'seed', { account: to, path })).toEqual({ tables: { app: 2 } })
    expect(await allItems(other.doc, 'app')).toEqual(await allItems(one.doc, 'app'))
    const { Table } = await other.db.describeTable({ TableName: 'app' })
    expect(Table).toMatchObject({ StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' }, ItemCount: 2 })
    expect(Table.LatestStreamArn).toContain(to)
    expect(await answer(other.db.describeTimeToLive({ TableName: 'app' })))
      .toEqual({ TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' } })
  })

  it('dumps a table as text', async () => {
    const id = account()
    await control('POST', 'seed', { account: id, definition: { ...table, TableName: 'app' }, data: lines({ PK: 'a', SK: '1', age: 7 }) })
    const dumped = await fetch(`${endpoint}/_hashrange/dump`, { method: 'POST', body: JSON.stringify({ account: id, table: 'app', format: 'json' }) })
    expect(dumped.headers.get('content-type')).toBe('application/x-ndjson')
    expect(await dumped.text()).toBe('{"PK":"a","SK":"1","age":7}\n')
  })
})
