// What UpdateTable refuses, and with which messages. The table does not change.

import { describe, expect, it } from 'vitest'
import { connect, isAws, region } from '../support/endpoint.js'
import { answer, failure, notFound, validation } from '../support/answers.js'
import { definition, uniqueName, useTable } from '../support/tables.js'

const { db } = connect()

const P = 'One or more parameter values were invalid: '
const units = (ReadCapacityUnits, WriteCapacityUnits) => ({ ReadCapacityUnits, WriteCapacityUnits })
const updates = (...GlobalSecondaryIndexUpdates) => ({ GlobalSecondaryIndexUpdates })
const update = (IndexName, change) => updates({ Update: { IndexName, ...change } })
const index = { IndexName: 'new', KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' } }
const NOTHING = 'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, '
  + 'MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required'
const unchanged = (of, provisionedFor, read, write) => `The provisioned throughput for the ${of} will not change. The requested value equals the current value. `
  + `Current ReadCapacityUnits provisioned for ${provisionedFor}: ${read}. Requested ReadCapacityUnits: ${read}. `
  + `Current WriteCapacityUnits provisioned for ${provisionedFor}: ${write}. Requested WriteCapacityUnits: ${write}. `
  + 'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.'
const constraint = (value, path, rule) => `Value ${value} at '${path}' failed to satisfy constraint: Member must ${rule}`
const stream = { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } }

const onDemand = definition({ key: ['pk:S'], gsi: { byA: ['a:S'], byB: ['b:S'] } })
const provisioned = { ...definition({ key: ['pk:S', 'sk:S'], gsi: { byA: ['a:S'] }, lsi: { local: ['pk:S', 'a:S'] } }), BillingMode: 'PROVISIONED', ProvisionedThroughput: units(5, 6) }
provisioned.GlobalSecondaryIndexes = provisioned.GlobalSecondaryIndexes.map((gsi) => ({ ...gsi, ProvisionedThroughput: units(2, 3) }))

