// Reset, fork and snapshots, used as in test suites: a fork for each of many workers, a clean state before each test.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answer, failure, notFound } from '../support/answers.js'
import { migrate } from '../support/application.js'
import { call, clientsOf, control, hasControl, newAccount } from '../support/control.js'
import { records } from '../support/streams.js'
import { definition } from '../support/tables.js'

const APPLICATIONS = ['blog', 'ecommerce', 'orders', 'saas', 'shop'].map((name) =>
  ({ TableName: name, ...JSON.parse(readFileSync(new URL(`../../apps/${name}.json`, import.meta.url))) }))

const address = ({ PK, SK }) => `${PK} ${SK}`
const byAddress = (items) => [...items].sort((a, b) => (address(a) < address(b) ? -1 : 1))

async function allItems(doc, TableName) {
  const found = []
  let ExclusiveStartKey
  do {
    const { Items, LastEvaluatedKey } = await doc.scan({ TableName, ExclusiveStartKey })
    found.push(...Items)
    ExclusiveStartKey = LastEvaluatedKey
  } while (ExclusiveStartKey)
  return byAddress(found)
}

/** Does the work of a worker in an application: it deletes an item, adds one, changes one, and moves two in a transaction. */
async function work(doc, { TableName, items }, worker) {
  const [taken, changed, left, right, ...others] = items
  const key = ({ PK, SK }) => ({ PK, SK })
  const added = { PK: 'WORKER', SK: 'MARK', worker, GSI1PK: 'WORKER', GSI1SK: 'MARK' }
  await doc.delete({ TableName, Key: key(taken), ConditionExpression: 'attribute_exists(PK)' })
  await doc.put({ TableName, Item: added, ConditionExpression: 'attribute_not_exists(PK)' })
  await doc.update({ TableName, Key: key(changed), UpdateExpression: 'SET #w = :w', ExpressionAttributeNames: { '#w': 'worker' },
    ExpressionAttributeValues: { ':w': worker }, ConditionExpression: 'attribute_not_exists(#w)' })
  await doc.transactWrite({ TransactItems: [
    { Put: { TableName, Item: { ...left, worker }, ConditionExpression: 'attribute_not_exists(worker)' } },
    { Delete: { TableName, Key: key(right), ConditionExpression: 'attribute_exists(PK)' } },
  ] })
  return byAddress([added, { ...changed, worker }, { ...left, worker }, ...others])
}

