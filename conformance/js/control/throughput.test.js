// Enforced throughput: a program is throttled beyond its provisioned throughput, and can continue after some time.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answer } from '../support/answers.js'
import { call, clientsOf, control, hasControl, newAccount } from '../support/control.js'
import { definition } from '../support/tables.js'

/** Returns how an operation was throttled: the name and text of its error, and the only reason in it. */
async function throttling(promise) {
  try {
    return { answered: await promise }
  } catch (error) {
    const [{ reason, resource }] = error.ThrottlingReasons ?? error.throttlingReasons ?? [{}]
    return { name: error.name, message: error.message, reason, resource }
  }
}

describe.skipIf(!hasControl)('throughput', () => {
  const account = newAccount()
  const { db, doc } = clientsOf(account)
  const enforce = (table) => control('POST', 'throughput', { account, table, enforce: true })
  const advance = (by) => control('POST', 'clock', { advance: by })
  const arn = (table, index) => `arn:aws:dynamodb:us-east-1:${account}:table/${table}${index ? `/index/${index}` : ''}`
  const units = (ReadCapacityUnits, WriteCapacityUnits) => ({ ReadCapacityUnits, WriteCapacityUnits })
  const create = (TableName, { table, index, ...more }) => {
    const { BillingMode, GlobalSecondaryIndexes: [byState], ...keys } = definition({ key: ['PK:S'], gsi: { byState: ['state:S'] } })
    return db.createTable({ ...keys, TableName, BillingMode: 'PROVISIONED', ProvisionedThroughput: table,
      GlobalSecondaryIndexes: [{ ...byState, ProvisionedThroughput: index }], ...more })
  }
  const ofTable = 'The level of configured provisioned throughput for the table was exceeded. ' +
    'Consider increasing your provisioning level with the UpdateTable API.'
  const ofIndex = 'The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. ' +
    'Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API'

  beforeAll(() => control('POST', 'clock', { frozen: '2026-01-31T12:00:00Z' }))
  afterAll(async () => {
    await control('DELETE', 'throughput')
    await control('POST', 'clock', { mode: 'real' })
    await control('POST', 'reset', { account })
  })

  it('throttles what exceeds the provisioned units, until time has passed', async () => {
    await create('small', { table: units(1, 2), index: units(1, 10) })
    const state = await enforce('small')
    expect(state).toEqual({ rules: [{ account, table: 'small', enforce: true }], tables: [{ account, region: 'us-east-1', table: 'small',
      read: { units_per_second: 1, units_left: 1, throttled: 0 }, write: { units_per_second: 2, units_left: 2, throttled: 0 },
      indexes: { byState: { read: { units_per_second: 1, units_left: 1, throttled: 0 },
        write: { units_per_second: 10, units_left: 10, throttled: 0 } } } }] })
    const put = (PK) => doc.put({ TableName: 'small', Item: { PK } })
    await put('a')
    await put('b')
    expect(await throttling(put('c'))).toEqual({ name: 'ProvisionedThroughputExceededException', message: ofTable,
      reason: 'TableWriteProvisionedThroughputExceeded', resource: arn('small') })
    const get = () => doc.get({ TableName: 'small', Key: { PK: 'a' }, ConsistentRead: true })
    await get()
    expect(await throttling(get())).toEqual({ name: 'ProvisionedThroughputExceededException', message: ofTable,
      reason: 'TableReadProvisionedThroughputExceeded', resource: arn('small') })
    await advance('1s')
    await put('c')
    expect(await answer(get())).toEqual({ Item: { PK: 'a' } })
  })

  it('saves what was unused for five minutes', async () => {
    await advance('1h')
    const { tables } = await control('GET', 'throughput')
    expect(tables[0].write).toEqual({ units_per_second: 2, units_left: 600, throttled: 1 })
    const RequestItems = { small: Array.from({ length: 25 }, (_, i) => ({ PutRequest: { Item: { PK: `burst#${i}` } } })) }
    for (let i = 0; i < 24; ++i) expect(await answer(doc.batchWrite({ RequestItems }))).toEqual({ UnprocessedItems: {} })
    expect((await throttling(doc.batchWrite({ RequestItems }))).reason).toBe('TableWriteProvisionedThroughputExceeded')
  })

  it('gives back the members of a batch that were throttled', async () => {
    await advance('1s')
    const put = (PK) => ({ PutRequest: { Item: { PK } } })
    expect(await answer(doc.batchWrite({ RequestItems: { small: ['x', 'y', 'z'].map(put) } })))
      .toEqual({ UnprocessedItems: { small: [put('z')] } })
  })

  it('throttles the writes to a table whose index absorbs no more', async () => {
    await create('states', { table: units(10, 10), index: units(1, 1) })
    await enforce('states')
    const put = (PK, state) => doc.put({ TableName: 'states', Item: { PK, ...(state && { state }) } })
    await put('a', 'open')
    expect(await throttling(put('b', 'open'))).toEqual({ name: 'ProvisionedThroughputExceededException', message: ofIndex,
      reason: 'IndexWriteProvisionedThroughputExceeded', resource: arn('states', 'byState') })
    await put('c') // this item is in no index
    await advance('1s')
    await put('b', 'open')
  })

  it('keeps an on-demand table below its maximum', async () => {
    const { GlobalSecondaryIndexes, ...keys } = definition({ key: ['PK:S'] })
    await db.createTable({ ...keys, TableName: 'capped', OnDemandThroughput: { MaxReadRequestUnits: 1, MaxWriteRequestUnits: 1 } })
    await enforce('capped')
    const put = () => doc.put({ TableName: 'capped', Item: { PK: 'a' } })
    await put()
    expect(await throttling(put())).toEqual({ name: 'ThrottlingException',
      message: 'Throughput exceeds the maximum OnDemandThroughput configured on table or index',
      reason: 'TableWriteMaxOnDemandThroughputExceeded', resource: arn('capped') })
    await db.updateTable({ TableName: 'capped', OnDemandThroughput: { MaxReadRequestUnits: -1, MaxWriteRequestUnits: -1 } })
    for (let i = 0; i < 10; ++i) await put()
  })

  it('is not enforced any more when it is told so', async () => {
    expect(await control('POST', 'throughput', { account, enforce: false })).toEqual({ rules: [], tables: [] })
    for (let i = 0; i < 20; ++i) await doc.put({ TableName: 'states', Item: { PK: 'a', state: 'open' } })
    expect(await call('POST', 'throughput', { account })).toEqual({ status: 400, body: { error: '"enforce" is missing in the body.' } })
  })
})
