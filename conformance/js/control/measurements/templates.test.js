// The templates of keys, when several threads of the server see a part of the calls each.

import { describe, expect, it } from 'vitest'
import { hasControl } from '../../support/control.js'
import { createApplicationTable, entitiesOf, measure, NEW, patternsOf, times, unitsOf, useAccount } from '../../support/measurement.js'

const TableName = 'shop'

describe.skipIf(!hasControl)('calls that are made at once', () => {
  const { account, db, doc } = useAccount()
  const customer = (n) => `CUST#c${100 + n}`
  const all = (count, act) => Promise.all(Array.from({ length: count }, (_, n) => act(n)))

  // Of 40 customers, each connection sees fewer than the 33 from which texts in one place of a key become a placeholder.
  it('have the patterns and the units of calls that are made one after another', async () => {
    await createApplicationTable('shop', { db })
    const { measurement } = await measure(account, async () => {
      await all(40, (n) => doc.put({ TableName, ...NEW, Item: { PK: customer(n), SK: 'METADATA', entityType: 'Customer', GSI1PK: 'CUSTOMER', GSI1SK: customer(n) } }))
      await times(5, () => all(40, (n) => doc.get({ TableName, Key: { PK: customer(n), SK: 'METADATA' } })))
      await all(20, () => doc.query({ TableName, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :pk', ExpressionAttributeValues: { ':pk': 'CUSTOMER' }, Limit: 15 }))
    })
    expect(patternsOf(measurement)).toEqual([
      { text: 'GetItem shop where PK = CUST#{…} and SK = METADATA', calls: 200, read: { table: 100 }, readP99: 0.5, examined: 200, returned: 200 },
      { text: 'PutItem shop where PK = CUST#{…} and SK = METADATA, if attribute_not_exists(PK)', calls: 40, written: { table: 40, GSI1: 40 }, writeP99: 2, inserted: 40 },
      { text: 'Query shop/GSI1 where GSI1PK = CUSTOMER, limit 15', calls: 20, read: { GSI1: 10 }, readP99: 0.5, examined: 300, returned: 300 },
    ])
    expect(unitsOf(measurement)).toEqual({ table: { read: 100, written: 40 }, GSI1: { read: 10, written: 40 } })
    expect(entitiesOf(measurement)).toEqual([
      { text: 'Customer: CUST#{…}, METADATA', items: 40, in: { GSI1: '40: CUSTOMER, CUST#{…}' }, inserted: 40, written: { table: 40, GSI1: 40 } },
    ])
  })
})
