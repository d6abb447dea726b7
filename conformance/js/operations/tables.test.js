// CreateTable, DescribeTable, ListTables, DeleteTable and the account's own operations.

import { afterAll, describe, expect, it } from 'vitest'
import { connect, endpoint, isAws, isInProcess, region } from '../support/endpoint.js'
import { answer, failure, inUse, notFound, validation } from '../support/answers.js'
import { createTable, definition, uniqueName, untilActive } from '../support/tables.js'
import { S } from '../support/values.js'

const { db } = connect()
const created = []
const create = async (request) => {
  created.push(request.TableName)
  return (await answer(db.createTable(request))).TableDescription
}
afterAll(() => Promise.all(created.map((TableName) => db.deleteTable({ TableName }).catch(() => {}))))

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const arn = (TableName) => expect.stringMatching(new RegExp(`^arn:aws:dynamodb:${region}:\\d{12}:table/${TableName}$`))
const onDemand = { BillingMode: 'PAY_PER_REQUEST', LastUpdateToPayPerRequestDateTime: expect.any(Date) }
const noUnits = { NumberOfDecreasesToday: 0, ReadCapacityUnits: 0, WriteCapacityUnits: 0 }

describe('a table', () => {
  it('is CREATING, then ACTIVE, and described whole', async () => {
    const TableName = uniqueName('life')
    const request = { ...definition({ key: ['pk:S'] }), TableName }
    const before = await create(request)
    expect(before.TableStatus).toBe('CREATING')
    if (isAws) await untilActive(db, TableName)
    const { Table } = await answer(db.describeTable({ TableName }))
    expect(Table).toEqual({
      TableName, AttributeDefinitions: request.AttributeDefinitions, KeySchema: request.KeySchema, TableStatus: 'ACTIVE',
      CreationDateTime: before.CreationDateTime, ProvisionedThroughput: noUnits, TableSizeBytes: 0, ItemCount: 0,
      TableArn: arn(TableName), TableId: expect.stringMatching(UUID), BillingModeSummary: onDemand, DeletionProtectionEnabled: false,
      WarmThroughput: { ReadUnitsPerSecond: 12000, WriteUnitsPerSecond: 4000, Status: 'ACTIVE' },
    })
    expect({ id: before.TableId, age: Math.abs(Date.now() - before.CreationDateTime) < 60_000 }).toEqual({ id: Table.TableId, age: true })
  })

  it('describes its indexes', async () => {
    const TableName = uniqueName('indexes')
    const projections = { gSome: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['x'] }, lKeys: { ProjectionType: 'KEYS_ONLY' } }
    const request = { ...definition({ key: ['pk:S', 'sk:N'], gsi: { gAll: ['sk:N'], gSome: ['a:S', 'pk:S'] }, lsi: { lKeys: ['pk:S', 'a:S'] }, projections }), TableName }
    const before = await create(request)
    expect(before.GlobalSecondaryIndexes.map(({ IndexStatus }) => IndexStatus)).toEqual(['CREATING', 'CREATING'])
    const Table = await untilActive(db, TableName)
    const base = { IndexSizeBytes: 0, ItemCount: 0 }
    const named = (list) => list.toSorted((x, y) => (x.IndexName < y.IndexName ? -1 : 1))
    expect(named(Table.LocalSecondaryIndexes)).toEqual(request.LocalSecondaryIndexes.map((index) =>
      ({ ...base, ...index, IndexArn: `${Table.TableArn}/index/${index.IndexName}` })))
    expect(named(Table.GlobalSecondaryIndexes).map(({ WarmThroughput, ...index }) => index)).toEqual(request.GlobalSecondaryIndexes.map((index) =>
      ({ ...base, ...index, IndexStatus: 'ACTIVE', IndexArn: `${Table.TableArn}/index/${index.IndexName}`, ProvisionedThroughput: noUnits })))
  })

  it('with provisioned throughput has no billing summary', async () => {
    const TableName = uniqueName('provisioned')
    await create({ ...definition({ key: ['pk:S'] }), BillingMode: undefined, ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 }, TableName })
    const Table = await untilActive(db, TableName)
    expect(Table.ProvisionedThroughput).toEqual({ NumberOfDecreasesToday: 0, ReadCapacityUnits: 5, WriteCapacityUnits: 6 })
    expect(Table).not.toHaveProperty('BillingModeSummary')
  })

  it('is found by its ARN', async () => {
    const TableName = uniqueName('arn')
    await create({ ...definition({ key: ['pk:S'] }), TableName })
    const { TableArn } = await untilActive(db, TableName)
    await db.putItem({ TableName: TableArn, Item: { pk: S('x') } })
    expect(await answer(db.getItem({ TableName: TableArn, Key: { pk: S('x') }, ConsistentRead: true }))).toEqual({ Item: { pk: S('x') } })
    expect((await answer(db.describeTable({ TableName: TableArn }))).Table.TableName).toBe(TableName)
  })

  it('is made once', async () => {
    const request = { ...definition({ key: ['pk:S'] }), TableName: uniqueName('twice') }
    created.push(request.TableName)
    await createTable(db, request)
    expect(await failure(db.createTable(request))).toEqual(inUse(`Table already exists: ${request.TableName}`))
  })

  it('is DELETING, then gone, and its name is free', async () => {
    const request = { ...definition({ key: ['pk:S'], gsi: { byA: ['a:S'] } }), TableName: uniqueName('gone') }
    const { TableName } = request
    created.push(TableName)
    const first = await createTable(db, request)
    await db.putItem({ TableName, Item: { pk: S('x'), a: S('y') } })
    const { TableDescription } = await answer(db.deleteTable({ TableName }))
    expect(TableDescription.TableStatus).toBe('DELETING')
    for (const member of ['AttributeDefinitions', 'KeySchema', 'CreationDateTime', 'GlobalSecondaryIndexes']) {
      expect(TableDescription).not.toHaveProperty(member)
    }
    expect(await failure(db.getItem({ TableName, Key: { pk: S('x') } }))).toEqual(notFound())
    if (isAws) return
    expect(await failure(db.describeTable({ TableName }))).toEqual(notFound(`Requested resource not found: Table: ${TableName} not found`))
    const second = await createTable(db, request)
    expect(second.TableId).not.toBe(first.TableId)
    expect(await answer(db.scan({ TableName, ConsistentRead: true }))).toEqual({ Items: [], Count: 0, ScannedCount: 0 })
  })

  it('under protection is not deleted', async () => {
    const TableName = uniqueName('protected')
    await createTable(db, { ...definition({ key: ['pk:S'] }), DeletionProtectionEnabled: true, TableName })
    expect(await failure(db.deleteTable({ TableName }))).toEqual(
      validation('Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.'))
    await db.updateTable({ TableName, DeletionProtectionEnabled: false })
    await untilActive(db, TableName)
    expect((await answer(db.deleteTable({ TableName }))).TableDescription.TableStatus).toBe('DELETING')
  })

  it.each(['describeTable', 'deleteTable'])('that does not exist is not found by %s', async (operation) => {
    const TableName = uniqueName('none')
    expect(await failure(db[operation]({ TableName }))).toEqual(notFound(`Requested resource not found: Table: ${TableName} not found`))
  })
})

