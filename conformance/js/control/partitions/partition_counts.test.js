// How many partitions there are: of the throughput, of the size, and of the past of a table on demand.

import { beforeAll, describe, expect, it } from 'vitest'
import { control, hasControl } from '../../support/control.js'
import { advance, mapOf, model, present, SMALL, useStoppedClock, writtenOf } from '../../support/partitions.js'
import { randomNumbers } from '../../support/random_numbers.js'
import { definition } from '../../support/tables.js'

describe.skipIf(!hasControl)('the number of partitions', () => {
  const { account, db, doc } = useStoppedClock()
  const create = (TableName, more) => db.createTable({ ...definition({ key: ['PK:S', 'SK:S'] }), ...more, TableName })
  const causes = async (table) => present(await mapOf(account, table)).map(({ cause }) => cause)
  const provisioned = (ReadCapacityUnits, WriteCapacityUnits) => ({ BillingMode: 'PROVISIONED', ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits } })

  beforeAll(() => model(account, 'enforce', { partition_bytes: 100_000, growth_after: '5m' }))

  it.each([
    ['new', {}, 4],
    ['warm', { WarmThroughput: { ReadUnitsPerSecond: 15_000, WriteUnitsPerSecond: 8000 } }, 8],
    ['provisioned-small', provisioned(5, 5), 1],
    ['provisioned-writes', provisioned(1500, 3200), 4],
    ['provisioned-large', provisioned(30_000, 10_000), 20],
  ])('of the table "%s" follows from its throughput', async (TableName, settings, count) => {
    await create(TableName, settings)
    expect(await causes(TableName)).toEqual(Array(count).fill('beginning'))
  })

  it('rises with the provisioned throughput, and does not fall', async () => {
    await db.updateTable({ TableName: 'provisioned-writes', ProvisionedThroughput: { ReadCapacityUnits: 1500, WriteCapacityUnits: 6000 } })
    expect((await causes('provisioned-writes')).filter((cause) => cause === 'throughput').length).toBe(6)
    expect((await causes('provisioned-writes')).length).toBe(7)
    await db.updateTable({ TableName: 'provisioned-writes', ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } })
    expect((await causes('provisioned-writes')).length).toBe(7)
  })

  it('rises with the size', async () => {
    await create('large')
    for (let n = 0; n < 6; ++n) await doc.put({ TableName: 'large', Item: { PK: `ITEM#${n}`, SK: 'x', text: 'x'.repeat(100_000) } })
    await advance('10s')
    expect(await causes('large')).toEqual(expect.arrayContaining(['size', 'beginning']))
    expect((await causes('large')).length).toBe(7)
  })

  it('rises with the traffic of a table on demand, some time after its busiest minute', async () => {
    await create('busy')
    await model(account, 'enforce', { ...SMALL, growth_after: '5m', split_after: '30d' }, { table: 'busy' })
    const below = randomNumbers(9)
    const busy = async (seconds) => {
      let written = 0
      for (let n = 0; n < 2 * seconds; ++n) {
        written += await writtenOf(doc, 'busy', Array.from({ length: 25 }, () => ({ PK: `ITEM#${below(1e9)}`, SK: 'x' })))
        await advance('500ms')
      }
      return written / seconds
    }
    await control('POST', 'clock', { frozen: '2026-01-31T13:00:00Z' })
    const before = await busy(60)
    expect((await mapOf(account, 'busy')).write_limit).toBe(40)
    await advance('6m')
    const { write_limit, partitions } = await mapOf(account, 'busy')
    expect(write_limit).toBe(Math.floor(2 * before))
    expect(partitions.filter(({ ended_epoch_ms }) => ended_epoch_ms === 0).length).toBe(Math.ceil(write_limit / 10))
    expect(await busy(10)).toBeGreaterThan(1.2 * before)
  })
})
