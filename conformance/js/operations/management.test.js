// What tools ask of a table beside its data: point-in-time recovery, resource policies, Contributor Insights, global
// tables, and lists of backups, exports, imports and bulk operations.

import { beforeAll, describe, expect, it } from 'vitest'
import { connect, isAws, region } from '../support/endpoint.js'
import { answer, failure, notFound, validation } from '../support/answers.js'
import { createTable, definition, uniqueName, useTable } from '../support/tables.js'

const { db } = connect()
const TableName = useTable(db, definition({ key: ['pk:S', 'sk:S'], gsi: { byG: ['g:S'] } }))
const refusal = (name) => (message) => ({ name, message, status: 400 })
let ResourceArn
beforeAll(async () => {
  ResourceArn = (await db.describeTable({ TableName })).Table.TableArn
})

describe('continuous backups', () => {
  const off = { ContinuousBackupsDescription: { ContinuousBackupsStatus: 'ENABLED', PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' } } }
  const update = (PointInTimeRecoverySpecification, table = TableName) => db.updateContinuousBackups({ TableName: table, PointInTimeRecoverySpecification })

  it.skipIf(isAws)('are enabled, without point-in-time recovery, from the start', async () => {
    expect(await answer(db.describeContinuousBackups({ TableName }))).toEqual(off)
  })

  it.skipIf(isAws)('switch point-in-time recovery on and off', async () => {
    const on = await answer(update({ PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 7 }))
    const { EarliestRestorableDateTime, LatestRestorableDateTime, ...rest } = on.ContinuousBackupsDescription.PointInTimeRecoveryDescription
    expect(rest).toEqual({ PointInTimeRecoveryStatus: 'ENABLED', RecoveryPeriodInDays: 7 })
    expect(LatestRestorableDateTime).toEqual(EarliestRestorableDateTime)
    expect(Math.abs(Date.now() - EarliestRestorableDateTime.getTime())).toBeLessThan(60_000)
    expect(await answer(db.describeContinuousBackups({ TableName: ResourceArn }))).toEqual(on)
    expect(await answer(update({ PointInTimeRecoveryEnabled: false }))).toEqual(off)
    expect(await answer(db.describeContinuousBackups({ TableName }))).toEqual(off)
  })

  it('are not found for a table that does not exist', async () => {
    const name = uniqueName('none')
    const expected = refusal('TableNotFoundException')(`Table not found: ${name}`)
    expect(await failure(db.describeContinuousBackups({ TableName: name }))).toEqual(expected)
    expect(await failure(update({ PointInTimeRecoveryEnabled: true }, name))).toEqual(expected)
  })

  it('take no period when recovery is disabled, and none above 35 days', async () => {
    expect(await failure(update({ PointInTimeRecoveryEnabled: false, RecoveryPeriodInDays: 7 }))).toEqual(
      validation('Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.'))
    expect((await failure(update({ PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 36 }))).message).toContain(
      "'pointInTimeRecoverySpecification.recoveryPeriodInDays'")
  })
})

describe.skipIf(isAws)('a resource policy', () => {
  const policy = (Action) => JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { AWS: '111122223333' }, Action, Resource: '*' }],
  })
  const none = (arn) => refusal('PolicyNotFoundException')(`Resource-based policy not found for the provided ResourceArn: ${arn}`)

  it('is put, read and deleted by its revision', async () => {
    expect(await failure(db.getResourcePolicy({ ResourceArn }))).toEqual(none(ResourceArn))
    const Policy = policy('dynamodb:GetItem')
    const first = await answer(db.putResourcePolicy({ ResourceArn, Policy, ExpectedRevisionId: 'NO_POLICY' }))
    expect(await answer(db.getResourcePolicy({ ResourceArn }))).toEqual({ Policy, ...first })
    expect(await answer(db.putResourcePolicy({ ResourceArn, Policy }))).toEqual(first)
    const second = await answer(db.putResourcePolicy({ ResourceArn, Policy: policy('dynamodb:Query'), ConfirmRemoveSelfResourceAccess: true }))
    expect(second.RevisionId).not.toBe(first.RevisionId)
    expect(await failure(db.deleteResourcePolicy({ ResourceArn, ExpectedRevisionId: first.RevisionId }))).toEqual(none(ResourceArn))
    expect(await answer(db.deleteResourcePolicy({ ResourceArn, ExpectedRevisionId: second.RevisionId }))).toEqual(second)
    expect(await answer(db.deleteResourcePolicy({ ResourceArn }))).toEqual({})
  })

  it('is a policy document', async () => {
    expect(await failure(db.putResourcePolicy({ ResourceArn, Policy: '{' }))).toEqual(
      validation('One or more parameter values were invalid: Invalid policy document: This policy contains invalid Json'))
  })

  it('comes with a new table', async () => {
    const name = uniqueName('policy')
    const ResourcePolicy = policy('dynamodb:GetItem')
    const { TableArn } = await createTable(db, { ...definition({ key: ['pk:S'] }), TableName: name, ResourcePolicy })
    expect((await db.getResourcePolicy({ ResourceArn: TableArn })).Policy).toBe(ResourcePolicy)
    await db.deleteTable({ TableName: name })
  })
})

