// A local index is stored in the partitions of its table, as only global indexes have partitions of their own
// (docs/service/20-partition-model.md, section 1): what it takes of a key, it takes of the table's key.

import { beforeAll, describe, expect, it } from 'vitest'
import { hasControl } from '../../support/control.js'
import { firstLimitOf, measure, times, unitsOf, useAccount } from '../../support/measurement.js'
import { createTable, definition } from '../../support/tables.js'

const TableName = 'orders'

describe.skipIf(!hasControl)('a table with a local index', () => {
  const { account, db, doc } = useAccount()
  let measurement, report

  beforeAll(async () => {
    await createTable(db, { ...definition({ key: ['PK:S', 'SK:S'], lsi: { byDate: ['PK:S', 'date:S'] } }), TableName });
    ({ measurement, report } = await measure(account, async () => {
      await times(40, (n) => doc.put({ TableName, Item: { PK: 'USER#1', SK: `ORDER#${100 + n}`, date: `2026-01-01T10:00:${10 + n}Z` } }))
      await times(10, () => doc.query({ TableName, IndexName: 'byDate', ConsistentRead: true, KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': 'USER#1' } }))
    }))
  })

  it('has the units of both apart', () => {
    expect(unitsOf(measurement)).toEqual({ table: { written: 40 }, byDate: { written: 40, read: 10 } })
  })

  it('has a quota that both share', () => {
    // 80 units in 50 calls, of 40,000 a second
    const { least_calls_per_second } = report.first_limits.find(({ key, direction }) => !key && direction === 'write')
    expect(least_calls_per_second).toBe(25_000)
  })

  // 50 calls write 40 units of the table and 40 of the index under one partition key, which takes 1,000: 1,000 × 50 ÷ 80.
  it('is limited by what both take of one key', () => {
    const { key, least_calls_per_second } = firstLimitOf(report)
    expect({ key, least_calls_per_second }).toEqual({ key: 'PK=USER#1', least_calls_per_second: 625 })
  })
})

describe.skipIf(!hasControl)('a local index whose readers need more than it stores', () => {
  const { account, db, doc } = useAccount()
  let table

  // Each of 10 reads takes 0.5 units of the index for the 10 keys, and 4 of the table for the 10 items of 3,000 bytes.
  beforeAll(async () => {
    await createTable(db, { ...definition({ key: ['PK:S', 'SK:S'], lsi: { byDate: ['PK:S', 'date:S'] }, projections: { byDate: { ProjectionType: 'KEYS_ONLY' } } }), TableName: 'large' })
    await times(10, (n) => doc.put({ TableName: 'large', Item: { PK: 'USER#1', SK: `ORDER#${n}`, date: `2026-01-01T10:00:0${n}Z`, text: 'x'.repeat(2960) } }))
    const { measurement } = await measure(account, () => times(10, () => doc.query({ TableName: 'large', IndexName: 'byDate', Select: 'ALL_ATTRIBUTES',
      KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': 'USER#1' } })))
    expect(unitsOf(measurement)).toEqual({ table: { read: 40 }, byDate: { read: 5 } })
    table = measurement.resources.find(({ index }) => !index)
  })

  it('takes units of the key in the table', () => {
    expect(table.read_keys.keys.map(({ key, units }) => ({ key, units }))).toEqual([{ key: 'PK=USER#1', units: 40 }])
    expect(table.heat.map(({ read_units }) => read_units)).toEqual([40])
  })
})
