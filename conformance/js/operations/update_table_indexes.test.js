// Indexes that UpdateTable adds to a table with items, and deletes again.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, isAws } from '../support/endpoint.js'
import { answer, expectAnswer, failure, notFound, page, validation } from '../support/answers.js'
import { createTable, definition, uniqueName, untilActive } from '../support/tables.js'

const { db, doc } = connect()

const P = 'One or more parameter values were invalid: '
const LIMIT = { name: 'LimitExceededException', status: 400,
  message: 'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table' }
const MINUTES = 60_000
const types = (...attributes) => attributes.map((attribute) => attribute.split(':')).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }))
const keys = (hash, range = []) => [...hash.map((name) => [name, 'HASH']), ...range.map((name) => [name, 'RANGE'])]
  .map(([AttributeName, KeyType]) => ({ AttributeName, KeyType }))
const create = (IndexName, KeySchema, Projection = { ProjectionType: 'ALL' }) => ({ GlobalSecondaryIndexUpdates: [{ Create: { IndexName, KeySchema, Projection } }] })
const remove = (IndexName) => ({ GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] })
const names = (definitions) => definitions.map(({ AttributeName }) => AttributeName)

/** Creates a table with these items for one test. `change` waits until the table is ACTIVE again, and returns both descriptions. */
function useChanges(items = []) {
  const TableName = uniqueName('indexed')
  beforeAll(async () => {
    await createTable(db, { ...definition({ key: ['pk:S'] }), TableName })
    for (let i = 0; i < items.length; i += 25) {
      await doc.batchWrite({ RequestItems: { [TableName]: items.slice(i, i + 25).map((Item) => ({ PutRequest: { Item } })) } })
    }
  }, 2 * MINUTES)
  afterAll(() => db.deleteTable({ TableName }))
  const change = async (members) => {
    const { TableDescription } = await answer(db.updateTable({ TableName, ...members }))
    return { during: TableDescription, after: await untilActive(db, TableName, 20 * MINUTES) }
  }
  return { TableName, change }
}

