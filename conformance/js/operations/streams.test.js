// Streams: the records that writes add, and how they are read.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, isAws, region } from '../support/endpoint.js'
import { answer, failure, notFound, validation } from '../support/answers.js'
import { createStreamed, iterator, records, shardRecords, untilStatus } from '../support/streams.js'
import { definition, uniqueName, untilActive } from '../support/tables.js'
import { N, S, SS } from '../support/values.js'

const { db, streams } = connect()
const P = 'One or more parameter values were invalid: '

const key = (n) => ({ pk: S('item'), sk: N(n) })
const created = []
afterAll(() => Promise.all(created.map((TableName) => db.deleteTable({ TableName }).catch(() => {}))))

async function streamed(view, name = uniqueName('streamed')) {
  created.push(name)
  return { TableName: name, arn: await createStreamed({ db, streams }, { ...definition({ key: ['pk:S', 'sk:N'] }), TableName: name }, view) }
}

/** Returns a record without its time and its sequence number. */
const essence = ({ eventName, dynamodb: { Keys, NewImage, OldImage } }) =>
  ({ eventName, Keys, ...(NewImage && { NewImage }), ...(OldImage && { OldImage }) })

describe('a record', { timeout: isAws ? 180_000 : 10_000 }, () => {
  it('is described whole', async () => {
    const { TableName, arn } = await streamed('NEW_AND_OLD_IMAGES')
    await db.putItem({ TableName, Item: { ...key(1), v: S('old') } })
    await db.putItem({ TableName, Item: { ...key(1), v: S('newer') } })
    const [, modified] = await records(streams, arn, 2)
    expect(modified).toEqual({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/), eventName: 'MODIFY', eventVersion: '1.1', eventSource: 'aws:dynamodb', awsRegion: region,
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Date), Keys: key(1), NewImage: { ...key(1), v: S('newer') }, OldImage: { ...key(1), v: S('old') },
        SequenceNumber: expect.stringMatching(/^\d{21,40}$/), SizeBytes: 40, StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    })
    const time = modified.dynamodb.ApproximateCreationDateTime.getTime()
    expect([time % 1000, Math.abs(Date.now() - time) < 60_000]).toEqual([0, true])
  })

  const before = { ...key(1), v: S('a') }
  const after = { ...key(1), v: S('b') }
  it.each([
    ['KEYS_ONLY', {}, {}, {}],
    ['NEW_IMAGE', { NewImage: before }, { NewImage: after }, {}],
    ['OLD_IMAGE', {}, { OldImage: before }, { OldImage: after }],
    ['NEW_AND_OLD_IMAGES', { NewImage: before }, { NewImage: after, OldImage: before }, { OldImage: after }],
  ])('shows the images of %s', async (view, inserted, modified, removed) => {
    const { TableName, arn } = await streamed(view)
    await db.putItem({ TableName, Item: before })
    await db.updateItem({ TableName, Key: key(1), UpdateExpression: 'SET v = :v', ExpressionAttributeValues: { ':v': S('b') } })
    await db.deleteItem({ TableName, Key: key(1) })
    const seen = await records(streams, arn, 3)
    expect(seen.map(essence)).toEqual([
      { eventName: 'INSERT', Keys: key(1), ...inserted }, { eventName: 'MODIFY', Keys: key(1), ...modified },
      { eventName: 'REMOVE', Keys: key(1), ...removed },
    ])
    expect(seen.map(({ dynamodb }) => dynamodb.StreamViewType)).toEqual([view, view, view])
    const numbers = seen.map(({ dynamodb }) => BigInt(dynamodb.SequenceNumber))
    expect([...numbers].sort((a, b) => (a < b ? -1 : 1))).toEqual(numbers)
  })

  it('is left by every way to write, once for each item that changes', async () => {
    const { TableName, arn } = await streamed('NEW_IMAGE')
    const put = (n, attributes = {}) => ({ PutRequest: { Item: { ...key(n), ...attributes } } })
    await db.batchWriteItem({ RequestItems: { [TableName]: [put(1)] } })
    await db.batchWriteItem({ RequestItems: { [TableName]: [put(1), put(2, { s: SS('p', 'q') })] } })
    await db.transactWriteItems({ TransactItems: [
      { Put: { TableName, Item: key(1) } },
      { Update: { TableName, Key: key(2), UpdateExpression: 'ADD n :n', ExpressionAttributeValues: { ':n': N(1) } } },
      { ConditionCheck: { TableName, Key: key(9), ConditionExpression: 'attribute_not_exists(pk)' } },
    ] })
    await failure(db.transactWriteItems({ TransactItems: [
      { Delete: { TableName, Key: key(1) } },
      { ConditionCheck: { TableName, Key: key(9), ConditionExpression: 'attribute_exists(pk)' } },
    ] }))
    await db.putItem({ TableName, Item: { ...key(2), n: N('1.0'), s: SS('q', 'p') } })
    await db.updateItem({ TableName, Key: key(2), UpdateExpression: 'SET n = n REMOVE absent' })
    await db.updateItem({ TableName, Key: key(3), UpdateExpression: 'REMOVE absent' })
    await db.deleteItem({ TableName, Key: key(3) })
    await db.updateItem({ TableName, Key: key(4) })
    await db.deleteItem({ TableName, Key: key(1) })
    expect((await records(streams, arn, 5)).map(essence)).toEqual([
      { eventName: 'INSERT', Keys: key(1), NewImage: key(1) },
      { eventName: 'INSERT', Keys: key(2), NewImage: { ...key(2), s: SS('p', 'q') } },
      { eventName: 'MODIFY', Keys: key(2), NewImage: { ...key(2), s: SS('p', 'q'), n: N(1) } },
      { eventName: 'INSERT', Keys: key(4), NewImage: key(4) },
      { eventName: 'REMOVE', Keys: key(1) },
    ])
  })
})

