// Reads that see the past: a program that reads an index, or reads without ConsistentRead, must cope with them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answer, failure, page } from '../support/answers.js'
import { call, clientsOf, control, hasControl, newAccount } from '../support/control.js'
import { definition } from '../support/tables.js'

describe.skipIf(!hasControl)('consistency', () => {
  const account = newAccount()
  const { db, doc } = clientsOf(account)
  const TableName = 'shop'
  const lag = (settings) => control('POST', 'consistency', { account, table: TableName, ...settings })
  const advance = (by) => control('POST', 'clock', { advance: by })

  const order = { PK: 'CUSTOMER#1', SK: 'ORDER#1', GSI1PK: 'OPEN', GSI1SK: '2026-01-31', total: 30 }
  const Key = { PK: order.PK, SK: order.SK }
  const open = (IndexName = 'GSI1') => answer(doc.query({ TableName, IndexName,
    KeyConditionExpression: 'GSI1PK = :open', ExpressionAttributeValues: { ':open': 'OPEN' } }))
  const get = (ConsistentRead) => answer(doc.get({ TableName, Key, ConsistentRead }))

  beforeAll(async () => {
    await control('POST', 'clock', { frozen: '2026-01-31T12:00:00Z' })
    await db.createTable({ ...definition({ key: ['PK:S', 'SK:S'], gsi: { GSI1: ['GSI1PK:S', 'GSI1SK:S'] } }), TableName })
  })
  afterAll(async () => {
    await control('POST', 'clock', { mode: 'real' })
    await control('POST', 'reset', { account })
  })

  it('shows an index what was written only when its lag is over', async () => {
    expect(await lag({ index_lag: '200ms' })).toEqual({ tables: [{ account, region: 'us-east-1', table: TableName,
      index_lag: { min: 200, max: 200 }, stale_reads: { min: 0, max: 0 }, seed: 0, waiting: { index_lag: 0, stale_reads: 0 } }] })
    await doc.put({ TableName, Item: order })
    expect(await open()).toEqual(page([]))
    expect(await get(false)).toEqual({ Item: order })
    await advance('199ms')
    expect(await open()).toEqual(page([]))
    await advance('1ms')
    expect(await open()).toEqual(page([order]))
    await doc.update({ TableName, Key, UpdateExpression: 'REMOVE GSI1PK' })
    expect(await open()).toEqual(page([order]))
    await advance('200ms')
    expect(await open()).toEqual(page([]))
  })

  it('shows eventually consistent reads the past, and consistent ones what is there', async () => {
    await lag({ index_lag: 0, stale_reads: '5s' })
    await doc.delete({ TableName, Key })
    const { GSI1PK, ...left } = order
    expect(await get(false)).toEqual({ Item: left })
    expect(await get(true)).toEqual({})
    expect(await answer(doc.scan({ TableName }))).toEqual(page([left]))
    expect(await answer(doc.scan({ TableName, ConsistentRead: true }))).toEqual(page([]))
    expect(await answer(doc.transactGet({ TransactItems: [{ Get: { TableName, Key } }] }))).toEqual({ Responses: [{}] })
    // Conditions see the present item, even if the program has read an older one.
    await doc.put({ TableName, Item: order, ConditionExpression: 'attribute_not_exists(PK)' })
    expect((await failure(doc.put({ TableName, Item: order, ConditionExpression: 'attribute_not_exists(PK)' }))).name)
      .toBe('ConditionalCheckFailedException')
    await advance('5s')
    expect(await get(false)).toEqual({ Item: order })
  })

  it('draws the delays of a range by its seed, and keeps the order of each item collection', async () => {
    const seen = []
    for (let run = 0; run < 2; ++run) {
      await lag({ index_lag: { min: '10ms', max: '1s' }, stale_reads: 0, seed: 7 })
      for (let i = 0; i < 10; ++i) {
        for (const SK of ['A', 'B']) {
          await doc.put({ TableName, Item: { PK: `RUN#${run}#${SK}`, SK: 'N', GSI1PK: `RUN#${run}`, GSI1SK: SK, i } })
        }
      }
      const steps = []
      for (let ms = 0; ms <= 1000; ms += 50) {
        const { Items } = await answer(doc.query({ TableName, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :run',
          ExpressionAttributeValues: { ':run': `RUN#${run}` } }))
        steps.push(Items.map(({ i }) => i).join())
        await advance('50ms')
      }
      expect(steps.at(-1)).toBe('9,9')
      const ofA = steps.map((step) => Number(step.split(',')[0] || -1))
      expect(ofA).toEqual([...ofA].sort((a, b) => a - b))
      seen.push(steps)
    }
    expect(seen[0]).toEqual(seen[1])
  })

  it('ends when it is told to', async () => {
    await lag({ index_lag: '1h' })
    await doc.put({ TableName, Item: { ...order, SK: 'ORDER#2' } })
    expect((await open()).Count).toBe(1)
    expect(await control('DELETE', 'consistency', { account })).toEqual({ tables: 1 })
    expect((await open()).Count).toBe(2)
  })

  it('says what it does not understand', async () => {
    expect(await call('POST', 'consistency', { account, table: TableName, lag: 1 })).toEqual({ status: 400, body: { error:
      '"lag" is no member of the body, which may have "table", "account", "region", "index_lag", "stale_reads" and "seed".' } })
    expect(await call('POST', 'consistency', { account, table: 'none', index_lag: '1ms' })).toEqual({ status: 404, body: { error:
      `There is no table "none" in account ${account}, Region "us-east-1".` } })
  })
})
