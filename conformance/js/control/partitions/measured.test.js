// A measurement of a table whose partitions are watched has their maps, from its begin on, and its report draws them.

import { beforeAll, describe, expect, it } from 'vitest'
import { control, hasControl } from '../../support/control.js'
import { measure } from '../../support/measurement.js'
import { advance, mapOf, model, SMALL, useStoppedClock } from '../../support/partitions.js'
import { definition } from '../../support/tables.js'

const TableName = 'measured'
const BEGIN_MS = Date.parse('2026-01-31T12:00:00Z')

describe.skipIf(!hasControl)('a measurement of watched partitions', () => {
  const { account, db, doc } = useStoppedClock()
  const put = (n) => doc.put({ TableName, Item: { PK: 'ORDERS', SK: `ORDER#${n}` } })

  beforeAll(() => db.createTable({ ...definition({ key: ['PK:S', 'SK:S'] }), TableName }))

  it('has none of a table that is not modelled', async () => {
    const { measurement } = await measure(account, () => put(0))
    expect(measurement.partitions).toEqual([])
  })

  it('has what happened since it began', async () => {
    await model(account, 'watch', SMALL, { table: TableName })
    for (let n = 0; n < 3; ++n) await put(n)
    await advance('1h')
    let map
    const { measurement } = await measure(account, async () => {
      for (let n = 0; n < 20; ++n) await put(n)
      map = await mapOf(account, TableName)
    })
    const [hot] = map.partitions.filter(({ write_units }) => write_units > 0)
    expect(hot.write_units).toBe(8)
    const [of_measurement] = measurement.partitions
    expect(of_measurement.slices.map(({ partitions }) => partitions)).toEqual([[{ number: hot.number, read_units: 0, write_units: 5, throttled_reads: 0, throttled_writes: 15 }]])
    expect(of_measurement).toEqual({ ...map, slices: of_measurement.slices })
    expect(map.began_epoch_ms).toBe(BEGIN_MS)
    expect(of_measurement.throttles).toEqual([{ reason: 'TableWriteKeyRangeThroughputExceeded', count: 15 }])
  })

  it('has them in its reports', async () => {
    await advance('1h')
    await control('POST', 'measurements', { name: account, account })
    for (let n = 0; n < 200; ++n) await put(n)
    const reports = {}
    for (const format of ['text', 'html', 'json']) reports[format] = await control('POST', `measurements/${account}/report`, { format })
    await control('DELETE', `measurements/${account}`)
    console.log(JSON.stringify(reports.json).slice(0, 3000), reports.text)
  })
})
