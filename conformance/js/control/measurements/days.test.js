// Metrics of each day under a key of their own, on a clock that the test moves: a key counts by its share of the time in which it is used.

import { afterAll, describe, expect, it } from 'vitest'
import { control, hasControl } from '../../support/control.js'
import { createApplicationTable, findingsOf, firstLimitOf, measure, patternsOf, times, useAccount } from '../../support/measurement.js'

const TableName = 'ecommerce'

describe.skipIf(!hasControl)('metrics of two days', () => {
  const { account, db, doc } = useAccount()
  const count = (day) => times(120, (n) => doc.put({ TableName, Item: { PK: `METRICS#${day}`, SK: `${day}T12:00:00.${String(n).padStart(3, '0')}Z`,
    entityType: 'Metric', views: 1 } }))
  afterAll(() => control('POST', 'clock', { mode: 'real' }))

  it('are limited by the key of a day, and cost a month of such days', async () => {
    await createApplicationTable('ecommerce', { db })
    await control('POST', 'clock', { frozen: '2026-01-30T12:00:00Z' })
    const { measurement, report } = await measure(account, async () => {
      await count('2026-01-30')
      await control('POST', 'clock', { advance: '24h' })
      await count('2026-01-31')
    })
    expect(patternsOf(measurement)).toEqual([
      { text: 'PutItem ecommerce where PK = METRICS#{date} and SK = {date}', calls: 240, written: { table: 240 }, writeP99: 1, inserted: 240 },
    ])
    expect(findingsOf(report)).toEqual([
      { rule: 'date-partition-key', severity: 'warning', where: 'ecommerce, PK=METRICS#{date}',
        evidence: '240 items have a partition key that is a date, and one of these keys took most writes of a time.' },
      { rule: 'blind-create', severity: 'hint', where: 'ecommerce: PutItem ecommerce where PK = METRICS#{date} and SK = {date}',
        evidence: '240 items were created without attribute_not_exists.' },
    ])
    // Each day has half of all calls, but in its minute all of them.
    expect(firstLimitOf(report)).toEqual({
      table: 'ecommerce', index: '', key: 'PK=METRICS#2026-01-30', direction: 'write', limit_units_per_second: 1000,
      least_calls_per_second: 1000, most_calls_per_second: 1000, sentence: 'at 1,000 calls/s of this mix: ecommerce, key PK=METRICS#2026-01-30, writes',
    })
    expect(measurement.time.buckets.map(({ calls, write_units, peak_second_write_units }) => ({ calls, write_units, peak_second_write_units })))
      .toEqual([{ calls: 120, write_units: 120, peak_second_write_units: 120 }, { calls: 120, write_units: 120, peak_second_write_units: 120 }])
    // 240 units in 24 hours and the second of the last calls; a month has 730 hours. A million units cost US$ 0.625.
    expect(report.month.basis).toBe('extrapolated from 24 hours')
    expect(report.month.lines.filter(({ what }) => what !== 'storage')).toEqual([{ what: 'writes', table: 'ecommerce', index: '', billing: 'as declared',
      quantity: 240 * 730 * 3600 / 86_401, unit: 'units', usd: expect.closeTo(0.0045625, 6), method: 'extrapolated' }])
  })
})
