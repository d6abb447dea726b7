// What UpdateTable changes, and what DescribeTable answers during and after the change.

import { beforeAll, afterAll, describe, expect, it } from 'vitest'
import { connect, isAws } from '../support/endpoint.js'
import { answer, failure, validation } from '../support/answers.js'
import { createTable, definition, uniqueName, untilActive } from '../support/tables.js'

const { db } = connect()

const units = (ReadCapacityUnits, WriteCapacityUnits) => ({ ReadCapacityUnits, WriteCapacityUnits })
const described = (read, write, decreases = 0) => ({ ...units(read, write), NumberOfDecreasesToday: decreases })
const updateIndex = (IndexName, change) => ({ GlobalSecondaryIndexUpdates: [{ Update: { IndexName, ...change } }] })
const onDemand = definition({ key: ['pk:S'], gsi: { byA: ['a:S'] } })
const provisioned = {
  ...definition({ key: ['pk:S', 'sk:S'], gsi: { byA: ['a:S'] }, lsi: { local: ['pk:S', 'a:S'] } }),
  BillingMode: 'PROVISIONED',
  ProvisionedThroughput: units(5, 5),
}
provisioned.GlobalSecondaryIndexes = provisioned.GlobalSecondaryIndexes.map((index) => ({ ...index, ProvisionedThroughput: units(2, 2) }))

/** A table for tests that change it: `change(members)` returns the answer of UpdateTable and the description afterwards. */
function useChanges(table) {
  const TableName = uniqueName('changed')
  beforeAll(() => createTable(db, { ...table, TableName }), 120_000)
  afterAll(async () => {
    await db.updateTable({ TableName, DeletionProtectionEnabled: false }).catch(() => {})
    await db.deleteTable({ TableName })
  })
  const change = async (members) => {
    const { TableDescription } = await answer(db.updateTable({ TableName, ...members }))
    return { during: TableDescription, after: await untilActive(db, TableName) }
  }
  return { TableName, change }
}

