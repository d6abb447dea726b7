// Calls that the service refuses: throttled, in conflict with a transaction, or not valid. None of them takes a unit.

import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hasControl, control } from '../../support/control.js'
import { failure } from '../../support/answers.js'
import { measure, patternsOf, times, unitsOf, useAccount } from '../../support/measurement.js'
import { createTable, definition } from '../../support/tables.js'

const TableName = 'refusals'

describe.skipIf(!hasControl)('calls that are refused', () => {
  const { account, db, doc } = useAccount()
  const key = (n) => ({ PK: `USER#${n}`, SK: 'PROFILE' })
  const put = (n) => doc.put({ TableName, Item: key(n) })
  const batch = (...numbers) => doc.batchWrite({ RequestItems: { [TableName]: numbers.map((n) => ({ PutRequest: { Item: key(n) } })) } })

  beforeAll(async () => {
    await createTable(db, { ...definition({ key: ['PK:S', 'SK:S'] }), TableName })
    await times(4, put)
  })
  afterEach(() => control('DELETE', 'faults'))

  it('are counted by the reason for which they are throttled', async () => {
    await control('POST', 'faults', { rules: [{ match: { account, operation: 'PutItem', every: 2 }, do: { throttle: 'TableWriteKeyRangeThroughputExceeded' } }] })
    const { measurement } = await measure(account, () => times(6, (n) => put(n % 4).catch(() => {})))
    expect(patternsOf(measurement)).toEqual([{ text: 'PutItem refusals where PK = USER#{digits} and SK = PROFILE', calls: 6, written: { table: 3 }, writeP99: 1, changed: 3,
      errors: { ThrottlingException: 3 }, throttles: { TableWriteKeyRangeThroughputExceeded: 3 } }])
    expect(unitsOf(measurement)).toEqual({ table: { written: 3, throttled: 3 } })
    expect(measurement.resources[0].throttled_keys.keys.map((each) => [each.key, each.units])).toEqual([['PK=USER#1', 2], ['PK=USER#3', 1]])
  })

  it('are counted without a key if they are of no key', async () => {
    await control('POST', 'faults', { rules: [{ match: { account, operation: 'Scan' }, do: { throttle: 'TableReadKeyRangeThroughputExceeded' } }] })
    const { measurement } = await measure(account, () => times(2, () => doc.scan({ TableName }).catch(() => {})))
    expect(unitsOf(measurement)).toEqual({ table: { throttled: 2 } })
    expect(measurement.resources[0].throttled_keys.keys).toEqual([])
  })

  it('are members of a batch that are left unprocessed, and that are sent again or not', async () => {
    await control('POST', 'faults', { rules: [
      { match: { account, operation: 'BatchWriteItem', key: { PK: { S: 'USER#1' }, SK: { S: 'PROFILE' } }, times: 1 }, do: { throttle: 'TableWriteKeyRangeThroughputExceeded' } },
      { match: { account, operation: 'BatchWriteItem', key: { PK: { S: 'USER#2' }, SK: { S: 'PROFILE' } }, times: 1 }, do: { throttle: 'TableWriteMaxOnDemandThroughputExceeded' } },
    ] })
    const { measurement } = await measure(account, async () => {
      const { UnprocessedItems } = await batch(0, 1, 2)
      expect(UnprocessedItems[TableName].map(({ PutRequest }) => PutRequest.Item.PK)).toEqual(['USER#1', 'USER#2'])
      await batch(1, 3)
    })
    expect(patternsOf(measurement)).toEqual([{ text: 'BatchWriteItem put refusals where PK = USER#{digits} and SK = PROFILE', calls: 2, written: { table: 3 }, writeP99: 2, changed: 3,
      throttles: { TableWriteKeyRangeThroughputExceeded: 1, TableWriteMaxOnDemandThroughputExceeded: 1 }, unprocessed: 2, abandoned: 1 }])
  })

  it('are conflicts with a transaction that holds the item', async () => {
    const { id } = await control('POST', 'holds', { account, table: TableName, key: { PK: { S: 'USER#0' }, SK: { S: 'PROFILE' } }, timeout: '5m' })
    const { measurement } = await measure(account, async () => {
      await times(2, () => failure(put(0)))
      await failure(doc.transactWrite({ TransactItems: [0, 1].map((n) => ({ Put: { TableName, Item: key(n) } })) }))
      await batch(0, 1)
    })
    await control('DELETE', `holds/${id}`)
    expect(patternsOf(measurement)).toEqual([
      { text: 'BatchWriteItem put refusals where PK = USER#{digits} and SK = PROFILE', calls: 1, written: { table: 1 }, writeP99: 1, changed: 1, conflicts: 1, unprocessed: 1, abandoned: 1 },
      { text: 'PutItem refusals where PK = USER#{digits} and SK = PROFILE', calls: 2, errors: { TransactionConflictException: 2 }, conflicts: 2 },
      { text: 'TransactWriteItems put refusals where PK = USER#{digits} and SK = PROFILE', calls: 1, errors: { TransactionCanceledException: 1 }, conflicts: 1 },
    ])
    expect(unitsOf(measurement)).toEqual({ table: { written: 1 } })
  })

  it('belong to no pattern when they reach no item', async () => {
    const { measurement } = await measure(account, async () => {
      await times(2, () => failure(doc.get({ TableName, Key: { PK: 'USER#1' } })))
      await failure(doc.get({ TableName: 'missing', Key: key(1) }))
    })
    expect(patternsOf(measurement)).toEqual([])
    expect(measurement.other_errors).toEqual([{ name: 'ValidationException', count: 2 }, { name: 'ResourceNotFoundException', count: 1 }])
    expect(measurement.time.buckets.reduce((sum, { errors }) => sum + errors, 0)).toBe(3)
  })
})
