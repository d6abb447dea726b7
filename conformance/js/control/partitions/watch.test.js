// Partitions that are only watched: no request is throttled, and the control API tells what would have been.

import { beforeAll, describe, expect, it } from 'vitest'
import { control, hasControl } from '../../support/control.js'
import { advance, mapOf, model, SMALL, untilThrottled, useStoppedClock } from '../../support/partitions.js'
import { definition } from '../../support/tables.js'

const TableName = 'watched'
const BEGIN_MS = Date.parse('2026-01-31T12:00:00Z')

describe.skipIf(!hasControl)('partitions that are watched', () => {
  const { account, db, doc } = useStoppedClock()
  const put = (PK, members) => doc.put({ TableName, Item: { PK, ...members } })
  const partition = (number, first_hash, last_hash) => ({ number, parent: 0, cause: 'beginning', began_epoch_ms: BEGIN_MS, ended_epoch_ms: 0, first_hash, last_hash,
    first_key: '', last_key: '', read_units: 0, write_units: 0, read_demand: 0, write_demand: 0, throttled_reads: 0, throttled_writes: 0, read_heat: 0, write_heat: 0, uncut: '' })
  const four = () => [partition(1, '0000000000000000', '3fffffffffffffff'), partition(2, '4000000000000000', '7fffffffffffffff'),
    partition(3, '8000000000000000', 'bfffffffffffffff'), partition(4, 'c000000000000000', 'ffffffffffffffff')]
  const resource = (index, members) => ({ table: TableName, index, mode: 'watch', began_epoch_ms: BEGIN_MS, read_limit: 40, write_limit: 40,
    partition_read_units: 10, partition_write_units: 10, throttles: [], partitions: four(), slice_ms: 1000, slices: [], ...members })

  beforeAll(async () => {
    await db.createTable({ ...definition({ key: ['PK:S'], gsi: { byState: ['state:S'] } }), TableName })
  })

  it('are described before anything happens', async () => {
    expect(await model(account, 'watch', SMALL, { seed: 3 })).toEqual({ rules: [{ account, mode: 'watch', seed: 3, parameters: SMALL }],
      tables: [{ account, region: 'us-east-1', table: TableName, mode: 'watch', seed: 3, resources: [resource(''), resource('byState')] }] })
  })

  it('serve everything, and count what would have been throttled', async () => {
    for (let n = 0; n < 20; ++n) await put('hot')
    for (let n = 0; n < 8; ++n) await doc.get({ TableName, Key: { PK: 'hot' }, ConsistentRead: true })
    const map = await mapOf(account, TableName)
    const hot = map.partitions.find(({ write_units }) => write_units > 0)
    const partitions = four()
    Object.assign(partitions[hot.number - 1], { read_units: 5, write_units: 5, read_demand: 8, write_demand: 20, throttled_reads: 3, throttled_writes: 15 })
    expect(map).toEqual(resource('', { partitions,
      throttles: [{ reason: 'TableReadKeyRangeThroughputExceeded', count: 3 }, { reason: 'TableWriteKeyRangeThroughputExceeded', count: 15 }],
      slices: [{ begin_epoch_ms: BEGIN_MS, partitions: [{ number: hot.number, read_units: 5, write_units: 5, read_demand: 8, write_demand: 20, throttled_reads: 3, throttled_writes: 15 }] }] }))
  })

  it('count the writes that an index would have held back', async () => {
    await advance('1h')
    for (let n = 0; n < 8; ++n) await put(`item#${n}`, { state: 'open' })
    expect((await mapOf(account, TableName, 'byState')).throttles).toEqual([{ reason: 'IndexWriteKeyRangeThroughputExceeded', count: 3 }])
    expect((await doc.scan({ TableName, ConsistentRead: true, Select: 'COUNT' })).Count).toBe(9)
  })

  it('are hot like those that throttle', async () => {
    await advance('1h')
    for (let n = 0; n < 20; ++n) {
      await put('hot')
      if (n % 5 === 4) await advance('250ms')
    }
    await advance('1s')
    const hottest = Math.max(...(await mapOf(account, TableName)).partitions.map(({ write_heat }) => write_heat))
    // 20 writes in a second, 2 times what the partition serves, of a moving average over 60 seconds.
    expect(hottest).toBeCloseTo(2 * (1 - Math.exp(-1 / 60)) * Math.exp(-1 / 60), 3)
  })

  it('begin anew when they are to throttle, and do so', async () => {
    await advance('1h')
    await model(account, 'enforce')
    const { throttles, slices, mode } = await mapOf(account, TableName)
    expect({ throttles, slices, mode }).toEqual({ throttles: [], slices: [], mode: 'enforce' })
    expect((await untilThrottled(() => put('hot'))).served).toBe(5)
    expect(await control('DELETE', 'partitions', { account })).toEqual({ rules: [], tables: [] })
    for (let n = 0; n < 20; ++n) await put('hot')
  })

  it('count what a provisioned table would have throttled', async () => {
    await db.createTable({ ...definition({ key: ['PK:S'] }), TableName: 'provisioned', BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 } })
    await model(account, 'watch', {})
    for (let n = 0; n < 5; ++n) await doc.put({ TableName: 'provisioned', Item: { PK: `item#${n}` } })
    const { throttles, partitions, write_limit } = await mapOf(account, 'provisioned')
    expect([throttles, partitions.length, write_limit]).toEqual([[{ reason: 'TableWriteProvisionedThroughputExceeded', count: 3 }], 1, 2])
  })
})
