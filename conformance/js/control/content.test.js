// What a designer of keys sees through the control API: item collections, the places of an item, the latest changes.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, clientsOf, control, hasControl, newAccount } from '../support/control.js'

const account = newAccount()
const { db, doc } = clientsOf(account)
const TableName = 'content'
const table = { account, table: TableName }
const key = { PK: { S: 'USER#ada' }, SK: { S: 'PROFILE' } }

describe.skipIf(!hasControl)('collections, places and changes', () => {
  beforeAll(async () => {
    await db.createTable({
      TableName, BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
      GlobalSecondaryIndexes: [{ IndexName: 'GSI1', Projection: { ProjectionType: 'KEYS_ONLY' },
        KeySchema: [{ AttributeName: 'GSI1PK', KeyType: 'HASH' }, { AttributeName: 'GSI1SK', KeyType: 'RANGE' }] }],
    })
    for (const user of ['ada', 'bob', 'eve']) {
      await doc.put({ TableName, Item: { PK: `USER#${user}`, SK: 'PROFILE', name: user, GSI1PK: 'USERS', GSI1SK: user } })
      for (const day of ['01', '02']) await doc.put({ TableName, Item: { PK: `USER#${user}`, SK: `ORDER#2026-01-${day}`, total: 7 } })
    }
  })
  afterAll(() => control('POST', 'reset', { account }))

  it('pages through the collections as a Scan reads them', async () => {
    const { Items } = await doc.scan({ TableName })
    const scanned = [...new Set(Items.map(({ PK }) => PK))]
    const seen = []
    for (let after; ;) {
      const page = await control('POST', 'collections', { ...table, limit: 1, ...(after && { after }) })
      seen.push(...page.collections.map((each) => [each.key.PK.S, each.items]))
      after = page.after
      if (!after) break
    }
    expect(seen).toEqual(scanned.map((PK) => [PK, 3]))
  })

  it('finds the entities of a table and of an index', async () => {
    const { directory, entities, collections, after } = await control('POST', 'collections', { ...table, order: 'key', limit: 2 })
    expect(directory).toMatchObject({ items: 9, collections: 3, is_cut: false })
    expect(entities).toEqual([
      { entity: 0, key: { PK: 'USER#{…}', SK: 'ORDER#{date}' }, items: 6, collections: 3, attributes: ['PK', 'SK', 'total'] },
      { entity: 1, key: { PK: 'USER#{…}', SK: 'PROFILE' }, items: 3, collections: 3, attributes: ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'name'] },
    ])
    expect(collections.map((each) => each.key.PK.S)).toEqual(['USER#ada', 'USER#bob'])
    const next = await control('POST', 'collections', { ...table, order: 'key', directory: directory.id, after })
    expect(next.collections).toEqual([{ key: { PK: { S: 'USER#eve' } }, items: 3, entities: [{ entity: 0, items: 2 }, { entity: 1, items: 1 }] }])
    expect(next.directory).toEqual(directory)
    const inIndex = await control('POST', 'collections', { ...table, index: 'GSI1', order: 'key' })
    expect(inIndex.entities).toEqual([
      { entity: 0, key: { GSI1PK: 'USERS', GSI1SK: '{name}' }, items: 3, collections: 1, attributes: ['GSI1PK', 'GSI1SK', 'PK', 'SK'] },
    ])
  })

  it('lists the first items of each collection as a Query answers them', async () => {
    for (const order of ['hash', 'key']) {
      const { collections } = await control('POST', 'collections', { ...table, order, items: 2 })
      expect(collections).toHaveLength(3)
      for (const { key: { PK }, first_page } of collections) {
        const { Items, LastEvaluatedKey } = await db.query({ TableName, Limit: 2, KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': PK } })
        expect(first_page).toEqual({ Items, LastEvaluatedKey })
      }
    }
    const inIndex = await control('POST', 'collections', { ...table, index: 'GSI1', items: 3 })
    expect(inIndex.collections[0].first_page).toEqual({ Items: ['ada', 'bob', 'eve'].map((user) => (
      { PK: { S: `USER#${user}` }, SK: { S: 'PROFILE' }, GSI1PK: { S: 'USERS' }, GSI1SK: { S: user } })) })
    expect(await call('POST', 'collections', { ...table, items: 101 })).toEqual({ status: 400, body: { error: '"items" is at most 100.' } })
  })

  it('shows the places of an item', async () => {
    expect(await control('POST', 'places', { ...table, key })).toMatchObject({
      places: [{ key }, { index: 'GSI1', key: { GSI1PK: { S: 'USERS' }, GSI1SK: { S: 'ada' } }, missing: ['name'] }], absent: [],
    })
    expect(await control('POST', 'places', { ...table, key: { PK: { S: 'USER#ada' }, SK: { S: 'ORDER#2026-01-01' } } })).toMatchObject({
      absent: [{ index: 'GSI1', reason: 'The item has no attribute GSI1PK.' }],
    })
    expect(await call('POST', 'places', { ...table, key: { PK: { S: 'no' }, SK: { S: 'no' } } })).toEqual({
      status: 404, body: { error: 'There is no item with this key in table "content".' } })
  })

  it('keeps the changes of a table that has no stream', async () => {
    const path = `changes?account=${account}&table=${TableName}`
    expect(await control('GET', path)).toEqual({ enabled: false, limit: 1000, last_id: 0, forgotten: 0, changes: [] })
    await control('POST', 'changes', table)
    await doc.transactWrite({ TransactItems: [
      { Put: { TableName, Item: { PK: 'USER#new', SK: 'PROFILE' } } },
      { Update: { TableName, Key: { PK: 'USER#ada', SK: 'PROFILE' }, UpdateExpression: 'SET age = :a', ExpressionAttributeValues: { ':a': 36 } } },
    ] })
    await doc.delete({ TableName, Key: { PK: 'USER#new', SK: 'PROFILE' } })
    const { last_id, changes } = await control('GET', path)
    expect(last_id).toBe(3)
    expect(changes.map((each) => [each.event, each.key.PK.S])).toEqual([['INSERT', 'USER#new'], ['MODIFY', 'USER#ada'], ['REMOVE', 'USER#new']])
    expect([changes[1].old.age, changes[1].new.age]).toEqual([undefined, { N: '36' }])
    expect((await control('GET', `${path}&since=2`)).changes).toEqual([changes[2]])
    expect((await control('POST', 'changes', { ...table, enabled: false })).enabled).toBe(false)
  })

  it('refuses what it does not know', async () => {
    expect((await call('POST', 'collections', { ...table, index: 'none' })).status).toBe(404)
    expect(await call('POST', 'collections', { ...table, at: 2 })).toEqual({ status: 400, body: { error: '"at" is from 0 to 1.' } })
    expect((await call('POST', 'changes', { account, table: 'none' })).status).toBe(404)
  })
})