describe('a stream', { timeout: isAws ? 300_000 : 10_000 }, () => {
  let TableName, arn, shard
  beforeAll(async () => {
    ({ TableName, arn } = await streamed('KEYS_ONLY'))
    for (let n = 1; n <= 5; ++n) await db.putItem({ TableName, Item: key(n) })
    await records(streams, arn, 5)
    shard = (await streams.describeStream({ StreamArn: arn })).StreamDescription.Shards[0]
  }, 180_000)
  const keysFrom = async (ShardIterator) => (await shardRecords(streams, ShardIterator)).map(({ dynamodb }) => Number(dynamodb.Keys.sk.N))

  it('is described and listed', async () => {
    const { StreamDescription } = await answer(streams.describeStream({ StreamArn: arn }))
    const StreamLabel = arn.split('/stream/')[1]
    expect(StreamDescription).toEqual({
      StreamArn: arn, StreamLabel, StreamStatus: 'ENABLED', StreamViewType: 'KEYS_ONLY', CreationRequestDateTime: expect.any(Date), TableName,
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }], Shards: [shard],
    })
    expect(shard).toEqual({ ShardId: expect.stringMatching(/^shardId-\d{20}-[0-9a-f]{8}$/), SequenceNumberRange: { StartingSequenceNumber: expect.stringMatching(/^\d{21,40}$/) } })
    expect(StreamLabel).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
    expect(await answer(streams.listStreams({ TableName }))).toEqual({ Streams: [{ StreamArn: arn, TableName, StreamLabel }] })
    const { Table } = await answer(db.describeTable({ TableName }))
    expect(Table).toMatchObject({ LatestStreamArn: arn, LatestStreamLabel: StreamLabel, StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } })
  })

  it('is listed in pages', async () => {
    await streamed('KEYS_ONLY')
    const seen = []
    for (let ExclusiveStartStreamArn; ;) {
      const { Streams, LastEvaluatedStreamArn } = await answer(streams.listStreams({ Limit: 1, ExclusiveStartStreamArn }))
      expect(Streams.length).toBeLessThanOrEqual(1)
      seen.push(...Streams.map(({ StreamArn }) => StreamArn))
      if (!LastEvaluatedStreamArn) break
      expect(LastEvaluatedStreamArn).toBe(Streams.at(-1).StreamArn)
      ExclusiveStartStreamArn = LastEvaluatedStreamArn
    }
    expect(seen).toContain(arn)
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('is read from where an iterator begins', async () => {
    const numbers = (await records(streams, arn, 5)).map(({ dynamodb }) => dynamodb.SequenceNumber)
    expect(await keysFrom(await iterator(streams, arn, 'TRIM_HORIZON'))).toEqual([1, 2, 3, 4, 5])
    expect(await keysFrom(await iterator(streams, arn, 'AT_SEQUENCE_NUMBER', { SequenceNumber: numbers[2] }))).toEqual([3, 4, 5])
    expect(await keysFrom(await iterator(streams, arn, 'AFTER_SEQUENCE_NUMBER', { SequenceNumber: numbers[2] }))).toEqual([4, 5])
    expect(await keysFrom(await iterator(streams, arn, 'LATEST'))).toEqual([])
  })

  it('is read in pages', async () => {
    const ShardIterator = await iterator(streams, arn, 'TRIM_HORIZON')
    const first = await answer(streams.getRecords({ ShardIterator, Limit: 2 }))
    const second = await answer(streams.getRecords({ ShardIterator: first.NextShardIterator, Limit: 3 }))
    expect([first, second].map(({ Records }) => Records.map(({ dynamodb }) => dynamodb.Keys.sk.N))).toEqual([['1', '2'], ['3', '4', '5']])
    expect(await answer(streams.getRecords({ ShardIterator: second.NextShardIterator }))).toEqual({ Records: [], NextShardIterator: expect.any(String) })
  })

  it('has no shards after the last, nor children of one', async () => {
    const Shards = async (members) => (await answer(streams.describeStream({ StreamArn: arn, ...members }))).StreamDescription.Shards
    expect(await Shards({ Limit: 1 })).toEqual([shard])
    expect(await Shards({ ExclusiveStartShardId: shard.ShardId })).toEqual([])
    expect(await Shards({ ExclusiveStartShardId: 'shardId-99999999999999999999-ffffffff' })).toEqual([])
    expect(await Shards({ ShardFilter: { Type: 'CHILD_SHARDS', ShardId: shard.ShardId } })).toEqual([])
  })

  it('is refused what it cannot be asked', async () => {
    const missing = arn.replace(/stream\/.*/, 'stream/2001-01-01T00:00:00.000')
    const get = (members) => failure(streams.getShardIterator({ StreamArn: arn, ShardId: shard.ShardId, ShardIteratorType: 'TRIM_HORIZON', ...members }))
    const limit = (value, rule) => validation(`1 validation error detected: Value '${value}' at 'limit' failed to satisfy constraint: Member must have value ${rule}`)
    expect(await failure(streams.describeStream({ StreamArn: missing }))).toEqual(notFound(`Requested resource not found: Stream: ${missing} not found`))
    expect(await failure(streams.describeStream({ StreamArn: arn, Limit: 101 }))).toEqual(limit(101, 'less than or equal to 100'))
    expect(await failure(streams.listStreams({ Limit: 0 }))).toEqual(limit(0, 'greater than or equal to 1'))
    expect(await get({ StreamArn: missing })).toEqual(notFound(`Requested resource not found: Stream: ${missing} not found`))
    expect((await get({ ShardId: 'shardId-99999999999999999999-ffffffff' })).name).toBe('ResourceNotFoundException')
    expect((await get({ ShardIteratorType: 'NOW' })).name).toBe('ValidationException')
    expect((await get({ ShardIteratorType: 'AT_SEQUENCE_NUMBER' })).name).toBe('ValidationException')
    expect((await get({ SequenceNumber: shard.SequenceNumberRange.StartingSequenceNumber })).name).toBe('ValidationException')
    expect((await get({ ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber: 'x'.repeat(21) })).name).toBe('ValidationException')
    expect((await failure(streams.getRecords({ ShardIterator: 'garbage' }))).name).toBe('ValidationException')
    const ShardIterator = await iterator(streams, arn, 'LATEST')
    expect(await failure(streams.getRecords({ ShardIterator, Limit: 1001 }))).toEqual(limit(1001, 'less than or equal to 1000'))
  })

  it('ends when it is disabled, and another begins', async () => {
    const own = await streamed('NEW_IMAGE')
    const change = async (StreamSpecification) => {
      const { TableDescription } = await answer(db.updateTable({ TableName: own.TableName, StreamSpecification }))
      return { during: TableDescription, after: await untilActive(db, own.TableName) }
    }
    const refused = (StreamSpecification) => failure(db.updateTable({ TableName: own.TableName, StreamSpecification }))
    const enable = { StreamEnabled: true, StreamViewType: 'OLD_IMAGE' }
    await db.putItem({ TableName: own.TableName, Item: key(1) })
    await records(streams, own.arn, 1)
    expect(await refused(enable)).toEqual(validation(`Table already has an enabled stream: TableName: ${own.TableName}`))
    expect(await refused({ ...enable, StreamEnabled: false })).toEqual(
      validation(`${P}If stream is being disabled, then UpdateViewType must not be specified`))

    const off = await change({ StreamEnabled: false })
    expect([off.during.TableStatus, off.after.TableStatus]).toEqual(['UPDATING', 'ACTIVE'])
    for (const description of [off.during, off.after]) {
      expect(description).not.toHaveProperty('StreamSpecification')
      expect(description.LatestStreamArn).toBe(own.arn)
    }
    expect(await refused({ StreamEnabled: false })).toEqual(validation(`Table has no stream to disable: TableName: ${own.TableName}`))
    await db.putItem({ TableName: own.TableName, Item: key(2) })
    const { Shards } = await untilStatus(streams, own.arn, 'DISABLED')
    expect(Shards[0].SequenceNumberRange).toHaveProperty('EndingSequenceNumber')
    const old = await answer(streams.getRecords({ ShardIterator: await iterator(streams, own.arn, 'TRIM_HORIZON') }))
    expect(old.Records.map(essence)).toEqual([{ eventName: 'INSERT', Keys: key(1), NewImage: key(1) }])

    const on = await change(enable)
    expect([on.during.TableStatus, on.during.StreamSpecification]).toEqual(['UPDATING', enable])
    expect(on.after.LatestStreamArn).not.toBe(own.arn)
    expect(on.during.LatestStreamArn).toBe(on.after.LatestStreamArn)
    const { Streams } = await answer(streams.listStreams({ TableName: own.TableName }))
    expect(Streams.map(({ StreamArn }) => StreamArn).sort()).toEqual([own.arn, on.after.LatestStreamArn].sort())
    await db.deleteTable({ TableName: own.TableName })
    await untilStatus(streams, on.after.LatestStreamArn, 'DISABLED')
  })
})