describe('UpdateTable of a provisioned table refuses', () => {
  const TableName = useTable(db, provisioned)
  it.each([
    ['nothing', {}, NOTHING],
    ['definitions alone', { AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }] }, NOTHING],
    ['an empty list alone', updates(), NOTHING],
    ['an empty list beside another change', { ...updates(), DeletionProtectionEnabled: true }, `${P}List of GlobalSecondaryIndexUpdates is empty`],
    ['the throughput it has', { ProvisionedThroughput: units(5, 6) }, unchanged('table', 'the table', 5, 6)],
    ['the throughput and the mode it has', { BillingMode: 'PROVISIONED', ProvisionedThroughput: units(5, 6) }, unchanged('table', 'the table', 5, 6)],
    ['the throughput an index has', update('byA', { ProvisionedThroughput: units(2, 3) }), unchanged('index byA', 'index byA', 2, 3)],
    ['PROVISIONED without throughput', { BillingMode: 'PROVISIONED' }, `${P}ProvisionedThroughput must be specified when BillingMode is PROVISIONED`],
    ['PAY_PER_REQUEST with throughput', { BillingMode: 'PAY_PER_REQUEST', ProvisionedThroughput: units(1, 1) },
      `${P}ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST`],
    ['no units', { ProvisionedThroughput: {} }, `2 validation errors detected: ${constraint('null', 'provisionedThroughput.writeCapacityUnits', 'not be null')}; `
      + constraint('null', 'provisionedThroughput.readCapacityUnits', 'not be null')],
    ['zero units', { ProvisionedThroughput: units(0, 1) }, `1 validation error detected: ${constraint("'0'", 'provisionedThroughput.readCapacityUnits', 'have value greater than or equal to 1')}`],
    ['too many units', { ProvisionedThroughput: units(1_000_000_000_001, 1) }, 'Given value 1000000000001 for ReadCapacityUnits is out of bounds'],
    ['a mode it does not know', { BillingMode: 'X' }, `1 validation error detected: ${constraint("'X'", 'billingMode', 'satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]')}`],
    ['a class it does not know', { TableClass: 'X' }, 'Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS].'],
    ['a replica', { ReplicaUpdates: [{ Create: { RegionName: 'eu-north-1' } }] }, 'Table write capacity should either be Pay-Per-Request or AutoScaled.'],
    ['a limit', { OnDemandThroughput: { MaxReadRequestUnits: 1 } }, `${P}MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED`],
    ['a limit of writes', { OnDemandThroughput: { MaxWriteRequestUnits: 0 } }, `${P}MaxWriteRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED`],
    ['a limit of an index', update('byA', { OnDemandThroughput: { MaxReadRequestUnits: 1 } }),
      `${P}MaxReadRequestUnits for OnDemandThroughput for index : byA cannot be specified when the table BillingMode is PROVISIONED`],
    ['half a throughput of an index', update('byA', { ProvisionedThroughput: { ReadCapacityUnits: 1 } }), `${P}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: byA`],
    ['less warm throughput', { WarmThroughput: { ReadUnitsPerSecond: 4 } },
      `${P}Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, decreasing WarmThroughput is not supported`],
    ['to update a local index', update('local', { ProvisionedThroughput: units(1, 1) }), 'Cannot update an index that is not a GlobalSecondaryIndex: local'],
    ['to delete a local index', updates({ Delete: { IndexName: 'local' } }), 'Cannot delete an index that is not a GlobalSecondaryIndex: local'],
    ['an index of a name that is taken', updates({ Create: { ...index, IndexName: 'local' } }), 'Attempting to create an index which already exists'],
    ['an index without definitions', updates({ Create: index }), `${P}AttributeDefinitions is not specified for index: new`],
    ['an index whose key is not defined in the request', { ...updates({ Create: index }), AttributeDefinitions: [{ AttributeName: 'z', AttributeType: 'S' }] },
      `${P}Some index key attributes are not defined in AttributeDefinitions. Keys: [a], AttributeDefinitions: [z]`],
    ['an empty action', updates({}),
      `${P}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null`],
    ['two actions in one', updates({ Update: { IndexName: 'byA', ProvisionedThroughput: units(1, 1) }, Delete: { IndexName: 'byA' } }),
      `${P}Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object`],
    ['two actions on one index', updates({ Delete: { IndexName: 'byA' } }, { Delete: { IndexName: 'byA' } }),
      `${P}Only one global secondary index update per index is allowed simultaneously. Index: byA`],
    ['the default key again', { SSESpecification: { Enabled: false } }, `${P}Table is already encrypted by default`],
    ['a key type while disabling', { SSESpecification: { Enabled: false, SSEType: 'KMS' } }, `${P}SSEType can not be specified if Enabled is false`],
    ['a stream without view type', { StreamSpecification: { StreamEnabled: true } }, `${P}If stream is being enabled then UpdateViewType is required`],
    ['a view type while disabling', { StreamSpecification: { StreamEnabled: false, StreamViewType: 'NEW_IMAGE' } }, `${P}If stream is being disabled, then UpdateViewType must not be specified`],
    ['encryption with anything', { SSESpecification: { Enabled: true }, TableClass: 'STANDARD' }, `${P}Server-Side Encryption modification must be the only operation in the request`],
    ['a class with anything', { TableClass: 'STANDARD', DeletionProtectionEnabled: true }, `${P}TableClass modification must be the only operation in the request`],
    ['protection with anything', { DeletionProtectionEnabled: true, WarmThroughput: { ReadUnitsPerSecond: 20 } }, `${P}DeletionProtection modification must be the only operation in the request`],
    ['warm throughput with anything', { WarmThroughput: { ReadUnitsPerSecond: 20 }, ProvisionedThroughput: units(9, 9) }, `${P}WarmThroughput must be the only operation in the request`],
    ['a limit with a stream', { OnDemandThroughput: { MaxReadRequestUnits: 1 }, ...stream }, `${P}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request`],
    ['throughput with a stream', { ProvisionedThroughput: units(9, 9), ...stream }, `${P}You cannot modify stream status while updating table IOPS`],
    ['throughput with a new index', { ProvisionedThroughput: units(9, 9), ...updates({ Create: index }) }, `${P}You cannot create or delete index while updating table IOPS`],
    ['a stream with an index less', { ...stream, ...updates({ Delete: { IndexName: 'byA' } }) }, `${P}You cannot create or delete index while changing stream status`],
    ['warm throughput with a new index', { WarmThroughput: { ReadUnitsPerSecond: 20 }, ...updates({ Create: index }) },
      `${P}Create global secondary index cannot be specified when updating WarmThroughput`],
  ])('%s', async (_, members, message) => {
    const before = await answer(db.describeTable({ TableName }))
    expect(await failure(db.updateTable({ TableName, ...members }))).toEqual(validation(message))
    expect(await answer(db.describeTable({ TableName }))).toEqual(before)
  })

  it('to disable a stream that it does not have', async () => {
    expect(await failure(db.updateTable({ TableName, StreamSpecification: { StreamEnabled: false } }))).toEqual(validation(`Table has no stream to disable: TableName: ${TableName}`))
  })

  it('two deletions of indexes', async () => {
    expect(await failure(db.updateTable({ TableName, ...updates({ Delete: { IndexName: 'byA' } }, { Delete: { IndexName: 'ghost' } }) }))).toEqual({
      name: 'LimitExceededException', status: 400, message: 'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table' })
  })

  it.each(['Update', 'Delete'])('%s of an index that it does not have', async (action) => {
    const members = updates({ [action]: { IndexName: 'ghost', ...(action === 'Update' && { ProvisionedThroughput: units(1, 1) }) } })
    expect(await failure(db.updateTable({ TableName, ...members }))).toEqual(notFound(`Requested resource not found: Index ghost for table ${TableName}`))
  })
})

