// What CreateTable refuses, and with which messages. No table is created.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { failure, notFound, validation } from '../support/answers.js'
import { definition, uniqueName } from '../support/tables.js'

const { db } = connect()

const P = 'One or more parameter values were invalid: '
const plain = definition({ key: ['pk:S'] })
const ranged = definition({ key: ['pk:S', 'sk:S'] })
const attribute = (AttributeName, AttributeType = 'S') => ({ AttributeName, AttributeType })
const element = (AttributeName, KeyType = 'HASH') => ({ AttributeName, KeyType })
const ALL = { ProjectionType: 'ALL' }
const gsi = (IndexName, names, options) => ({ IndexName, KeySchema: names.map((name, n) => element(name, n ? 'RANGE' : 'HASH')), Projection: ALL, ...options })
const constraint = (value, path, rule) => `1 validation error detected: Value '${value}' at '${path}' failed to satisfy constraint: Member must ${rule}`
const withGsi = (...indexes) => ({ ...plain, AttributeDefinitions: [attribute('pk'), attribute('a')], GlobalSecondaryIndexes: indexes })
const withLsi = (...indexes) => ({ ...ranged, AttributeDefinitions: [attribute('pk'), attribute('sk'), attribute('a')], LocalSecondaryIndexes: indexes })

describe('CreateTable refuses', () => {
  it.each([
    ['a key type it does not know', { ...plain, KeySchema: [element('pk', 'INVALID')] },
      constraint('INVALID', 'keySchema.1.member.keyType', 'satisfy enum value set: [HASH, RANGE]')],
    ['an attribute type it does not know', { ...plain, AttributeDefinitions: [attribute('pk', 'INVALID')] },
      constraint('INVALID', 'attributeDefinitions.1.member.attributeType', 'satisfy enum value set: [B, N, S]')],
    ['an empty key schema', { ...plain, KeySchema: [] }, constraint('[]', 'keySchema', 'have length greater than or equal to 1')],
    ['throughput on demand', { ...plain, ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } },
      `${P}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`],
    ['no throughput', { ...plain, BillingMode: 'PROVISIONED' },
      `${P}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`],
    ['more keys than definitions', { ...plain, KeySchema: [element('pk'), element('pk', 'RANGE')] }, 'Invalid KeySchema: Some index key attribute have no definition'],
    ['a key without definition', { ...plain, KeySchema: [element('other')] },
      `${P}Some index key attributes are not defined in AttributeDefinitions. Keys: [other], AttributeDefinitions: [pk]`],
    ['a first key that is no partition key', { ...plain, KeySchema: [element('pk', 'RANGE')] }, 'Invalid KeySchema: The first KeySchemaElement is not a HASH key type'],
    ['a second key that is no sort key', { ...ranged, KeySchema: [element('pk'), element('sk')] }, 'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type'],
    ['a definition nobody uses', { ...plain, AttributeDefinitions: [attribute('pk'), attribute('unused')] },
      `${P}Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions`],
    ['an empty list of local indexes', { ...ranged, LocalSecondaryIndexes: [] }, `${P}List of LocalSecondaryIndexes is empty`],
    ['an empty list of global indexes', { ...plain, GlobalSecondaryIndexes: [] }, `${P}List of GlobalSecondaryIndexes is empty`],
    ['a local index on a table without sort key',
      { ...plain, AttributeDefinitions: [attribute('pk'), attribute('a')], LocalSecondaryIndexes: [gsi('byA', ['pk', 'a'])] },
      `${P}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex`],
    ['a local index without sort key', { ...withLsi(gsi('byA', ['pk'])), AttributeDefinitions: [attribute('pk'), attribute('sk')] }, `${P}Index KeySchema does not have a range key for index: byA`],
    ['a local index with another partition key', withLsi(gsi('byA', ['a', 'sk'])),
      `${P}Index KeySchema does not have the same leading hash key as table KeySchema for index: byA. index hash key: a, table hash key: pk`],
    ['a global index without projection type', withGsi(gsi('byA', ['a'], { Projection: {} })), `${P}Unknown ProjectionType: null`],
    ['ALL with attributes', withGsi(gsi('byA', ['a'], { Projection: { ...ALL, NonKeyAttributes: ['x'] } })), `${P}ProjectionType is ALL, but NonKeyAttributes is specified`],
    ['INCLUDE without attributes', withGsi(gsi('byA', ['a'], { Projection: { ProjectionType: 'INCLUDE' } })),
      `${P}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`],
    ['two indexes of one name', withGsi(gsi('byA', ['a']), gsi('byA', ['a'])), `${P}Duplicate index name: byA`],
    ['six local indexes', withLsi(...Array.from({ length: 6 }, (_, n) => gsi(`byA${n}`, ['pk', 'a']))), `${P}Number of LocalSecondaryIndexes exceeds per-table limit of 5`],
    ['21 global indexes', withGsi(...Array.from({ length: 21 }, (_, n) => gsi(`byA${n}`, ['a']))), `${P}GlobalSecondaryIndex count exceeds the per-table limit of 20`],
    ['throughput of an index on demand', withGsi(gsi('byA', ['a'], { ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } })),
      `${P}ProvisionedThroughput should not be specified for index: byA when BillingMode is PAY_PER_REQUEST`],
    ['index names of two characters', { ...ranged, AttributeDefinitions: [attribute('pk'), attribute('sk'), attribute('a')],
      LocalSecondaryIndexes: [gsi('l1', ['pk', 'a'])], GlobalSecondaryIndexes: [gsi('g1', ['a'])] },
    "2 validation errors detected: Value 'g1' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3; "
    + "Value 'l1' at 'localSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3"],
  ])('%s', async (_, request, message) => {
    const TableName = uniqueName('refused')
    expect(await failure(db.createTable({ ...request, TableName }))).toEqual(validation(message))
    expect(await failure(db.describeTable({ TableName }))).toEqual(notFound(`Requested resource not found: Table: ${TableName} not found`))
  })

  const long = 'x'.repeat(256)
  it.each([
    ['of two characters', 'ab', constraint('ab', 'tableName', 'have length greater than or equal to 3')],
    ['of other characters', 'bad table!@#', constraint('bad table!@#', 'tableName', 'satisfy regular expression pattern: [a-zA-Z0-9_.-]+')],
    ['of 256 characters', long, constraint(long, 'tableName', 'have length less than or equal to 255')],
    ['that is absent', undefined, "The parameter 'TableName' is required but was not present in the request"],
  ])('a name %s', async (_, TableName, message) => {
    expect(await failure(db.createTable({ ...plain, TableName }))).toEqual(validation(message))
  })
})