describe.skipIf(isAws)('Contributor Insights', () => {
  const ContributorInsightsMode = 'ACCESSED_AND_THROTTLED_KEYS'

  it('are disabled at first', async () => {
    expect(await answer(db.describeContributorInsights({ TableName }))).toEqual({ TableName, ContributorInsightsStatus: 'DISABLED' })
    expect(await answer(db.listContributorInsights({ TableName }))).toEqual({ ContributorInsightsSummaries: [] })
  })

  it('are enabled for an index, listed, and disabled', async () => {
    const of = { TableName, IndexName: 'byG' }
    expect(await answer(db.updateContributorInsights({ ...of, ContributorInsightsAction: 'ENABLE' }))).toEqual(
      { ...of, ContributorInsightsStatus: 'ENABLING', ContributorInsightsMode })
    const { ContributorInsightsRuleList, LastUpdateDateTime, ...rest } = await answer(db.describeContributorInsights(of))
    expect(rest).toEqual({ ...of, ContributorInsightsStatus: 'ENABLED', ContributorInsightsMode })
    expect(ContributorInsightsRuleList).toEqual(['PKC', 'PKT'].map((kind) =>
      `DynamoDBContributorInsights-${kind}-${TableName}-byG-${LastUpdateDateTime.getTime()}`))
    expect(await answer(db.listContributorInsights({ TableName }))).toEqual({ ContributorInsightsSummaries: [rest] })
    expect((await db.updateContributorInsights({ ...of, ContributorInsightsAction: 'DISABLE' })).ContributorInsightsStatus).toBe('DISABLING')
    expect((await db.describeContributorInsights(of)).ContributorInsightsStatus).toBe('DISABLED')
  })

  it('are of no index that does not exist', async () => {
    expect(await failure(db.describeContributorInsights({ TableName, IndexName: 'none' }))).toEqual(
      notFound(`Requested resource not found: Index: none not found for table: ${TableName}`))
  })
})

describe.skipIf(isAws)('global tables', () => {
  const GlobalTableName = TableName
  const legacy = validation('One or more parameter values were invalid: DynamoDB global tables version 2017.11.29 is not supported. '
    + 'We recommend using DynamoDB global tables version 2019.11.21, instead of version 2017.11.29 (Legacy).')
  const text = `Global table with name: '${TableName}' does not exist.`

  it.each([
    ['createGlobalTable', { GlobalTableName, ReplicationGroup: [{ RegionName: region }] }, legacy],
    ['updateGlobalTable', { GlobalTableName, ReplicaUpdates: [{ Create: { RegionName: 'eu-west-1' } }] }, legacy],
    ['describeGlobalTable', { GlobalTableName }, refusal('GlobalTableNotFoundException')(`Global table not found: ${text}`)],
    ['describeGlobalTableSettings', { GlobalTableName }, refusal('GlobalTableNotFoundException')(`Global table not found: ${text}`)],
    ['updateGlobalTableSettings', { GlobalTableName }, refusal('GlobalTableNotFoundException')(`Global table not found: ${text}`)],
    ['describeTableReplicaAutoScaling', { TableName }, notFound(text)],
    ['updateTableReplicaAutoScaling', { TableName }, notFound(text)],
  ])('%s is refused', async (operation, input, expected) => {
    expect(await failure(db[operation](input))).toEqual(expected)
  })
})