describe('UpdateTable of an on-demand table refuses', () => {
  const TableName = useTable(db, onDemand)
  it.each([
    ['throughput', { ProvisionedThroughput: units(1, 1) }, `${P}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`],
    ['PROVISIONED without throughput', { BillingMode: 'PROVISIONED' }, `${P}ProvisionedThroughput must be specified when BillingMode is PROVISIONED`],
    ['PROVISIONED without throughput of its indexes', { BillingMode: 'PROVISIONED', ProvisionedThroughput: units(1, 1) }, `${P}ProvisionedThroughput must be specified for index: byA,byB`],
    ['PROVISIONED without throughput of one index', { BillingMode: 'PROVISIONED', ProvisionedThroughput: units(1, 1), ...update('byA', { ProvisionedThroughput: units(1, 1) }) },
      `${P}ProvisionedThroughput must be specified for index: byB`],
    ['a limit of zero', { OnDemandThroughput: { MaxReadRequestUnits: 0 } }, `${P}Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range`],
    ['a limit below −1', { OnDemandThroughput: { MaxWriteRequestUnits: -2 } }, `${P}Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range`],
    ['a limit of zero of an index', update('byA', { OnDemandThroughput: { MaxReadRequestUnits: 0 } }),
      `${P}Requested MaxReadRequestUnits for OnDemandThroughput for index : byA is outside of valid range`],
    ['an update of an index with nothing in it', update('byA', {}),
      `${P}The only Updates for index: byA when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput`],
    ['less warm throughput of an index', update('byA', { WarmThroughput: { WriteUnitsPerSecond: 3999 } }),
      `${P}Requested WriteUnitsPerSecond for WarmThroughput for index byA is lower than current WarmThroughput, decreasing WarmThroughput is not supported`],
  ])('%s', async (_, members, message) => {
    expect(await failure(db.updateTable({ TableName, ...members }))).toEqual(validation(message))
  })

  it.each(['OnDemandThroughput', 'WarmThroughput'])('%s with nothing in it, alone', async (member) => {
    expect(await failure(db.updateTable({ TableName, [member]: {} }))).toMatchObject({ name: 'InternalFailure', status: 500 })
  })
})

describe('UpdateTable', () => {
  it('of a table that does not exist is not found', async () => {
    const TableName = uniqueName('none')
    expect(await failure(db.updateTable({ TableName, DeletionProtectionEnabled: true }))).toEqual(notFound(`Requested resource not found: Table: ${TableName} not found`))
  })
})

describe('UpdateTable of a table without replicas refuses', () => {
  const TableName = useTable(db, onDemand)
  const unknown = (...regions) => 'Update global table operation failed because one or more replicas were not part of the global table. '
    + `Please retry the request without these replicas: [${regions.join(', ')}].`
  const own = 'Cannot add, delete, or update the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or UpdateTable as required.'
  it.each([
    ['an action that is none', [{}], 'There are no actions specified in the Replica Update Action of the request.'],
    ['two new replicas', ['eu-west-1', 'eu-west-2'].map((RegionName) => ({ Create: { RegionName } })),
      'Update table operation with more than one create or delete replica actions not allowed'],
    ['a replica in its own Region', [{ Create: { RegionName: region } }], own],
    ['to delete the table of its own Region', [{ Delete: { RegionName: region } }], own],
    ['to delete a replica', [{ Delete: { RegionName: 'eu-north-1' } }], unknown('eu-north-1')],
    ['to update a replica', [{ Update: { RegionName: 'eu-north-1' } }], unknown('eu-north-1')],
  ])('%s', async (_, ReplicaUpdates, message) => {
    expect(await failure(db.updateTable({ TableName, ReplicaUpdates }))).toEqual(validation(message))
  })

  it.skipIf(isAws)('to disassociate itself', async () => {
    const ReplicaUpdates = [{ Disassociate: { RegionName: region, DisassociationMode: 'WAIT_FOR_REPLICATION' } }]
    expect(await failure(db.updateTable({ TableName, ReplicaUpdates }))).toEqual(validation(unknown(region)))
  })

  it('a witness without strong consistency', async () => {
    const GlobalTableWitnessUpdates = [{ Create: { RegionName: 'eu-west-1' } }]
    expect(await failure(db.updateTable({ TableName, GlobalTableWitnessUpdates }))).toEqual(
      validation('MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present.'))
  })
})
