// A database inside this process. These tests need hashrange.wasm: scripts/build wasm, then HASHRANGE_MODULE names it.

import { HttpRequest } from '@smithy/core/protocols'
import { pattern } from '@hashrange/testing'
import { openDatabase } from '@hashrange/testing/module'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import tables from '../support/tables.cjs'

const { ADA, ada, definition } = tables
const settings = (own) => ({ ...own.connection(), maxAttempts: 1 })

async function setup(seed) {
  const client = new DynamoDB(settings(seed))
  await client.createTable(definition)
  await client.putItem({ TableName: 'app', Item: ADA })
}

async function open(options) {
  const db = await openDatabase(options)
  onTestFinished(() => db.close())
  return { db, client: new DynamoDB(settings(db)) }
}

const failureOf = (work) => work.then(() => 'no error', ({ name, message, code, status }) => ({ name, message, code, status }))

describe.skipIf(!process.env.HASHRANGE_MODULE)('a database in this process', () => {
  describe('with a fork for each test', () => {
    let db, client
    beforeAll(async () => {
      db = await openDatabase({ setup })
      client = new DynamoDB(settings(db))
      return () => db.close()
    })
    beforeEach(() => db.fork())

    const itemsOf = async () => (await client.scan({ TableName: 'app' })).Items

    test('a test changes the items', async () => {
      await client.updateItem({ TableName: 'app', Key: ada, UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': { N: '1.50' } } })
      await client.putItem({ TableName: 'app', Item: { ...ada, SK: { S: 'ORDER#1' } } })
      const { Items } = await client.query({ TableName: 'app', KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': ada.PK } })
      expect(Items).toEqual([{ ...ada, SK: { S: 'ORDER#1' } }, { ...ADA, n: { N: '1.5' } }])
    })

    test('the next test begins with the items of the seed', async () => {
      expect(await itemsOf()).toEqual([ADA])
    })

    test('a transaction that is cancelled changes nothing', async () => {
      const failure = await client.transactWriteItems({ TransactItems: [
        { Put: { TableName: 'app', Item: { ...ada, SK: { S: 'NEW' } } } },
        { ConditionCheck: { TableName: 'app', Key: ada, ConditionExpression: 'attribute_not_exists(PK)' } },
      ] }).catch((error) => error)
      expect(failure).toMatchObject({ name: 'TransactionCanceledException',
        CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' }] })
      expect(await itemsOf()).toEqual([ADA])
    })

    test('a fault that drops the connection, and one that delays the answer', async () => {
      await db.faults.add({ match: { operation: 'GetItem' }, do: { drop: 'before' } }, { match: { operation: 'Scan' }, do: { latency: '40ms' } })
      expect(await failureOf(client.getItem({ TableName: 'app', Key: ada }))).toMatchObject({ code: 'ECONNRESET' })
      const begin = performance.now()
      await itemsOf()
      expect(performance.now() - begin).toBeGreaterThan(39)
    })

    test('a caller that aborts does not wait for a delayed answer', async () => {
      await db.faults.add({ match: { operation: 'Scan' }, do: { latency: '1m' } })
      const abort = new AbortController()
      setTimeout(() => abort.abort(), 20)
      expect(await failureOf(client.scan({ TableName: 'app' }, { abortSignal: abort.signal }))).toMatchObject({ name: 'AbortError' })
    })

    test('a clock that is moved deletes expired items', async () => {
      await client.updateTimeToLive({ TableName: 'app', TimeToLiveSpecification: { AttributeName: 'end', Enabled: true } })
      const end = { N: String(Math.floor(Date.now() / 1000) + 3600) }
      await client.putItem({ TableName: 'app', Item: { ...ada, SK: { S: 'SESSION' }, end } })
      onTestFinished(() => db.clock.real())
      await db.clock.advance('2h')
      expect(await itemsOf()).toEqual([ADA])
    })

    test('the control API refuses, and answers with texts', async () => {
      expect(await failureOf(db.control('POST', 'clock', { advance: 7 }))).toMatchObject({ name: 'ControlError', status: 400 })
      expect(await db.control('GET', 'metrics')).toContain('# HELP')
    })

    test('a measurement counts the calls of a pattern', async () => {
      const measured = await db.measure('named')
      await pattern('a user', client, () => client.getItem({ TableName: 'app', Key: ada }))
      expect((await measured.stop()).patterns).toMatchObject([{ name: 'a user', operation: 'GetItem', calls: 1 }])
    })

    test('accounts and Regions are apart', async () => {
      const other = db.account('111122223333')
      const namesOf = async (own) => (await new DynamoDB(own).listTables({})).TableNames
      expect(await namesOf(other.connection())).toEqual([])
      expect(await namesOf({ ...db.connection(), region: 'eu-west-1' })).toEqual([])
      expect(await namesOf(db.connection())).toEqual(['app'])
    })
  })

  test('an answer has the headers of a server', async () => {
    const { client } = await open({ setup })
    let headers
    client.middlewareStack.add((next) => async (call) => {
      const answer = await next(call)
      headers = answer.response.headers
      return answer
    }, { step: 'deserialize', priority: 'low' })
    const { $metadata } = await client.getItem({ TableName: 'app', Key: { PK: { S: '-' }, SK: { S: '-' } } })
    expect(headers).toEqual({ server: 'Server', date: expect.stringMatching(/ GMT$/), 'content-type': 'application/x-amz-json-1.0',
      'content-length': '2', 'x-amzn-requestid': expect.stringMatching(/^[0-9A-V]{52}$/), 'x-amz-crc32': '2745614147' })
    expect($metadata.requestId).toBe(headers['x-amzn-requestid'])
  })

  test('errors of the service, and requests without a signature', async () => {
    const { db, client } = await open()
    expect(await failureOf(client.getItem({ TableName: 'nope', Key: ada }))).toMatchObject(
      { name: 'ResourceNotFoundException', message: 'Requested resource not found' })
    const headers = { 'x-amz-target': 'DynamoDB_20120810.ListTables', 'content-type': 'application/x-amz-json-1.0' }
    const { response } = await db.requestHandler.handle(new HttpRequest({ method: 'POST', headers, body: '{}' }))
    expect([response.statusCode, Buffer.from(response.body).toString()]).toEqual([400,
      '{"__type":"com.amazon.coral.service#MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}'])
  })

  test('a call of more than 16 MiB is refused, and the next call is answered', async () => {
    const { client } = await open({ setup })
    const Item = { ...ada, text: { S: 'x'.repeat(17 << 20) } }
    expect((await client.putItem({ TableName: 'app', Item }).catch((error) => error)).$metadata.httpStatusCode).toBe(413)
    expect((await client.getItem({ TableName: 'app', Key: ada })).Item).toEqual(ADA)
  })

  test('without memory for more items, reads and deletes are answered', async () => {
    const { client } = await open({ setup, maxMemoryBytes: 8 << 20 })
    const put = (n) => client.putItem({ TableName: 'app', Item: { ...ada, SK: { S: `${n}` }, text: { S: 'x'.repeat(300_000) } } })
    let failure, n = 0
    while (!failure && n < 100) failure = await put(n++).then(() => undefined, (error) => error)
    expect(failure?.name).toBe('InternalServerError')
    expect((await client.getItem({ TableName: 'app', Key: ada })).Item).toEqual(ADA)
    for (let old = 0; old < n; ++old) await client.deleteItem({ TableName: 'app', Key: { ...ada, SK: { S: `${old}` } } })
    expect((await client.scan({ TableName: 'app' })).Count).toBe(1)
  })

  test('a search among vectors finds the nearest', async () => {
    const { client } = await open()
    const VectorIndexes = [{ IndexName: 'near', VectorAttribute: { AttributeName: 'at' }, Dimensions: 64, DistanceFunction: 'EUCLIDEAN',
      Projection: { ProjectionType: 'KEYS_ONLY' } }]
    await client.createTable({ ...definition, VectorIndexes })
    const vector = (n) => Array.from({ length: 64 }, (_, i) => ({ N: String(i === 0 ? n : 1) }))
    for (let n = 0; n < 500; ++n) await client.putItem({ TableName: 'app', Item: { ...ada, SK: { S: `${n}` }, at: { L: vector(n) } } })
    const { SearchResults } = await client.searchVectors({ TableName: 'app', IndexName: 'near', SearchVector: vector(123), TopK: 3 })
    expect(SearchResults.map(({ Item, Score }) => [Item.SK.S, Score]).sort()).toEqual([['122', 1], ['123', 0], ['124', 1]])
  })

  test('two databases of a process are apart', async () => {
    const [one, other] = [await open({ setup }), await open()]
    expect((await one.client.listTables({})).TableNames).toEqual(['app'])
    expect((await other.client.listTables({})).TableNames).toEqual([])
    await other.db.close()
    expect(await failureOf(other.client.listTables({}))).toMatchObject({ message: 'hashrange: the database is closed.' })
    expect(await failureOf(other.db.reset())).toMatchObject({ message: 'hashrange: the database is closed.' })
    expect((await one.client.listTables({})).TableNames).toEqual(['app'])
  })

  test('a timer does what is due, also with the fake timers of a test', async () => {
    const { client } = await open({ transitionMs: 60 })
    const { setTimeout: real } = globalThis
    vi.useFakeTimers()
    onTestFinished(() => vi.useRealTimers())
    await client.createTable(definition)
    const statusOf = async () => (await client.describeTable({ TableName: 'app' })).Table.TableStatus
    expect(await statusOf()).toBe('CREATING')
    await new Promise((done) => real(done, 80))
    expect(await statusOf()).toBe('ACTIVE')
  })

  test.each([
    [{ transitionMs: '50ms' }, 'hashrange: the option `transitionMs` is a number of milliseconds, not "50ms".'],
    [{ args: [] }, 'hashrange: there is no option `args`, but maxMemoryBytes, region, setup, sharedTables, streamShards, transitionMs, ttlIntervalMs.'],
    ['tables.mjs', 'hashrange: the options are an object: { transitionMs: 50 }, not "tables.mjs".'],
    [{ setup: () => Promise.reject(new Error('no tables today')) }, 'no tables today'],
  ])('openDatabase(%o) is refused', async (options, message) => {
    expect((await failureOf(openDatabase(options))).message).toBe(message)
  })
})
