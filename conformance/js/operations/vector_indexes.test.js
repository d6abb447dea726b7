// Vector indexes: their definitions, and what may be written into a table that has some.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, isAws } from '../support/endpoint.js'
import { answer, cancelled, failure, notFound, validation } from '../support/answers.js'
import { createTable, definition, uniqueName, untilActive } from '../support/tables.js'

const { db, doc } = connect()

const P = 'One or more parameter values were invalid: '
const W = 'One or more parameter values were invalid. '
const MINUTES = 60_000
const vectorIndex = (members = {}) => ({ IndexName: 'vix', VectorAttribute: { AttributeName: 'embedding' }, Dimensions: 3,
  DistanceFunction: 'COSINE', Projection: { ProjectionType: 'ALL' }, ...members })
const types = (...attributes) => attributes.map((attribute) => attribute.split(':')).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }))
const search = (...elements) => elements.map((element) => element.split(':')).map(([AttributeName, SearchSchemaElementType]) => ({ AttributeName, SearchSchemaElementType }))
const SEARCH = search('kind:INLINE_FILTER', 'tenant:HASH')

/** Creates a table with these members for the tests of one group, and returns its name. */
function useVectorTable(members) {
  const TableName = uniqueName('vectors')
  beforeAll(() => createTable(db, { ...definition({ key: ['pk:S'] }), ...members, TableName }), 5 * MINUTES)
  afterAll(() => db.deleteTable({ TableName }))
  return TableName
}

