// What partitions serve with the usual parameters, while the clock stands still: the units of half a second.

import { beforeAll, describe, expect, it } from 'vitest'
import { hasControl } from '../../support/control.js'
import { advance, mapOf, model, present, untilThrottled, useStoppedClock } from '../../support/partitions.js'
import { definition } from '../../support/tables.js'

describe.skipIf(!hasControl)('partitions with the usual parameters', () => {
  const { account, arn, db, doc } = useStoppedClock()
  const create = (TableName, more = {}) => db.createTable({ ...definition({ key: ['PK:S', 'SK:S'] }), TableName, ...more })
  const put = (TableName, n) => doc.put({ TableName, Item: { PK: 'ORDERS', SK: `ORDER#${n}` } })
  const get = (TableName, ConsistentRead) => doc.get({ TableName, Key: { PK: 'large', SK: 'item' }, ConsistentRead })

  beforeAll(async () => {
    await create('orders')
    await create('provisioned', { BillingMode: 'PROVISIONED', ProvisionedThroughput: { ReadCapacityUnits: 3000, WriteCapacityUnits: 10_000 } })
    await doc.put({ TableName: 'orders', Item: { PK: 'large', SK: 'item', text: 'x'.repeat(40_000) } }) // 10 units to read
    await model(account, 'enforce', {})
  })

  it('throttle the writes to one key of a table on demand', async () => {
    expect(present(await mapOf(account, 'orders')).length).toBe(4)
    expect(await untilThrottled((n) => put('orders', n)))
      .toEqual({ served: 500, error: 'ThrottlingException', reason: 'TableWriteKeyRangeThroughputExceeded', resource: arn('orders') })
    await advance('100ms')
    expect((await untilThrottled((n) => put('orders', n))).served).toBe(100)
    await advance('1h') // no more than half a second is saved
    expect((await untilThrottled((n) => put('orders', n))).served).toBe(500)
  })

  it('throttle those of a provisioned table, however much it provisions', async () => {
    const map = await mapOf(account, 'provisioned')
    expect([present(map).length, map.read_limit, map.write_limit]).toEqual([11, 3000, 10_000])
    expect(await untilThrottled((n) => put('provisioned', n))).toEqual({ served: 500, error: 'ProvisionedThroughputExceededException',
      reason: 'TableWriteKeyRangeThroughputExceeded', resource: arn('provisioned') })
  })

  it('serve 3,000 units a second of strongly consistent reads, and 4,500 of eventually consistent ones', async () => {
    await advance('1s')
    expect((await untilThrottled(() => get('orders', true))).served * 10).toBe(1500)
    await advance('1s')
    expect((await untilThrottled(() => get('orders', false))).served * 5).toBe(2250)
  })

  it('serve reads and writes apart', async () => {
    await advance('1s')
    const { served } = await untilThrottled((n) => doc.put({ TableName: 'orders', Item: { PK: 'large', SK: 'item', n, text: 'x'.repeat(40_000) } }))
    expect(served).toBe(13) // of 40 units each
    expect(await untilThrottled(() => get('orders', true)))
      .toEqual({ served: 150, error: 'ThrottlingException', reason: 'TableReadKeyRangeThroughputExceeded', resource: arn('orders') })
  })
})
