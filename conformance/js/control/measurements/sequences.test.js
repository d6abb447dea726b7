// What one caller does one after another, and what it could do with fewer calls.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { control, hasControl } from '../../support/control.js'
import { failure } from '../../support/answers.js'
import { createApplicationTable, findingsOf, measure, NEW, times, unitsOf, useAccount } from '../../support/measurement.js'

const TableName = 'shop'
const key = (n) => ({ PK: `CUST#${1000 + n}`, SK: 'METADATA' })
const customer = (n) => ({ ...key(n), entityType: 'Customer', name: 'Pat' })
const PUT = 'PutItem shop where PK = CUST#{digits} and SK = METADATA'
const GET = 'GetItem shop where PK = CUST#{digits} and SK = METADATA'

describe.skipIf(!hasControl)('a caller', () => {
  // Calls that are more than a second apart are no sequence. On a clock that stands still, a slow machine makes no difference.
  beforeAll(() => control('POST', 'clock', { frozen: '2026-01-31T12:00:00Z' }))
  afterAll(() => control('POST', 'clock', { mode: 'real' }))

  const measured = (act) => {
    const clients = useAccount()
    return async () => {
      await createApplicationTable('shop', clients)
      return measure(clients.account, () => act(clients.doc))
    }
  }
  const get = (doc, n) => doc.get({ TableName, Key: key(n) })

  describe('that looks for a customer before it creates one', () => {
    const run = measured((doc) => times(12, async (n) => {
      await get(doc, n)
      await doc.put({ TableName, Item: customer(n) })
    }))

    it('is told that two callers may both find none', async () => {
      const { measurement, report } = await run()
      // a read of nothing takes 0.5 units
      expect(unitsOf(measurement)).toEqual({ table: { read: 6, written: 12 } })
      expect(findingsOf(report)).toEqual([
        { rule: 'check-then-create', severity: 'warning', where: `shop: ${PUT}`,
          evidence: `12 items were created right after \`${GET}\` had not found them; nothing makes the second of two callers fail.` },
        { rule: 'blind-create', severity: 'hint', where: `shop: ${PUT}`, evidence: '12 items were created without attribute_not_exists.' },
      ])
    })
  })

  describe('that reads what it has updated', () => {
    const run = measured(async (doc) => {
      await times(20, (n) => doc.put({ TableName, Item: customer(n), ...NEW }))
      await times(20, async (n) => {
        await doc.update({ TableName, Key: key(n), UpdateExpression: 'SET #name = :name', ConditionExpression: 'attribute_exists(PK)',
          ExpressionAttributeNames: { '#name': 'name' }, ExpressionAttributeValues: { ':name': 'Sam' } })
        await get(doc, n)
      })
    })

    it('is told what the reads cost', async () => {
      const { measurement, report } = await run()
      expect(unitsOf(measurement)).toEqual({ table: { read: 10, written: 40 } })
      // 10 read units in 60 calls, at US$ 0.125 a million
      expect(findingsOf(report)).toEqual([
        { rule: 'read-after-update', severity: 'hint', where: 'shop: UpdateItem shop where PK = CUST#{digits} and SK = METADATA: SET name = ?, if attribute_exists(PK)',
          evidence: `20 of 20 updates were followed by a read of the same item, \`${GET}\`.`, cost: 'US$ 0.0208 per million calls of this mix, reading what was written' },
      ])
    })
  })

  describe('that reads customers one by one', () => {
    const run = measured(async (doc) => {
      await times(20, (n) => doc.put({ TableName, Item: customer(n), ...NEW }))
      await times(30, async (round) => {
        await times(4, (n) => get(doc, n))
        await doc.query({ TableName, KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': key(round % 20).PK } })
      })
    })

    it('is told to read them together', async () => {
      const { measurement, report } = await run()
      expect(unitsOf(measurement)).toEqual({ table: { read: 75, written: 20 } })
      expect(findingsOf(report)).toEqual([
        { rule: 'gets-in-a-burst', severity: 'hint', where: `shop: ${GET}`, evidence: '120 of 120 calls came in 30 bursts, at most 4 in one.' },
      ])
    })
  })

  describe('whose conditions often fail', () => {
    const run = measured(async (doc) => {
      await times(90, (n) => doc.put({ TableName, Item: customer(n), ...NEW }))
      await times(10, (n) => failure(doc.put({ TableName, Item: customer(n), ...NEW })))
    })

    it('is told what the failures cost', async () => {
      const { measurement, report } = await run()
      expect(unitsOf(measurement)).toEqual({ table: { written: 90, failedWritten: 10 } })
      // 10 write units in 100 calls, at US$ 0.625 a million
      expect(findingsOf(report)).toEqual([
        { rule: 'failed-conditions', severity: 'warning', where: `shop: ${PUT}, if attribute_not_exists(PK)`,
          evidence: '10 of 100 requests failed by their condition, 10 %.', cost: 'US$ 0.0625 per million calls of this mix, calls that failed' },
      ])
    })
  })
})
