// A measurement of some of an account's tables: calls that also use other tables are measured with what they do to these.

import { beforeAll, describe, expect, it } from 'vitest'
import { hasControl } from '../../support/control.js'
import { findingsOf, measure, patternsOf, times, unitsOf, useAccount } from '../../support/measurement.js'
import { createTable, definition } from '../../support/tables.js'

describe.skipIf(!hasControl)('transactions over two tables, of which one is measured', () => {
  const { account, db, doc } = useAccount()
  let measurement, report

  beforeAll(async () => {
    for (const TableName of ['orders', 'stock']) await createTable(db, { ...definition({ key: ['id:S'] }), TableName })
    const put = (TableName, id) => ({ Put: { TableName, Item: { id }, ConditionExpression: 'attribute_not_exists(id)' } });
    ({ measurement, report } = await measure(account, async () => {
      await times(12, (n) => doc.transactWrite({ TransactItems: [put('orders', `ORDER#${100 + n}`), put('stock', `STOCK#${100 + n}`)] }))
      await doc.get({ TableName: 'stock', Key: { id: 'STOCK#100' } })
    }, {}, { tables: ['orders'] }))
  })

  it('are measured with the units of that table', () => {
    expect(patternsOf(measurement)).toEqual([
      { text: 'TransactWriteItems put orders where id = ORDER#{digits}, if attribute_not_exists(id)', calls: 12, written: { table: 24 }, writeP99: 2, inserted: 12 },
    ])
    expect(unitsOf(measurement)).toEqual({ table: { written: 24 } })
  })

  it('are transactions of two items', () => {
    expect(measurement.patterns[0].members_a_call.buckets).toEqual([[2, 12]])
    expect(findingsOf(report)).toEqual([])
  })
})
