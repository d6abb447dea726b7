// Many clients at once: no write is lost or made twice, and a transaction is seen as a whole or not at all.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { expectAnswer, page } from '../support/answers.js'
import { singleTable, uniqueName, useTable } from '../support/tables.js'

const { db, doc } = connect()
const TableName = useTable(db, singleTable)

const read = async (Key) => (await doc.get({ TableName, Key, ConsistentRead: true })).Item
const times = (count, make) => Promise.all(Array.from({ length: count }, (_, n) => make(n)))
const fresh = () => ({ PK: uniqueName('item'), SK: 'X' })

/** Repeats a call as long as it conflicts with other writes to the same items. */
async function despiteConflicts(call) {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      const conflict = error.name === 'TransactionConflictException' || error.CancellationReasons?.some(({ Code }) => Code === 'TransactionConflict')
      if (!conflict) throw error
    }
  }
}

describe('clients at once', () => {
  it('lose no count', async () => {
    const Key = fresh()
    const add = () => doc.update({ TableName, Key, UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } })
    await times(100, add)
    expect(await read(Key)).toEqual({ ...Key, n: 100 })
  })

  it('are given every number once', async () => {
    const Key = fresh()
    const next = async () => (await doc.update({ TableName, Key, UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 },
      ReturnValues: 'UPDATED_NEW' })).Attributes.n
    expect((await times(50, next)).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
  })

  it('create an item once', async () => {
    const Key = fresh()
    const create = (n) => doc.put({ TableName, Item: { ...Key, n }, ConditionExpression: 'attribute_not_exists(PK)' }).then(() => n, () => null)
    const winners = (await times(30, create)).filter((n) => n !== null)
    expect(winners.length).toBe(1)
    expect(await read(Key)).toEqual({ ...Key, n: winners[0] })
  })

  it('advance a version once at a time', async () => {
    const Key = fresh()
    await doc.put({ TableName, Item: { ...Key, version: 0 } })
    const advance = (from) => doc.update({ TableName, Key, UpdateExpression: 'SET version = :to', ConditionExpression: 'version = :from',
      ExpressionAttributeValues: { ':from': from, ':to': from + 1 } }).then(() => 1, () => 0)
    const won = []
    for (let version = 0; version < 5; version += 1) won.push((await times(10, () => advance(version))).reduce((a, b) => a + b))
    expect(won).toEqual([1, 1, 1, 1, 1])
    expect(await read(Key)).toEqual({ ...Key, version: 5 })
  })

  it('leave an item in one place of an index, however often they move it', async () => {
    const Key = fresh()
    const partitions = Array.from({ length: 5 }, (_, n) => `${Key.PK}-${n}`)
    await times(60, (n) => doc.put({ TableName, Item: { ...Key, GSI1PK: partitions[n % 5], GSI1SK: String(n) } }))
    const last = await read(Key)
    for (const partition of partitions) {
      await expectAnswer(() => doc.query({ TableName, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :pk', ExpressionAttributeValues: { ':pk': partition } }),
        page(partition === last.GSI1PK ? [last] : []))
    }
  })
})

describe('a transaction', () => {
  it('moves money and never makes or loses any', async () => {
    // Each account has enough money for every order of the moves.
    const accounts = Array.from({ length: 4 }, fresh)
    await times(4, (n) => doc.put({ TableName, Item: { ...accounts[n], balance: 250 } }))
    const balances = async () => (await despiteConflicts(() => doc.transactGet({ TransactItems: accounts.map((Key) => ({ Get: { TableName, Key } })) })))
      .Responses.map(({ Item }) => Item.balance)
    const move = (n) => despiteConflicts(() => doc.transactWrite({ TransactItems: [
      { Update: { TableName, Key: accounts[n % 4], UpdateExpression: 'SET balance = balance - :v', ConditionExpression: 'balance >= :v', ExpressionAttributeValues: { ':v': n } } },
      { Update: { TableName, Key: accounts[(n + 1) % 4], UpdateExpression: 'SET balance = balance + :v', ExpressionAttributeValues: { ':v': n } } },
    ] }))
    const seen = []
    let moving = true
    const watch = (async () => { while (moving) seen.push((await balances()).reduce((a, b) => a + b)) })()
    await times(40, move)
    moving = false
    await watch
    expect(new Set(seen)).toEqual(new Set([1000]))
    expect((await balances()).reduce((a, b) => a + b)).toBe(1000)
  })
})