describe.skipIf(!hasControl)('forks', () => {
  const origin = newAccount()
  const workers = Array.from({ length: 16 }, newAccount)

  beforeAll(async () => {
    const { db, doc } = clientsOf(origin)
    for (const { TableName, table, items } of APPLICATIONS) {
      await db.createTable({ ...table, TableName })
      await migrate(doc, TableName, items)
    }
  })
  afterAll(() => Promise.all([origin, ...workers].map((account) => control('POST', 'reset', { account }))))

  it('sixteen workers run the five applications at once, each in its own, and do not meet', async () => {
    await Promise.all(workers.map(async (account, worker) => {
      const { doc } = clientsOf(account)
      for (let round = 0; round < 2; ++round) {
        expect(await control('POST', 'fork', { from: origin, to: account })).toEqual({ tables: 5 })
        await Promise.all(APPLICATIONS.map(async (application) => {
          const { TableName, items, table } = application
          expect(await allItems(doc, TableName)).toEqual(byAddress(items))
          const expected = await work(doc, application, worker)
          expect(await allItems(doc, TableName)).toEqual(expected)
          if (!table.GlobalSecondaryIndexes?.some(({ IndexName }) => IndexName === 'GSI1')) return
          const { Items } = await doc.query({ TableName, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :w',
            ExpressionAttributeValues: { ':w': 'WORKER' } })
          expect(Items.map((item) => item.worker)).toEqual([worker])
        }))
      }
    }))
    const { doc } = clientsOf(origin)
    for (const { TableName, items } of APPLICATIONS) expect(await allItems(doc, TableName)).toEqual(byAddress(items))
  })

  it('a fork has ARNs, tags and a stream of its own', async () => {
    const [from, to] = [newAccount(), newAccount()]
    const there = clientsOf(from), here = clientsOf(to)
    await there.db.createTable({ ...definition({ key: ['PK:S'] }), TableName: 'streamed', Tags: [{ Key: 'team', Value: 'red' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } })
    await there.doc.put({ TableName: 'streamed', Item: { PK: 'before' } })
    await control('POST', 'fork', { from, to })
    await here.doc.put({ TableName: 'streamed', Item: { PK: 'here' } })
    await there.doc.put({ TableName: 'streamed', Item: { PK: 'there' } })
    const read = async ({ db, streams }) => {
      const { Table } = await db.describeTable({ TableName: 'streamed' })
      const { Tags } = await db.listTagsOfResource({ ResourceArn: Table.TableArn })
      const keys = (await records(streams, Table.LatestStreamArn, 1)).map(({ dynamodb }) => dynamodb.Keys.PK.S)
      return { account: Table.TableArn.split(':')[4], stream: Table.LatestStreamArn.split(':')[4], keys, Tags }
    }
    const Tags = [{ Key: 'team', Value: 'red' }]
    expect(await read(here)).toEqual({ account: to, stream: to, keys: ['here'], Tags })
    expect(await read(there)).toEqual({ account: from, stream: from, keys: ['before', 'there'], Tags })
    await Promise.all([from, to].map((account) => control('POST', 'reset', { account })))
  })

  it('an account is not forked onto itself, nor under a name that is none', async () => {
    expect(await call('POST', 'fork', { from: origin, to: origin })).toEqual({ status: 400,
      body: { error: '"from" and "to" are the same account.' } })
    expect(await call('POST', 'fork', { from: origin, to: 'worker-1' })).toEqual({ status: 400,
      body: { error: '"worker-1" in "to" is not an account id, which has 12 digits.' } })
  })
})

describe.skipIf(!hasControl)('reset', () => {
  const account = newAccount()
  const { db, doc } = clientsOf(account)
  const put = (TableName, PK) => doc.put({ TableName, Item: { PK } })

  it('of a table empties it and leaves the others', async () => {
    for (const TableName of ['one', 'two']) {
      await db.createTable({ ...definition({ key: ['PK:S'] }), TableName })
      await put(TableName, 'a')
    }
    expect(await control('POST', 'reset', { account, table: 'one' })).toEqual({ tables: 1 })
    expect(await allItems(doc, 'one')).toEqual([])
    expect(await allItems(doc, 'two')).toEqual([{ PK: 'a' }])
    expect((await db.describeTable({ TableName: 'one' })).Table.ItemCount).toBe(0)
    await put('one', 'b')
    expect(await allItems(doc, 'one')).toEqual([{ PK: 'b' }])
  })

  it('of an account takes its tables and nobody else’s', async () => {
    const other = newAccount()
    await clientsOf(other).db.createTable({ ...definition({ key: ['PK:S'] }), TableName: 'one' })
    expect(await control('POST', 'reset', { account })).toEqual({ tables: 2 })
    expect(await answer(db.listTables({}))).toEqual({ TableNames: [] })
    expect(await failure(put('one', 'c'))).toEqual(notFound())
    expect(await answer(clientsOf(other).db.listTables({}))).toEqual({ TableNames: ['one'] })
    await control('POST', 'reset', { account: other })
  })

  it('says what it does not understand', async () => {
    expect(await call('POST', 'reset', { acount: account })).toEqual({ status: 400, body: { error:
      '"acount" is no member of the body, which may have "account", "region", "table" and "simulation".' } })
    expect(await call('POST', 'reset', { account, table: 'none' })).toEqual({ status: 404,
      body: { error: 'There is no table "none" to reset.' } })
  })
})

describe.skipIf(!hasControl)('snapshots', () => {
  const account = newAccount()
  const name = `conformance-${account}`
  const { db, doc } = clientsOf(account)
  afterAll(async () => {
    await call('DELETE', `snapshots/${name}`)
    await control('POST', 'reset', { account })
  })

  it('are restored as often as one likes', async () => {
    await db.createTable({ ...definition({ key: ['PK:S'] }), TableName: 'one' })
    await doc.put({ TableName: 'one', Item: { PK: 'kept' } })
    const taken = await control('POST', 'snapshots', { name, account })
    expect(taken).toEqual({ name, account, created: taken.created, tables: 1, items: 1, size_bytes: 6 })
    for (let round = 0; round < 3; ++round) {
      await doc.put({ TableName: 'one', Item: { PK: `later ${round}` } })
      await doc.delete({ TableName: 'one', Key: { PK: 'kept' } })
      expect(await control('POST', `snapshots/${name}/restore`)).toEqual({ tables: 1 })
      expect(await allItems(doc, 'one')).toEqual([{ PK: 'kept' }])
    }
    expect((await control('GET', 'snapshots')).snapshots).toContainEqual(taken)
    expect(await control('DELETE', `snapshots/${name}`)).toEqual({})
    expect(await call('POST', `snapshots/${name}/restore`)).toEqual({ status: 404,
      body: { error: `There is no snapshot "${name}".` } })
  })
})
