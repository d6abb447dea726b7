// E-commerce: users, addresses, orders, order items, products, memberships, folders and metrics in one table.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, cancelled, expectAnswer, failure, page } from '../support/answers.js'
import { migrate, useApplication } from '../support/application.js'

const { db, doc } = connect()
const { TableName, at, key } = useApplication('ecommerce', { db, doc })

const item = (PK, SK) => answer(doc.get({ TableName, Key: { PK, SK }, ConsistentRead: true }))

const query = (PK, condition, values, options) => doc.query({
  TableName,
  ConsistentRead: true,
  KeyConditionExpression: `PK = :pk AND ${condition}`,
  ExpressionAttributeValues: { ':pk': PK, ...values },
  ...options,
})

const queryIndex = (IndexName, partition, options) => doc.query({
  TableName,
  IndexName,
  KeyConditionExpression: `${IndexName}PK = :pk`,
  ExpressionAttributeValues: { ':pk': partition },
  ...options,
})

describe('users', () => {
  it('finds a user by id', async () => {
    expect(await item('USER#1', 'PROFILE')).toEqual({ Item: at('USER#1 PROFILE')[0] })
  })

  it('answers nothing for a user that does not exist', async () => {
    expect(await item('USER#none', 'PROFILE')).toEqual({})
  })

  it('creates a user once', async () => {
    const Item = { PK: 'USER#once', SK: 'PROFILE', name: 'Dee' }
    const create = (name) => doc.put({ TableName, Item: { ...Item, name }, ConditionExpression: 'attribute_not_exists(PK)' })
    expect(await answer(create('Dee'))).toEqual({})
    expect(await failure(create('Eve'))).toEqual(
      { name: 'ConditionalCheckFailedException', message: 'The conditional request failed', status: 400 })
    expect(await item('USER#once', 'PROFILE')).toEqual({ Item })
  })

  it('lists active users only, from the sparse index', async () => {
    await expectAnswer(() => queryIndex('GSI2', 'ACTIVE_USER'), page(at('USER#1 PROFILE', 'USER#2 PROFILE')))
  })

  it('lists a user while it is active and no longer', async () => {
    const Key = { PK: 'USER#sleepy', SK: 'PROFILE' }
    const active = { ...Key, GSI2PK: 'ACTIVE_SLEEPER', GSI2SK: 'USER#sleepy' }
    await doc.put({ TableName, Item: Key })
    await expectAnswer(() => queryIndex('GSI2', 'ACTIVE_SLEEPER'), page([]))
    await doc.update({ TableName, Key, UpdateExpression: 'SET GSI2PK = :pk, GSI2SK = :sk',
      ExpressionAttributeValues: { ':pk': active.GSI2PK, ':sk': active.GSI2SK } })
    await expectAnswer(() => queryIndex('GSI2', 'ACTIVE_SLEEPER'), page([active]))
    await doc.update({ TableName, Key, UpdateExpression: 'REMOVE GSI2PK' })
    await expectAnswer(() => queryIndex('GSI2', 'ACTIVE_SLEEPER'), page([]))
  })

  it('finds the addresses of a user', async () => {
    expect(await answer(query('USER#1', 'begins_with(SK, :sk)', { ':sk': 'ADDRESS#' })))
      .toEqual(page(at('USER#1 ADDRESS#home', 'USER#1 ADDRESS#work')))
  })
})