describe('a vector index', { timeout: isAws ? 45 * MINUTES : 20_000 }, () => {
  describe('of CreateTable', () => {
    const TableName = useVectorTable({ AttributeDefinitions: types('pk:S', 'tenant:S', 'kind:N'),
      VectorIndexes: [vectorIndex({ SearchSchema: SEARCH, Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['title'] }, DistanceFunction: 'EUCLIDEAN' })] })

    it('is described as it was defined, ACTIVE with its table', async () => {
      const { Table } = await answer(db.describeTable({ TableName }))
      expect(Table.VectorIndexes).toEqual([{ ...vectorIndex({ SearchSchema: SEARCH, Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['title'] }, DistanceFunction: 'EUCLIDEAN' }),
        IndexStatus: 'ACTIVE', IndexSizeBytes: 0, ItemCount: 0, IndexArn: `${Table.TableArn}/index/vix` }])
      expect(Table).not.toHaveProperty('GlobalSecondaryIndexes')
    })

    it('is not read by Query, Scan or a statement', async () => {
      const query = { TableName, IndexName: 'vix', KeyConditionExpression: 'tenant = :t', ExpressionAttributeValues: { ':t': 'a' } }
      expect(await failure(doc.query(query))).toEqual(validation('Query operation not supported on this index type.'))
      expect(await failure(doc.scan({ TableName, IndexName: 'vix' }))).toEqual(validation('Scan operation not supported on this index type'))
      expect(await failure(db.executeStatement({ Statement: `SELECT * FROM "${TableName}"."vix"` }))).toEqual(validation('Scan operation not supported on this index type'))
    })
  })

  describe('is refused by CreateTable', () => {
    it.each([
      ['on a provisioned table', { BillingMode: undefined, ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }, VectorIndexes: [vectorIndex()] }, P + 'Vector indexes are only supported for PAY_PER_REQUEST tables'],
      ['with an undefined search attribute', { VectorIndexes: [vectorIndex({ SearchSchema: search('tenant:HASH') })] }, P + 'One element in SearchSchema is not defined in attribute definitions'],
      ['with too many dimensions', { VectorIndexes: [vectorIndex({ Dimensions: 4097 })] }, P + 'Number of dimensions must be between 1 and 4096 inclusive.'],
      ['when it is the sixth', { VectorIndexes: Array.from({ length: 6 }, (_, i) => vectorIndex({ IndexName: `vix${i}` })) }, P + 'VectorIndex count exceeds the per-table limit of 5'],
      ['with other dimensions of the same attribute', { VectorIndexes: [vectorIndex(), vectorIndex({ IndexName: 'other', Dimensions: 4 })] },
        P + "Conflicting attribute definition for 'embedding'. All VectorIndexes on the same vector attribute must use the same dimensions."],
      ['without dimensions', { VectorIndexes: [vectorIndex({ Dimensions: 0 })] },
        "1 validation error detected: Value '0' at 'vectorIndexes.1.member.dimensions' failed to satisfy constraint: Member must have value greater than or equal to 1"],
    ])('%s', async (_, members, message) => {
      const request = { ...definition({ key: ['pk:S'] }), TableName: uniqueName('refused'), ...members }
      expect(await failure(db.createTable(request))).toEqual(validation(message))
    })
  })

  describe('of UpdateTable', () => {
    const TableName = useVectorTable({})

    it('comes and goes, and with it the definitions of its search schema', async () => {
      await doc.put({ TableName, Item: { pk: 'short', embedding: [1, 2], n: 1 } })
      const { TableDescription } = await answer(db.updateTable({ TableName, AttributeDefinitions: types('tenant:S', 'kind:N'), VectorIndexUpdates: [{ Create: vectorIndex({ SearchSchema: SEARCH }) }] }))
      expect(TableDescription.TableStatus).toBe('UPDATING')
      expect(TableDescription.VectorIndexes).toMatchObject([{ IndexName: 'vix', IndexStatus: 'CREATING', Backfilling: false, SearchSchema: SEARCH }])
      const after = await untilActive(db, TableName, 30 * MINUTES)
      expect(after.VectorIndexes).toMatchObject([{ IndexName: 'vix', IndexStatus: 'ACTIVE', ItemCount: 0 }])
      expect(after.AttributeDefinitions.map(({ AttributeName }) => AttributeName).sort()).toEqual(['kind', 'pk', 'tenant'])
      // An item that was stored before is not checked again, unless its vector changes.
      await doc.update({ TableName, Key: { pk: 'short' }, UpdateExpression: 'SET n = n + :one', ExpressionAttributeValues: { ':one': 1 } })
      expect(await failure(doc.put({ TableName, Item: { pk: 'short', embedding: [1, 2] } }))).toEqual(
        validation(W + 'Invalid size for parameter embedding, Expected: 3, Actual: 2 IndexName: vix'))
      await db.updateTable({ TableName, VectorIndexUpdates: [{ Delete: { IndexName: 'vix' } }] })
      const gone = await untilActive(db, TableName, 5 * MINUTES)
      expect(gone).not.toHaveProperty('VectorIndexes')
      expect(gone.AttributeDefinitions).toEqual(types('pk:S'))
      await doc.put({ TableName, Item: { pk: 'short', embedding: [1, 2] } })
    })

    it('is the only index that a call creates or deletes', async () => {
      const twice = ['one', 'two'].map((IndexName) => ({ Create: vectorIndex({ IndexName }) }))
      expect(await failure(db.updateTable({ TableName, VectorIndexUpdates: twice }))).toEqual({ name: 'LimitExceededException', status: 400,
        message: 'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table' })
      expect(await failure(db.updateTable({ TableName, VectorIndexUpdates: [{ Delete: { IndexName: 'absent' } }] }))).toEqual(
        notFound(`Requested resource not found: Index absent for table ${TableName}`))
    })
  })

  describe('checks what is written', () => {
    const TableName = useVectorTable({ AttributeDefinitions: types('pk:S', 'tenant:S', 'kind:N'),
      VectorIndexes: [vectorIndex({ IndexName: 'plain' }), vectorIndex({ IndexName: 'schema', SearchSchema: SEARCH })] })
    const short = W + 'Invalid size for parameter embedding, Expected: 3, Actual: 2 IndexName: plain'
    const N = (...numbers) => ({ L: numbers.map((number) => ({ N: String(number) })) })

    it.each([
      ['a vector of another length', { embedding: N(1, 0) }, short],
      ['an element that is no number', { embedding: { L: [{ N: '1' }, { S: 'oops' }, { N: '0' }] } }, W + 'Invalid type for parameter embedding[1], Expected: 32-bit floating point number, Actual: S. IndexName: plain'],
      ['what is not a list', { embedding: { S: 'not a vector' } }, W + 'Invalid type for parameter embedding, Expected: 32-bit floating point number list IndexName: plain'],
      ['a number outside of 32 bits', { embedding: N('1E39', 0, 0) }, W + 'Invalid value for parameter embedding[0], Value: 1E+39 is outside valid range [-3.4028235E38, 3.4028235E38]. IndexName: plain'],
      ['a HASH of another type', { tenant: { N: '7' }, embedding: N(1, 0, 0) }, W + "Attribute 'tenant' type mismatch. Expected: S, Actual: N. IndexName: schema"],
      ['a filter of another type', { kind: { S: 'x' } }, W + "Attribute 'kind' type mismatch. Expected: N, Actual: S. IndexName: schema"],
      ['an empty HASH', { tenant: { S: '' }, embedding: N(1, 0, 0) },
        'One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: schema, IndexKey: tenant'],
    ])('and refuses %s', async (_, attributes, message) => {
      expect(await failure(db.putItem({ TableName, Item: { pk: { S: 'refused' }, ...attributes } }))).toEqual(validation(message))
    })

    it('in updates, batches, transactions and statements', async () => {
      const Item = { pk: 'x', embedding: [1, 2] }
      const update = { TableName, Key: { pk: 'x' }, UpdateExpression: 'SET embedding = :v', ExpressionAttributeValues: { ':v': [1, 2] } }
      expect(await failure(doc.update(update))).toEqual(validation(short))
      expect(await failure(doc.batchWrite({ RequestItems: { [TableName]: [{ PutRequest: { Item } }] } }))).toEqual(validation(short))
      expect(await failure(doc.transactWrite({ TransactItems: [{ Put: { TableName, Item: { pk: 'y' } } }, { Put: { TableName, Item } }] }))).toEqual(
        cancelled('None', { Code: 'ValidationError', Message: short }))
      expect(await failure(db.executeStatement({ Statement: `INSERT INTO "${TableName}" VALUE {'pk': 'x', 'embedding': [1, 2]}` }))).toEqual(validation(short))
    })

    it('and accepts items without a vector, without a HASH, without filters', async () => {
      for (const item of [{}, { embedding: [1, 0, 0] }, { tenant: 't', embedding: [0, 1, 0] }, { tenant: 't', kind: 1 }]) {
        await doc.put({ TableName, Item: { pk: 'accepted', ...item } })
        expect(await answer(doc.get({ TableName, Key: { pk: 'accepted' }, ConsistentRead: true }))).toEqual({ Item: { pk: 'accepted', ...item } })
      }
    })
  })
})