describe.skipIf(isAws)('a list', () => {
  it.each([
    ['listGlobalTables', {}, { GlobalTables: [] }],
    ['listBackups', () => ({ TableName }), { BackupSummaries: [] }],
    ['listExports', () => ({ TableArn: ResourceArn }), { ExportSummaries: [] }],
    ['listImports', {}, { ImportSummaryList: [] }],
    ['describeKinesisStreamingDestination', () => ({ TableName }), { TableName, KinesisDataStreamDestinations: [] }],
  ])('of %s is empty', async (operation, input, expected) => {
    expect(await answer(db[operation](typeof input === 'function' ? input() : input))).toEqual(expected)
  })

  it.skipIf(!('listBulkOperations' in db))('of listBulkOperations is empty', async () => {
    expect(await answer(db.listBulkOperations({}))).toEqual({ BulkOperationsSummaryList: [] })
  })
})

// The calls of two tools, in their order.
describe.skipIf(isAws)('the calls of tools', () => {
  it('Terraform creates a table with recovery, reads it, changes it and destroys it', async () => {
    const name = uniqueName('terraform')
    const arn = (await createTable(db, { ...definition({ key: ['pk:S'] }), TableName: name, Tags: [] })).TableArn
    await db.updateContinuousBackups({ TableName: name, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } })
    const read = async () => ({
      status: (await db.describeTable({ TableName: name })).Table.TableStatus,
      recovery: (await db.describeContinuousBackups({ TableName: name })).ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus,
      ttl: (await db.describeTimeToLive({ TableName: name })).TimeToLiveDescription.TimeToLiveStatus,
      tags: (await db.listTagsOfResource({ ResourceArn: arn })).Tags,
    })
    expect(await read()).toEqual({ status: 'ACTIVE', recovery: 'ENABLED', ttl: 'DISABLED', tags: [] })
    await db.updateTable({ TableName: name, TableClass: 'STANDARD_INFREQUENT_ACCESS' })
    await db.updateTimeToLive({ TableName: name, TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' } })
    await db.tagResource({ ResourceArn: arn, Tags: [{ Key: 'a', Value: 'b' }] })
    await db.updateContinuousBackups({ TableName: name, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } })
    expect(await read()).toEqual({ status: 'ACTIVE', recovery: 'DISABLED', ttl: 'ENABLED', tags: [{ Key: 'a', Value: 'b' }] })
    await db.deleteTable({ TableName: name })
    expect((await failure(db.describeContinuousBackups({ TableName: name }))).name).toBe('TableNotFoundException')
  })

  it('bloop binds a model: it creates the table, waits, and asks for its settings', async () => {
    const name = uniqueName('bloop')
    await db.createTable({ ...definition({ key: ['id:S'] }), TableName: name })
    expect((await failure(db.createTable({ ...definition({ key: ['id:S'] }), TableName: name }))).name).toBe('ResourceInUseException')
    expect((await db.describeTable({ TableName: name })).Table.TableStatus).toBe('ACTIVE')
    expect((await db.describeTimeToLive({ TableName: name })).TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'DISABLED' })
    expect((await db.describeContinuousBackups({ TableName: name })).ContinuousBackupsDescription.ContinuousBackupsStatus).toBe('ENABLED')
    await db.updateContinuousBackups({ TableName: name, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } })
    expect((await db.describeContinuousBackups({ TableName: name })).ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus).toBe('ENABLED')
    await db.deleteTable({ TableName: name })
  })
})
