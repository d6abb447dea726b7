// Each of the 16 reasons for which the service throttles, reached by traffic. No table meets all of them: provisioned throughput is exceeded only
// on provisioned tables, a maximum and the account's quota only on tables on demand.

import { describe, expect, it } from 'vitest'
import { control, hasControl } from '../../support/control.js'
import { model, SMALL, untilThrottled, useStoppedClock } from '../../support/partitions.js'
import { definition } from '../../support/tables.js'

const provisioned = (units) => ({ ProvisionedThroughput: { ReadCapacityUnits: units, WriteCapacityUnits: units } })
const atMost = (units) => ({ OnDemandThroughput: { MaxReadRequestUnits: units, MaxWriteRequestUnits: units } })
const ON_DEMAND = { BillingMode: 'PAY_PER_REQUEST', table: {}, index: {} }
const PROVISIONED = { BillingMode: 'PROVISIONED', table: provisioned(100), index: provisioned(100) }
const ONE_OF_TABLE = { ...PROVISIONED, table: provisioned(1) }
const ONE_OF_INDEX = { ...PROVISIONED, index: provisioned(1) }
const TABLE_AT_MOST_ONE = { ...ON_DEMAND, table: atMost(1) }
const INDEX_AT_MOST_ONE = { ...ON_DEMAND, index: atMost(1) }
const USUAL = {}
const QUOTA = { quota_read_units: 10, quota_write_units: 10 }

// A bucket of half a second has 5 units, and a declared one has the unit of one second. A strongly consistent read takes a unit. Eventually consistent
// ones of an index take half a unit each, and a partition serves them from three replicas with 5 reads each. A write that moves an entry of an
// index takes a unit of the table and two of the index.
const ROWS = [
  ['TableReadProvisionedThroughputExceeded', 'ProvisionedThroughputExceededException', ONE_OF_TABLE, USUAL, 1],
  ['TableWriteProvisionedThroughputExceeded', 'ProvisionedThroughputExceededException', ONE_OF_TABLE, USUAL, 1],
  ['IndexReadProvisionedThroughputExceeded', 'ProvisionedThroughputExceededException', ONE_OF_INDEX, USUAL, 2],
  ['IndexWriteProvisionedThroughputExceeded', 'ProvisionedThroughputExceededException', ONE_OF_INDEX, USUAL, 1],
  ['TableReadKeyRangeThroughputExceeded', 'ThrottlingException', ON_DEMAND, SMALL, 5],
  ['TableWriteKeyRangeThroughputExceeded', 'ThrottlingException', ON_DEMAND, SMALL, 5],
  ['IndexReadKeyRangeThroughputExceeded', 'ThrottlingException', ON_DEMAND, SMALL, 15],
  ['IndexWriteKeyRangeThroughputExceeded', 'ThrottlingException', ON_DEMAND, SMALL, 5],
  ['TableReadKeyRangeThroughputExceeded', 'ProvisionedThroughputExceededException', PROVISIONED, SMALL, 5],
  ['TableWriteKeyRangeThroughputExceeded', 'ProvisionedThroughputExceededException', PROVISIONED, SMALL, 5],
  ['IndexReadKeyRangeThroughputExceeded', 'ProvisionedThroughputExceededException', PROVISIONED, SMALL, 15],
  ['IndexWriteKeyRangeThroughputExceeded', 'ThrottlingException', PROVISIONED, SMALL, 5],
  ['TableReadMaxOnDemandThroughputExceeded', 'ThrottlingException', TABLE_AT_MOST_ONE, USUAL, 1],
  ['TableWriteMaxOnDemandThroughputExceeded', 'ThrottlingException', TABLE_AT_MOST_ONE, USUAL, 1],
  ['IndexReadMaxOnDemandThroughputExceeded', 'ThrottlingException', INDEX_AT_MOST_ONE, USUAL, 2],
  ['IndexWriteMaxOnDemandThroughputExceeded', 'ThrottlingException', INDEX_AT_MOST_ONE, USUAL, 1],
  ['TableReadAccountLimitExceeded', 'RequestLimitExceeded', ON_DEMAND, QUOTA, 5],
  ['TableWriteAccountLimitExceeded', 'RequestLimitExceeded', ON_DEMAND, QUOTA, 5],
  ['IndexReadAccountLimitExceeded', 'RequestLimitExceeded', ON_DEMAND, QUOTA, 10],
  ['IndexWriteAccountLimitExceeded', 'ThrottlingException', ON_DEMAND, QUOTA, 3, 'MovedEntry'],
]

describe.skipIf(!hasControl)('reasons', () => {
  const { account, arn, db, doc } = useStoppedClock()
  let TableName

  const create = async ({ BillingMode, table, index }) => {
    TableName = `reasons-${create.count = (create.count ?? 0) + 1}`
    const { GlobalSecondaryIndexes: [byState], ...keys } = definition({ key: ['PK:S'], gsi: { byState: ['state:S'] } })
    await db.createTable({ ...keys, ...table, TableName, BillingMode, GlobalSecondaryIndexes: [{ ...byState, ...index }] })
  }
  const put = (PK, state) => doc.put({ TableName, Item: { PK, state } })
  const CALLS = {
    TableRead: () => doc.get({ TableName, Key: { PK: 'hot' }, ConsistentRead: true }),
    TableWrite: () => put('hot'),
    IndexRead: () => doc.query({ TableName, IndexName: 'byState', KeyConditionExpression: '#state = :open',
      ExpressionAttributeNames: { '#state': 'state' }, ExpressionAttributeValues: { ':open': 'open' } }),
    IndexWrite: (n) => put(`item#${n}`, 'open'),
    MovedEntry: (n) => put('item', `state#${n}`),
  }

  it.each(ROWS)('%s is in a %s', async (reason, error, settings, parameters, served, call = /^(Table|Index)(Read|Write)/.exec(reason)[0]) => {
    await create(settings)
    await model(account, 'enforce', parameters, { table: TableName })
    expect(await untilThrottled(CALLS[call])).toEqual({ served, error, reason,
      resource: reason.startsWith('Index') ? arn(TableName, 'byState') : arn(TableName) })
    const { tables } = await control('GET', 'partitions', undefined)
    const { resources } = tables.find(({ table }) => table === TableName)
    expect(resources.map(({ index, throttles }) => [index, throttles])).toEqual(
      ['', 'byState'].map((index) => [index, (index !== '') === reason.startsWith('Index') ? [{ reason, count: 1 }] : []]))
  })

  it('covers all 16', () => {
    expect(new Set(ROWS.map(([reason]) => reason)).size).toBe(16)
  })

  it.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'])('may be in a %s, if a test wants that', async (error) => {
    await create(ON_DEMAND)
    await model(account, 'enforce', { ...SMALL, key_range_error: error }, { table: TableName })
    expect(await untilThrottled(CALLS.TableWrite)).toEqual({ served: 5, error, reason: 'TableWriteKeyRangeThroughputExceeded', resource: arn(TableName) })
  })
})