describe('ListTables', () => {
  const prefix = uniqueName('list')
  const names = ['a', 'b', 'c', 'd'].map((letter) => `${prefix}-${letter}`)

  it('lists names in order, strictly after the one given', async () => {
    for (const TableName of names.toReversed()) created.push((await createTable(db, { ...definition({ key: ['pk:S'] }), TableName })).TableName)
    expect(await answer(db.listTables({ ExclusiveStartTableName: prefix, Limit: 3 }))).toEqual({ TableNames: names.slice(0, 3), LastEvaluatedTableName: names[2] })
    expect(await answer(db.listTables({ ExclusiveStartTableName: names[0], Limit: 2 }))).toEqual({ TableNames: names.slice(1, 3), LastEvaluatedTableName: names[2] })
    expect((await answer(db.listTables({ ExclusiveStartTableName: names[2], Limit: 1 }))).TableNames).toEqual([names[3]])
  })

  it.each([[0, 'greater than or equal to 1'], [101, 'less than or equal to 100']])('refuses Limit %i', async (Limit, rule) => {
    expect(await failure(db.listTables({ Limit }))).toEqual(
      validation(`1 validation error detected: Value '${Limit}' at 'limit' failed to satisfy constraint: Member must have value ${rule}`))
  })
})

describe('the account', () => {
  // In process, nothing has an address.
  it.skipIf(isInProcess)('describes its endpoint', async () => {
    const { Endpoints } = await answer(db.describeEndpoints({}))
    // A local endpoint returns its own address, so that a client with endpoint discovery keeps using it.
    const Address = isAws ? `dynamodb.${region}.amazonaws.com` : new URL(endpoint).host
    expect(Endpoints).toEqual([{ Address, CachePeriodInMinutes: 1440 }])
  })

  it('describes its limits', async () => {
    const limits = await answer(db.describeLimits({}))
    expect(Object.keys(limits).sort()).toEqual(
      ['AccountMaxReadCapacityUnits', 'AccountMaxWriteCapacityUnits', 'TableMaxReadCapacityUnits', 'TableMaxWriteCapacityUnits'])
    expect(Object.values(limits).every((units) => Number.isInteger(units) && units >= 10_000)).toBe(true)
  })
})
