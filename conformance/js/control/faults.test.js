// Faults on purpose: how the SDK and an application's own loops cope with failures that otherwise only happen in production.

import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { answer, cancelled, failure } from '../support/answers.js'
import { call, clientsOf, control, hasControl, newAccount } from '../support/control.js'
import { region } from '../support/endpoint.js'
import { definition } from '../support/tables.js'

const account = newAccount()
const TableName = 'app'
const arn = `arn:aws:dynamodb:${region}:${account}:table/${TableName}`

/** Returns clients with the SDK's own retries: this many attempts. */
const retrying = (maxAttempts) => clientsOf(account, maxAttempts)

const throttled = 'TableWriteKeyRangeThroughputExceeded'
const conflict = 'Transaction is ongoing for the item'
const item = (PK, members) => ({ PK, ...members })
const attempts = async (promise) => (await promise).$metadata.attempts

describe.skipIf(!hasControl)('under faults', () => {
  const { db, doc } = clientsOf(account)
  const add = async (match, todo) => {
    const { rules } = await control('POST', 'faults', { rules: [{ match: { account, ...match }, do: todo }] })
    return rules[0].id
  }
  const hits = async (id) => (await control('GET', `faults/${id}`)).hits
  const get = async (PK) => (await doc.get({ TableName, Key: { PK }, ConsistentRead: true })).Item

  beforeAll(async () => {
    await db.createTable({ ...definition({ key: ['PK:S'], gsi: { GSI1: ['G:S'] } }), TableName })
    return () => control('POST', 'reset', { account })
  })
  afterEach(async () => {
    await control('DELETE', 'faults')
    await control('DELETE', 'holds')
    await control('POST', 'status', { account, table: TableName, status: 'ACTIVE' })
  })

  it('the SDK retries until three throttles are over', async () => {
    const id = await add({ operation: 'PutItem', times: 3 }, { throttle: throttled })
    expect(await attempts(retrying(5).doc.put({ TableName, Item: item('retried') }))).toBe(4)
    expect(await hits(id)).toBe(3)
    expect(await get('retried')).toEqual(item('retried'))
  })

  it.each([[500, 'InternalServerError'], [503, undefined]])('the SDK retries after %i', async (status, name) => {
    await add({ operation: 'PutItem', times: 1 }, { status })
    expect(await attempts(retrying(3).doc.put({ TableName, Item: item(`after ${status}`) }))).toBe(2)
    await add({ operation: 'PutItem', times: 1 }, { status })
    const seen = await failure(doc.put({ TableName, Item: item('never') }))
    expect(seen.status).toBe(status)
    if (name) expect(seen.name).toBe(name)
    expect(await get('never')).toBeUndefined()
  })

  it('a throttled call says why, in the spelling of its exception', async () => {
    const put = () => doc.put({ TableName, Item: item('a') }).catch((error) => error)
    await add({ times: 1 }, { throttle: throttled })
    const hot = await put()
    expect(hot.name).toBe('ThrottlingException')
    expect(hot.throttlingReasons).toEqual([{ reason: throttled, resource: arn }])
    await add({ times: 1, index: 'GSI1' }, { throttle: 'IndexWriteProvisionedThroughputExceeded' })
    const behind = await put()
    expect(behind.name).toBe('ProvisionedThroughputExceededException')
    expect(behind.ThrottlingReasons).toEqual(
      [{ reason: 'IndexWriteProvisionedThroughputExceeded', resource: `${arn}/index/GSI1` }])
    await add({ times: 1 }, { throttle: 'TableWriteAccountLimitExceeded' })
    const limited = await put()
    expect(limited.name).toBe('RequestLimitExceeded')
    expect(limited.ThrottlingReasons).toEqual([{ reason: 'TableWriteAccountLimitExceeded', resource: arn }])
  })

  it('a loop over UnprocessedItems comes to its end', async () => {
    const id = await add({ table: TableName }, { unprocessed: 10 })
    const keys = Array.from({ length: 25 }, (_, i) => `batch ${i}`)
    let RequestItems = { [TableName]: keys.map((PK) => ({ PutRequest: { Item: item(PK) } })) }
    const sizes = []
    while (Object.keys(RequestItems).length) {
      sizes.push(RequestItems[TableName].length)
      RequestItems = (await doc.batchWrite({ RequestItems })).UnprocessedItems
    }
    expect(sizes).toEqual([25, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    await control('DELETE', 'faults')
    const { Responses } = await doc.batchGet({ RequestItems: { [TableName]: { Keys: keys.map((PK) => ({ PK })) } } })
    expect(Responses[TableName]).toHaveLength(25)
    expect(id).toBeGreaterThan(0)
  })

  it('two clients meet at an item', async () => {
    await doc.put({ TableName, Item: item('contended', { n: 1 }) })
    const { id } = await control('POST', 'holds', { account, table: TableName, key: { PK: { S: 'contended' } } })
    const other = clientsOf(account).doc
    expect(await failure(other.put({ TableName, Item: item('contended', { n: 2 }) })))
      .toEqual({ name: 'TransactionConflictException', message: conflict, status: 400 })
    expect(await failure(other.transactWrite({ TransactItems: [
      { Put: { TableName, Item: item('free') } },
      { Update: { TableName, Key: { PK: 'contended' }, UpdateExpression: 'SET n = n + :one', ExpressionAttributeValues: { ':one': 1 } } },
    ] }))).toEqual(cancelled('None', { Code: 'TransactionConflict', Message: `${conflict}.` }))
    expect(await get('contended')).toEqual(item('contended', { n: 1 }))
    expect(await get('free')).toBeUndefined()
    await control('DELETE', `holds/${id}`)
    expect(await answer(other.put({ TableName, Item: item('contended', { n: 2 }) }))).toEqual({})
  })

  it('a writer that tries again gets through when the hold times out', async () => {
    await control('POST', 'holds', { account, table: TableName, key: { PK: { S: 'held' } }, timeout: '300ms' })
    const start = performance.now()
    let refused = 0
    for (;;) {
      try {
        await doc.put({ TableName, Item: item('held') })
        break
      } catch (error) {
        expect(error.name).toBe('TransactionConflictException')
        ++refused
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    expect(refused).toBeGreaterThan(0)
    expect(performance.now() - start).toBeGreaterThan(250)
  })

  it('a transaction whose answer is lost takes effect once', async () => {
    const id = await add({ operation: 'TransactWriteItems', times: 1 }, { drop: 'after' })
    const { $metadata } = await retrying(3).doc.transactWrite({
      ClientRequestToken: randomUUID(), TransactItems: [{ Update: { TableName, Key: { PK: 'counter' },
        UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } } }] })
    expect($metadata.attempts).toBe(2)
    expect(await hits(id)).toBe(1)
    expect(await get('counter')).toEqual(item('counter', { n: 1 }))
  })

  it('a write whose answer is lost is done all the same, one that is lost itself is not', async () => {
    await add({ operation: 'PutItem', times: 1 }, { drop: 'after' })
    await expect(doc.put({ TableName, Item: item('lost answer') })).rejects.toThrow()
    await add({ operation: 'PutItem', times: 1 }, { drop: 'before' })
    await expect(doc.put({ TableName, Item: item('lost request') })).rejects.toThrow()
    expect([await get('lost answer'), await get('lost request')]).toEqual([item('lost answer'), undefined])
  })

  it('latency is seen by the client, and by no other call', async () => {
    await add({ operation: 'GetItem' }, { latency: '300ms' })
    const timed = async (promise) => {
      const start = performance.now()
      await promise
      return performance.now() - start
    }
    const [slow, slowToo, quick] = await Promise.all(
      [timed(get('a')), timed(get('b')), timed(doc.query({ TableName, KeyConditionExpression: 'PK = :a', ExpressionAttributeValues: { ':a': 'a' } }))])
    expect(slow).toBeGreaterThan(295)
    expect(slowToo).toBeGreaterThan(295)
    expect(slow + slowToo).toBeLessThan(1500) // both wait at the same time
    expect(quick).toBeLessThan(250)
  })

  it('the same seed fails the same calls', async () => {
    const outcome = async (seed) => {
      await control('DELETE', 'faults')
      await control('POST', 'faults', { seed, rules: [{ match: { account, probability: 0.5 }, do: { throttle: 'TableReadKeyRangeThroughputExceeded' } }] })
      let seen = ''
      for (let i = 0; i < 40; ++i) seen += await get('a').then(() => '.', () => 'x')
      return seen
    }
    const first = await outcome(7)
    expect(first).toMatch(/x/)
    expect(first).toMatch(/\./)
    expect(await outcome(7)).toBe(first)
    expect(await outcome(8)).not.toBe(first)
  })

  it('a table is created for as long as the test says', async () => {
    await control('POST', 'status', { account, table: TableName, status: 'CREATING' })
    expect((await db.describeTable({ TableName })).Table.TableStatus).toBe('CREATING')
    expect(await failure(doc.get({ TableName, Key: { PK: 'a' } })))
      .toEqual({ name: 'ResourceNotFoundException', message: 'Requested resource not found', status: 400 })
    await control('POST', 'status', { account, table: TableName, status: 'ACTIVE' })
    expect((await db.describeTable({ TableName })).Table.TableStatus).toBe('ACTIVE')
    expect(await get('a')).toBeUndefined()
  })

  it('a rule that means nothing is refused in a sentence', async () => {
    expect(await call('POST', 'faults', { rules: [{ match: { operaton: 'GetItem' }, do: { status: 500 } }] })).toEqual({
      status: 400, body: { error: 'Rule 1: "operaton" is no member of "match", which may have "operation", "table", "index", "key", '
        + '"key_prefix", "account", "region", "every", "probability", "times" and "skip".' } })
    expect(await control('GET', 'faults')).toEqual({ rules: [] })
  })
})
