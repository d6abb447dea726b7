// A measurement of a table whose partitions are watched has their maps, from its begin on, and its report draws them.

import { beforeAll, describe, expect, it } from 'vitest'
import { control, hasControl } from '../../support/control.js'
import { endpoint } from '../../support/endpoint.js'
import { measure } from '../../support/measurement.js'
import { advance, mapOf, model, SMALL, SOON_CUT, useStoppedClock, writtenOf } from '../../support/partitions.js'
import { definition } from '../../support/tables.js'

const TableName = 'measured'
const BEGIN_MS = Date.parse('2026-01-31T12:00:00Z')

describe.skipIf(!hasControl)('a measurement of watched partitions', () => {
  const { account, db, doc } = useStoppedClock()
  const put = (n) => doc.put({ TableName, Item: { PK: 'ORDERS', SK: `ORDER#${n}` } })

  const reportOf = async (format) => (await fetch(`${endpoint}/_hashrange/measurements/${account}/report`,
    { method: 'POST', body: JSON.stringify({ format }) })).text()

  beforeAll(() => db.createTable({ ...definition({ key: ['PK:S', 'SK:S'] }), TableName }))

  it('has none of a table that is not modelled', async () => {
    const { measurement } = await measure(account, () => put(0))
    expect(measurement.partitions).toEqual([])
  })

  it('has what happened since it began', async () => {
    await model(account, 'watch', SMALL, { table: TableName })
    for (let n = 0; n < 8; ++n) await put(n)
    await advance('1h')
    let map
    const { measurement } = await measure(account, async () => {
      for (let n = 0; n < 20; ++n) await put(n)
      map = await mapOf(account, TableName)
    })
    const [hot] = map.partitions.filter(({ write_units }) => write_units > 0)
    expect([hot.write_units, hot.throttled_writes]).toEqual([10, 18])
    const [of_measurement] = measurement.partitions
    expect(of_measurement.slices.map(({ partitions }) => partitions)).toEqual([[{ number: hot.number, read_units: 0, write_units: 5, read_demand: 0, write_demand: 20, throttled_reads: 0, throttled_writes: 15 }]])
    // The sums are those of the slices that are told.
    const partitions = map.partitions.map((each) => (each === hot ? { ...hot, write_units: 5, write_demand: 20, throttled_writes: 15 } : each))
    const throttles = [{ reason: 'TableWriteKeyRangeThroughputExceeded', count: 15 }]
    expect(of_measurement).toEqual({ ...map, throttles, partitions, slices: of_measurement.slices })
    expect(map.began_epoch_ms).toBe(BEGIN_MS)
  })

  it('has nothing that happened just before, however long the slices of an old model are', async () => {
    await advance('1d')
    for (let n = 0; n < 8; ++n) await put(n)
    const { measurement: { partitions: [map] } } = await measure(account, async () => {
      await advance('1s')
      for (let n = 0; n < 6; ++n) await put(n)
    })
    const served = map.slices.flatMap(({ partitions }) => partitions.map(({ write_units, throttled_writes }) => ({ write_units, throttled_writes })))
    expect(served).toEqual([{ write_units: 5, throttled_writes: 1 }])
    expect(map.throttles).toEqual([{ reason: 'TableWriteKeyRangeThroughputExceeded', count: 1 }])
    expect(map.slice_ms).toBe(1024_000)
  })

  it('has them in its reports', async () => {
    await advance('1h')
    await model(account, 'watch', SOON_CUT, { table: TableName })
    await control('POST', 'measurements', { name: account, account })
    for (let second = 0; second < 60; ++second) {
      await writtenOf(doc, TableName, Array.from({ length: 20 }, (_, n) => ({ PK: 'ORDERS', SK: `ORDER#${second * 20 + n + 1000}` })))
      await advance('1s')
    }
    const { number } = (await mapOf(account, TableName)).partitions.find(({ write_units }) => write_units > 0)
    const text = (await reportOf('text')).replace(/\s+/g, ' ')
    expect(text).toContain(`Partitions, modelled ${TableName}: 4 partitions, 0 splits; a partition serves 10 read and 10 write units here; would have been throttled: TableWriteKeyRangeThroughputExceeded 900 `)
    expect(text).toContain(` ${number} was not cut: its sort keys rise or fall, so that all new items meet at one end `)
    expect(await reportOf('html')).toMatch(/<h2[^>]*>Partitions/)
    await control('DELETE', `measurements/${account}`)
  })
})