describe('orders', () => {
  const newestFirst = ['USER#1 ORDER#2024-03-15#1003', 'USER#1 ORDER#2024-02-10#1002', 'USER#1 ORDER#2024-01-05#1001']
  const orders = (options) => query('USER#1', 'begins_with(SK, :sk)', { ':sk': 'ORDER#' }, { ScanIndexForward: false, ...options })

  it('lists the orders of a user newest first', async () => {
    expect(await answer(orders())).toEqual(page(at(...newestFirst)))
  })

  it('pages through them, two at a time', async () => {
    const first = await answer(orders({ Limit: 2 }))
    expect(first).toEqual(page(at(...newestFirst.slice(0, 2)), key(newestFirst[1])))
    const second = await answer(orders({ Limit: 2, ExclusiveStartKey: first.LastEvaluatedKey }))
    expect(second).toEqual(page(at(newestFirst[2])))
  })

  it('lists the orders of a user since a day', async () => {
    expect(await answer(query('USER#1', 'SK > :sk', { ':sk': 'ORDER#2024-02-01' })))
      .toEqual(page(at('USER#1 ORDER#2024-02-10#1002', 'USER#1 ORDER#2024-03-15#1003', 'USER#1 ORG#acme', 'USER#1 ORG#globex', 'USER#1 PROFILE')))
    expect(await answer(query('USER#1', 'SK BETWEEN :from AND :to', { ':from': 'ORDER#2024-02-01', ':to': 'ORDER#~' })))
      .toEqual(page(at('USER#1 ORDER#2024-02-10#1002', 'USER#1 ORDER#2024-03-15#1003')))
  })

  it('reads an order with all its items in one page', async () => {
    expect(await answer(doc.query({ TableName, KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': 'ORDER#1001' } })))
      .toEqual(page(at('ORDER#1001 ITEM#1', 'ORDER#1001 ITEM#2', 'ORDER#1001 META')))
  })

  it('lists orders by status, newest first', async () => {
    await expectAnswer(() => queryIndex('GSI1', 'STATUS#pending', { ScanIndexForward: false }),
      page(at('ORDER#1003 META', 'ORDER#1004 META')))
    await expectAnswer(() => queryIndex('GSI1', 'STATUS#pending', { ScanIndexForward: false, Limit: 1 }),
      page(at('ORDER#1003 META'), key('ORDER#1003 META', 'GSI1')))
  })

  it('moves an order from one status to another', async () => {
    const Key = { PK: 'ORDER#moving', SK: 'META' }
    const stored = { ...Key, status: 'packed', GSI1PK: 'STATUS#packed', GSI1SK: 'ORDER#2024-04-01#moving' }
    await doc.put({ TableName, Item: stored })
    const change = (status) => doc.update({
      TableName, Key, ConditionExpression: 'attribute_exists(PK)', UpdateExpression: 'SET #status = :s, GSI1PK = :pk',
      ExpressionAttributeNames: { '#status': 'status' }, ExpressionAttributeValues: { ':s': status, ':pk': `STATUS#${status}` },
      ReturnValues: 'UPDATED_NEW',
    })
    expect(await answer(change('returned'))).toEqual({ Attributes: { status: 'returned', GSI1PK: 'STATUS#returned' } })
    await expectAnswer(() => queryIndex('GSI1', 'STATUS#packed'), page([]))
    await expectAnswer(() => queryIndex('GSI1', 'STATUS#returned'), page([{ ...stored, status: 'returned', GSI1PK: 'STATUS#returned' }]))
  })

  it('creates no order by changing the status of one that does not exist', async () => {
    expect(await failure(doc.update({ TableName, Key: { PK: 'ORDER#ghost', SK: 'META' }, ConditionExpression: 'attribute_exists(PK)',
      UpdateExpression: 'SET amount = :t', ExpressionAttributeValues: { ':t': 1 } })))
      .toEqual({ name: 'ConditionalCheckFailedException', message: 'The conditional request failed', status: 400 })
    expect(await item('ORDER#ghost', 'META')).toEqual({})
  })
})

describe('placing an order', () => {
  const order = (id) => [
    { PK: 'USER#buyer', SK: `ORDER#2024-05-01#${id}`, orderId: id },
    { PK: `ORDER#${id}`, SK: 'META', GSI1PK: `STATUS#new-${id}`, GSI1SK: `ORDER#2024-05-01#${id}` },
    { PK: `ORDER#${id}`, SK: 'ITEM#1', quantity: 1 },
    { PK: `ORDER#${id}`, SK: 'ITEM#2', quantity: 4 },
  ]
  const place = (id) => doc.transactWrite({ TransactItems: order(id).map((Item) =>
    ({ Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(PK)' } })) })

  it('writes both order items and every line item', async () => {
    expect(await answer(place('9001'))).toEqual({})
    const [mine, meta, one, two] = order('9001')
    expect(await answer(query('USER#buyer', 'SK = :sk', { ':sk': mine.SK }))).toEqual(page([mine]))
    expect(await answer(query('ORDER#9001', 'SK >= :sk', { ':sk': 'A' }))).toEqual(page([one, two, meta]))
    await expectAnswer(() => queryIndex('GSI1', 'STATUS#new-9001'), page([meta]))
  })

  it('writes nothing when one of them is there already', async () => {
    await doc.put({ TableName, Item: order('9002')[2] })
    expect(await failure(place('9002'))).toEqual(cancelled('None', 'None', 'ConditionalCheckFailed', 'None'))
    expect(await item('USER#buyer', 'ORDER#2024-05-01#9002')).toEqual({})
    expect(await answer(query('ORDER#9002', 'SK >= :sk', { ':sk': 'A' }))).toEqual(page([order('9002')[2]]))
    await expectAnswer(() => queryIndex('GSI1', 'STATUS#new-9002'), page([]))
  })
})

describe('the rest of the table', () => {
  it('finds a product by id', async () => {
    expect(await item('PRODUCT#p1', 'INFO')).toEqual({ Item: at('PRODUCT#p1 INFO')[0] })
  })

  it('reads memberships both ways', async () => {
    expect(await answer(query('USER#1', 'begins_with(SK, :sk)', { ':sk': 'ORG#' })))
      .toEqual(page(at('USER#1 ORG#acme', 'USER#1 ORG#globex')))
    await expectAnswer(() => queryIndex('GSI1', 'ORG#acme'), page(at('USER#1 ORG#acme', 'USER#2 ORG#acme')))
  })

  it('reads the subtree of a folder and not its namesakes', async () => {
    expect(await answer(query('USER#1', 'begins_with(SK, :sk)', { ':sk': 'FOLDER#documents#' })))
      .toEqual(page(at('USER#1 FOLDER#documents#taxes', 'USER#1 FOLDER#documents#taxes#2023', 'USER#1 FOLDER#documents#travel')))
  })

  it('reads a day of metrics in order of time', async () => {
    expect(await answer(doc.query({ TableName, KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': 'METRICS#2024-03-15' } })))
      .toEqual(page(at('METRICS#2024-03-15 2024-03-15T00:00:00Z', 'METRICS#2024-03-15 2024-03-15T08:30:00Z', 'METRICS#2024-03-15 2024-03-15T23:59:59Z')))
  })

  it('migrates sixty items by 25', async () => {
    const moved = Array.from({ length: 60 }, (_, n) => ({ PK: 'LEGACY#orders', SK: String(n).padStart(4, '0'), n }))
    await migrate(doc, TableName, moved)
    expect(await answer(query('LEGACY#orders', 'SK >= :sk', { ':sk': '0' }))).toEqual(page(moved))
  })

  it('shows what a filter reads and what it returns', async () => {
    expect(await answer(query('USER#1', 'begins_with(SK, :sk)', { ':sk': 'ORDER#', ':amount': 40 }, { FilterExpression: 'amount > :amount' })))
      .toEqual({ Items: at('USER#1 ORDER#2024-01-05#1001'), Count: 1, ScannedCount: 3 })
  })
})