describe('UpdateTable', { timeout: isAws ? 45 * MINUTES : 20_000 }, () => {
  describe('adds an index', () => {
    const items = [
      { pk: '1', kind: 'book', price: 9, title: 'A' },
      { pk: '2', kind: 'book', price: 7, title: 'B' },
      { pk: '3', kind: 'film', price: 8 },
      { pk: 'sparse', kind: 'book' },
      { pk: 'another type', kind: 'book', price: '8' },
      { pk: 'empty', kind: '', price: 1 },
      { pk: 'no scalar', kind: ['book'], price: 1 },
    ]
    const { TableName, change } = useChanges(items)
    const query = (IndexName, KeyConditionExpression, values, more = {}) =>
      doc.query({ TableName, IndexName, KeyConditionExpression, ExpressionAttributeValues: values, ...more })

    it('that is described as being created, then as ACTIVE', async () => {
      const { during, after } = await change({ ...create('byKind', keys(['kind'], ['price'])), AttributeDefinitions: types('kind:S', 'price:N') })
      expect(during.TableStatus).toBe('UPDATING')
      expect(during.GlobalSecondaryIndexes).toMatchObject([{ IndexName: 'byKind', IndexStatus: 'CREATING', Backfilling: false, ItemCount: 0, IndexSizeBytes: 0 }])
      expect(names(after.AttributeDefinitions)).toEqual(['kind', 'pk', 'price'])
      const [index] = after.GlobalSecondaryIndexes
      expect(index).toMatchObject({ IndexName: 'byKind', IndexStatus: 'ACTIVE', KeySchema: keys(['kind'], ['price']), Projection: { ProjectionType: 'ALL' } })
      expect(index).not.toHaveProperty('Backfilling')
    })

    it('that holds the items that have its key, in order', async () => {
      await expectAnswer(() => query('byKind', 'kind = :k', { ':k': 'book' }), page([items[1], items[0]]))
      await expectAnswer(() => doc.scan({ TableName, IndexName: 'byKind', Select: 'COUNT' }), { Count: 3, ScannedCount: 3 })
    })

    it('that follows its table from then on', async () => {
      const moved = { ...items[0], kind: 'film' }
      await doc.put({ TableName, Item: moved })
      await doc.delete({ TableName, Key: { pk: '3' } })
      await expectAnswer(() => query('byKind', 'kind = :k', { ':k': 'film' }), page([moved]))
      await expectAnswer(() => query('byKind', 'kind = :k', { ':k': 'book' }), page([items[1]]))
    })

    it('whose key attributes have their type from then on', async () => {
      expect(await failure(doc.put({ TableName, Item: { pk: '9', kind: 'book', price: '1' } }))).toEqual(
        validation(`${P}Type mismatch for Index Key price Expected: N Actual: S IndexName: byKind`))
      expect(await answer(doc.get({ TableName, Key: { pk: 'another type' } }))).toEqual({ Item: items[4] })
    })

    it('with several attributes a part', async () => {
      await doc.put({ TableName, Item: { pk: 'm1', tenant: 't', region: 'eu', year: 2024, team: 'b', other: 1 } })
      await doc.put({ TableName, Item: { pk: 'm2', tenant: 't', region: 'eu', year: 2024, team: 'a' } })
      await doc.put({ TableName, Item: { pk: 'm3', tenant: 't', region: 'eu', year: 2025 } })
      const key = keys(['tenant', 'region'], ['year', 'team'])
      const { after } = await change({ ...create('byTenant', key, { ProjectionType: 'KEYS_ONLY' }), AttributeDefinitions: types('tenant:S', 'region:S', 'year:N', 'team:S') })
      expect(after.GlobalSecondaryIndexes[1].KeySchema).toEqual(key)
      const m1 = { pk: 'm1', tenant: 't', region: 'eu', year: 2024, team: 'b' }
      const m2 = { pk: 'm2', tenant: 't', region: 'eu', year: 2024, team: 'a' }
      const values = { ':t': 't', ':r': 'eu', ':y': 2024 }
      const condition = 'tenant = :t AND #r = :r AND #y = :y'
      const aliases = { ExpressionAttributeNames: { '#r': 'region', '#y': 'year' } }
      await expectAnswer(() => query('byTenant', condition, values, { ...aliases, Limit: 1 }), page([m2], m2))
      await expectAnswer(() => query('byTenant', condition, values, { ...aliases, ExclusiveStartKey: m2 }), page([m1]))
      await expectAnswer(() => query('byTenant', `${condition} AND team > :m`, { ...values, ':m': 'a' }, aliases), page([m1]))
      expect(await failure(query('byTenant', 'tenant = :t AND #r = :r AND team = :m', { ':t': 't', ':r': 'eu', ':m': 'a' }, { ExpressionAttributeNames: { '#r': 'region' } }))).toEqual(
        validation('RANGE key attributes year must have equality conditions specified in the query because a condition is present on key attribute team'))
    })
  })

  describe('takes an index away', () => {
    const { TableName, change } = useChanges([{ pk: '1', a: 'x', b: 'y' }])
    beforeAll(async () => {
      await change({ ...create('byA', keys(['a'])), AttributeDefinitions: types('a:S') })
      await change({ ...create('byB', keys(['b'], ['a'])), AttributeDefinitions: types('a:S', 'b:S') })
    }, 45 * MINUTES)

    it('and with it the definitions that no other key uses', async () => {
      const { during, after } = await change(remove('byB'))
      expect(during.TableStatus).toBe('UPDATING')
      expect(during.GlobalSecondaryIndexes.map(({ IndexName, IndexStatus }) => [IndexName, IndexStatus])).toEqual([['byA', 'ACTIVE'], ['byB', 'DELETING']])
      expect(after.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName)).toEqual(['byA'])
      expect(names(after.AttributeDefinitions)).toEqual(['a', 'pk'])
    })

    it('which then cannot be read, updated or deleted', async () => {
      expect(await failure(doc.query({ TableName, IndexName: 'byB', KeyConditionExpression: 'b = :b', ExpressionAttributeValues: { ':b': 'y' } }))).toEqual(
        validation('The table does not have the specified index: byB'))
      expect(await failure(db.updateTable({ TableName, ...remove('byB') }))).toEqual(notFound(`Requested resource not found: Index byB for table ${TableName}`))
    })

    it('and what its key refused is allowed again', async () => {
      expect(await answer(doc.put({ TableName, Item: { pk: '2', b: 1 } }))).toEqual({})
      expect(await failure(doc.put({ TableName, Item: { pk: '2', a: 1 } }))).toEqual(validation(`${P}Type mismatch for Index Key a Expected: S Actual: N IndexName: byA`))
    })

    it('though the table is protected', async () => {
      await answer(db.updateTable({ TableName, DeletionProtectionEnabled: true }))
      expect((await change(remove('byA'))).after).not.toHaveProperty('GlobalSecondaryIndexes')
      if (isAws) await new Promise((resolve) => setTimeout(resolve, 16_000))
      await answer(db.updateTable({ TableName, DeletionProtectionEnabled: false }))
    })
  })

  describe('refuses to add', () => {
    const { TableName } = useChanges()
    const letters = (stem, count) => Array.from({ length: count }, (_, i) => `${stem}${i}`)
    const of = (...parts) => types(...parts.map((name) => `${name}:S`))
    it.each([
      ['an index without definitions', create('new', keys(['a'])), undefined, `${P}AttributeDefinitions is not specified for index: new`],
      ['a key that is not defined', create('new', keys(['a'], ['b'])), of('a'), `${P}Some index key attributes are not defined in AttributeDefinitions. Keys: [a, b], AttributeDefinitions: [a]`],
      ['a key that begins with a RANGE', create('new', keys([], ['a'])), of('a'), 'Invalid KeySchema: The first KeySchemaElement is not a HASH key type'],
      ['a HASH behind a RANGE', create('new', [...keys(['a'], ['b']), ...keys(['c'])]), of('a', 'b', 'c'), `${P}All HASH key attributes must precede RANGE key attributes in the KeySchema`],
      ['five HASH attributes', create('new', keys(letters('h', 5))), of(...letters('h', 5)), `${P}The KeySchema exceeds the maximum allowed number of HASH key attributes`],
      ['five RANGE attributes', create('new', keys(['h'], letters('r', 5))), of('h', ...letters('r', 5)), `${P}The KeySchema exceeds the maximum allowed number of RANGE key attributes`],
      ['a name twice', create('new', keys(['a', 'b'], ['a'])), of('a', 'b'), 'The KeySchema contains multiple key attributes with the same name'],
      ['a key of another type', create('new', keys(['pk'])), types('pk:N'), `${P}Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. `
        + 'Existing schema: Schema:[SchemaElement: key{pk:S:HASH}] New schema: Schema:[SchemaElement: key{pk:N:HASH}]'],
      ['no type of projection', create('new', keys(['a']), {}), of('a'), `${P}Unknown ProjectionType: null`],
      ['INCLUDE of nothing', create('new', keys(['a']), { ProjectionType: 'INCLUDE' }), of('a'), `${P}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`],
    ])('%s', async (_, members, AttributeDefinitions, message) => {
      const before = await answer(db.describeTable({ TableName }))
      expect(await failure(db.updateTable({ TableName, ...members, AttributeDefinitions }))).toEqual(validation(message))
      expect(await answer(db.describeTable({ TableName }))).toEqual(before)
    })

    it('two at once', async () => {
      const GlobalSecondaryIndexUpdates = ['one', 'two'].map((name) => create(name, keys(['a'])).GlobalSecondaryIndexUpdates[0])
      expect(await failure(db.updateTable({ TableName, GlobalSecondaryIndexUpdates, AttributeDefinitions: of('a') }))).toEqual(LIMIT)
    })
  })

  describe.skipIf(isAws)('of a table of thousands of items', () => {
    const count = 4000
    const { TableName, change } = useChanges(Array.from({ length: count }, (_, i) => ({ pk: `${i}`, group: `g${i % 7}`, n: i })))

    it('adds an index while it is written to', async () => {
      const index = { ...create('byGroup', keys(['group'], ['n'])), AttributeDefinitions: types('group:S', 'n:N') }
      const adding = change(index)
      const writes = []
      for (let i = 0; i < 200; ++i) {
        writes.push(doc.put({ TableName, Item: { pk: `new${i}`, group: 'g0', n: i } }))
        writes.push(doc.delete({ TableName, Key: { pk: `${i}` } }))
        writes.push(doc.update({ TableName, Key: { pk: `${i + 1000}` }, UpdateExpression: 'SET #g = :g',
          ExpressionAttributeNames: { '#g': 'group' }, ExpressionAttributeValues: { ':g': 'moved' } }))
      }
      await Promise.all(writes)
      await adding
      // The index may have been ACTIVE before the last items were written.
      const { Table } = await answer(db.describeTable({ TableName }))
      expect(Table.GlobalSecondaryIndexes[0].ItemCount).toBe(count)
      const moved = await answer(doc.query({ TableName, IndexName: 'byGroup', KeyConditionExpression: '#g = :g', Select: 'COUNT',
        ExpressionAttributeNames: { '#g': 'group' }, ExpressionAttributeValues: { ':g': 'moved' } }))
      expect(moved).toEqual({ Count: 200, ScannedCount: 200 })
    })
  })
})