describe('UpdateTable', { timeout: isAws ? 600_000 : 10_000 }, () => {
  describe('of a provisioned table', () => {
    const { TableName, change } = useChanges(provisioned)

    it('answers with the old throughput, then has the new', async () => {
      const { during, after } = await change({ ProvisionedThroughput: units(6, 7) })
      expect([during.TableStatus, during.ProvisionedThroughput]).toEqual(['UPDATING', { ...described(5, 5), LastIncreaseDateTime: expect.any(Date) }])
      expect(after.ProvisionedThroughput).toEqual({ ...described(6, 7), LastIncreaseDateTime: expect.any(Date) })
    })

    it('counts a decrease of both kinds once', async () => {
      const { during, after } = await change({ BillingMode: 'PROVISIONED', ProvisionedThroughput: units(4, 4) })
      const dates = { LastIncreaseDateTime: expect.any(Date), LastDecreaseDateTime: expect.any(Date) }
      expect(during.ProvisionedThroughput).toEqual({ ...described(6, 7), ...dates })
      expect(after.ProvisionedThroughput).toEqual({ ...described(4, 4, 1), ...dates })
    })

    it('keeps the warm throughput that throughput once had', async () => {
      const { Table } = await answer(db.describeTable({ TableName }))
      expect(Table.WarmThroughput).toEqual({ ReadUnitsPerSecond: 6, WriteUnitsPerSecond: 7, Status: 'ACTIVE' })
    })

    it('changes the throughput of an index while the table stays ACTIVE', async () => {
      const { during, after } = await change(updateIndex('byA', { ProvisionedThroughput: units(3, 2) }))
      const index = ({ GlobalSecondaryIndexes: [{ IndexStatus, ProvisionedThroughput }] }) => [IndexStatus, ProvisionedThroughput]
      expect(during.TableStatus).toBe('ACTIVE')
      expect(index(during)).toEqual(['UPDATING', { ...described(2, 2), LastIncreaseDateTime: expect.any(Date) }])
      expect(index(after)).toEqual(['ACTIVE', { ...described(3, 2), LastIncreaseDateTime: expect.any(Date) }])
    })

    it('changes protection at once', async () => {
      expect((await answer(db.updateTable({ TableName, DeletionProtectionEnabled: true }))).TableDescription).toMatchObject({ TableStatus: 'ACTIVE', DeletionProtectionEnabled: true })
      expect(await failure(db.deleteTable({ TableName }))).toEqual(
        validation('Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.'))
    })

    it('describes a table class once one was set', async () => {
      const { during, after } = await change({ TableClass: 'STANDARD_INFREQUENT_ACCESS' })
      expect([during.TableStatus, during.TableClassSummary]).toEqual(['UPDATING', undefined])
      expect(after.TableClassSummary).toEqual({ TableClass: 'STANDARD_INFREQUENT_ACCESS', LastUpdateDateTime: expect.any(Date) })
    })

    it('switches to on demand, with a limit', async () => {
      const { during, after } = await change({ BillingMode: 'PAY_PER_REQUEST', OnDemandThroughput: { MaxReadRequestUnits: 100 } })
      expect([during.TableStatus, during.BillingModeSummary]).toEqual(['UPDATING', { BillingMode: 'PAY_PER_REQUEST' }])
      expect(after.BillingModeSummary).toEqual({ BillingMode: 'PAY_PER_REQUEST', LastUpdateToPayPerRequestDateTime: expect.any(Date) })
      expect(after.ProvisionedThroughput).toMatchObject(units(0, 0))
      expect(after.GlobalSecondaryIndexes[0].ProvisionedThroughput).toMatchObject(units(0, 0))
      expect(after.OnDemandThroughput).toEqual({ MaxReadRequestUnits: 100 })
      expect(after.WarmThroughput).toEqual({ ReadUnitsPerSecond: 12000, WriteUnitsPerSecond: 4000, Status: 'ACTIVE' })
    })

    it('switches back, without the limit', async () => {
      const { after } = await change({ BillingMode: 'PROVISIONED', ProvisionedThroughput: units(1, 2), ...updateIndex('byA', { ProvisionedThroughput: units(3, 4) }) })
      expect(after.BillingModeSummary).toEqual({ BillingMode: 'PROVISIONED', LastUpdateToPayPerRequestDateTime: expect.any(Date) })
      expect([after.ProvisionedThroughput, after.GlobalSecondaryIndexes[0].ProvisionedThroughput]).toMatchObject([units(1, 2), units(3, 4)])
      expect(after).not.toHaveProperty('OnDemandThroughput')
    })
  })

  describe('of an on-demand table', () => {
    const { change } = useChanges(onDemand)

    it('merges limits member by member, and −1 takes one away', async () => {
      const rows = [
        [{ MaxReadRequestUnits: 20, MaxWriteRequestUnits: 15 }, { MaxReadRequestUnits: 20, MaxWriteRequestUnits: 15 }],
        [{ MaxReadRequestUnits: 40 }, { MaxReadRequestUnits: 40, MaxWriteRequestUnits: 15 }],
        [{ MaxReadRequestUnits: -1 }, { MaxReadRequestUnits: -1, MaxWriteRequestUnits: 15 }],
        [{ MaxWriteRequestUnits: -1 }, { MaxWriteRequestUnits: -1 }],
      ]
      for (const [OnDemandThroughput, expected] of rows) {
        const { during } = await change({ OnDemandThroughput })
        expect([during.TableStatus, during.OnDemandThroughput]).toEqual(['ACTIVE', expected])
      }
      if (!isAws) expect((await change({ BillingMode: 'PAY_PER_REQUEST' })).after).not.toHaveProperty('OnDemandThroughput')
    })

    it('takes the mode it has for no change', async () => {
      const { during, after } = await change({ BillingMode: 'PAY_PER_REQUEST' })
      expect([during.TableStatus, after.TableStatus]).toEqual(['UPDATING', 'ACTIVE'])
    })

    it('limits an index', async () => {
      const { during, after } = await change(updateIndex('byA', { OnDemandThroughput: { MaxWriteRequestUnits: 9 } }))
      expect([during.TableStatus, during.GlobalSecondaryIndexes[0].IndexStatus]).toEqual(['ACTIVE', 'UPDATING'])
      expect(after.GlobalSecondaryIndexes[0].OnDemandThroughput).toEqual({ MaxWriteRequestUnits: 9 })
    })

    it.skipIf(isAws)('encrypts with a key, and stops', async () => {
      const { during, after } = await change({ SSESpecification: { Enabled: true } })
      expect([during.TableStatus, during.SSEDescription.Status]).toEqual(['ACTIVE', 'UPDATING'])
      expect(after.SSEDescription).toEqual({ Status: 'ENABLED', SSEType: 'KMS', KMSMasterKeyArn: expect.stringMatching(/^arn:aws:kms:/) })
      expect((await change({ SSESpecification: { Enabled: false } })).after).not.toHaveProperty('SSEDescription')
    })

    it.skipIf(isAws)('raises warm throughput behind an ACTIVE table', async () => {
      const { during, after } = await change({ WarmThroughput: { ReadUnitsPerSecond: 12001 } })
      expect([during.TableStatus, during.WarmThroughput]).toEqual(['ACTIVE', { ReadUnitsPerSecond: 12000, WriteUnitsPerSecond: 4000, Status: 'UPDATING' }])
      expect(after.WarmThroughput).toEqual({ ReadUnitsPerSecond: 12001, WriteUnitsPerSecond: 4000, Status: 'ACTIVE' })
    })
  })
})
