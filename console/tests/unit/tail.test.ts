import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { streamSource, tailSource } from '../../src/views/changes/tail'

const kPlace = { account: '000000000000', region: 'us-east-1', table: 'app' }
const kSignal = new AbortController().signal
let asked: string[]
let answers: unknown[]

beforeEach(() => {
  asked = []
  answers = []
  vi.stubGlobal('fetch', async (url: string, { headers, body }: { headers: Record<string, string>; body?: string }) => {
    asked.push(`${headers['X-Amz-Target']?.split('.')[1] ?? url} ${body ?? ''}`.trim())
    const answer = answers.shift()
    const is_error = typeof answer === 'object' && answer !== null && '__type' in answer
    return new Response(JSON.stringify(answer), { status: is_error ? 400 : 200, headers: { 'Content-Type': 'application/json' } })
  })
})
afterEach(() => vi.unstubAllGlobals())

const shards = (...ids: string[]) => ({ StreamDescription: { Shards: ids.map((ShardId) => ({ ShardId })) } })
const record = (eventID: string, members: object = {}) => ({ eventID, eventName: 'INSERT', dynamodb: { ApproximateCreationDateTime: 5, Keys: { PK: { S: eventID } }, ...members } })

it('a stream is read shard by shard from its beginning, and on', async () => {
  const source = streamSource(kPlace, 'arn')
  answers = [shards('s1', 's2'), { ShardIterator: 'i1' }, { ShardIterator: 'j1' },
    { Records: [record('a', { NewImage: { PK: { S: 'a' } } })], NextShardIterator: 'i2' }, { Records: [] }]
  expect(await source.fetchNew(kSignal)).toEqual({
    records: [{ id: 'a', event: 'INSERT', epoch_ms: 5000, key: { PK: { S: 'a' } }, by_ttl: false, next: { PK: { S: 'a' } } }], missed: 0, has_more: true
  })
  expect(asked).toEqual([
    'DescribeStream {"StreamArn":"arn"}', 'GetShardIterator {"StreamArn":"arn","ShardId":"s1","ShardIteratorType":"TRIM_HORIZON"}',
    'GetShardIterator {"StreamArn":"arn","ShardId":"s2","ShardIteratorType":"TRIM_HORIZON"}', 'GetRecords {"ShardIterator":"i1"}', 'GetRecords {"ShardIterator":"j1"}'
  ])
  // The second shard has ended.
  asked = []
  answers = [{ Records: [], NextShardIterator: 'i3' }]
  expect(await source.fetchNew(kSignal)).toEqual({ records: [], missed: 0, has_more: false })
  expect(asked).toEqual(['GetRecords {"ShardIterator":"i2"}'])
})

it('an iterator that expired is replaced, any other error is told', async () => {
  const source = streamSource(kPlace, 'arn')
  answers = [shards('s1'), { ShardIterator: 'i1' }, { __type: 'com.amazonaws.dynamodb#ExpiredIteratorException', message: 'expired' },
    shards('s1'), { ShardIterator: 'i9' }, { __type: 'x#InternalServerError', message: 'no' }]
  expect(await source.fetchNew(kSignal)).toEqual({ records: [], missed: 0, has_more: false })
  expect((await source.fetchNew(kSignal)).error).toMatchObject({ type: 'InternalServerError', message: 'no', status: 400 })
  expect(asked.at(-1)).toBe('GetRecords {"ShardIterator":"i9"}')
})

it('a deletion by time to live is told as such', async () => {
  const source = streamSource(kPlace, 'arn')
  answers = [shards('s1'), { ShardIterator: 'i1' }, { Records: [{ ...record('a'), eventName: 'REMOVE', userIdentity: { Type: 'Service' } }], NextShardIterator: 'i2' }]
  expect((await source.fetchNew(kSignal)).records.map(({ event, by_ttl }) => [event, by_ttl])).toEqual([['REMOVE', true]])
})

it('the tail of a table asks for what came since the last change', async () => {
  const source = tailSource(kPlace)
  const change = (id: number) => ({ id, time: '2026-01-31T12:00:00.500Z', event: 'INSERT', key: {}, new: { PK: { S: 'a' } }, by_ttl: false })
  answers = [{ enabled: true, last_id: 7, changes: [change(6), change(7)] }, { enabled: true, last_id: 12, missed: 3, changes: [change(12)] },
    { enabled: true, last_id: 2, missed: 0, changes: [] }, { enabled: true, last_id: 2, changes: [] }]
  expect((await source.fetchNew(kSignal)).records).toEqual(['6', '7'].map((id) =>
    ({ id, epoch_ms: Date.parse('2026-01-31T12:00:00.500Z'), event: 'INSERT', key: {}, by_ttl: false, next: { PK: { S: 'a' } } })))
  expect((await source.fetchNew(kSignal)).missed).toBe(3)
  await source.fetchNew(kSignal)
  await source.fetchNew(kSignal)
  const url = '/_hashrange/changes?table=app&account=000000000000&region=us-east-1'
  expect(asked).toEqual([url, `${url}&since=7`, `${url}&since=12`, `${url}&since=2`])
})
