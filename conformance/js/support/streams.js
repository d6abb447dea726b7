// Creates a table with a stream, and reads all records of a stream.

import { isAws } from './endpoint.js'
import { createTable } from './tables.js'

const RECORDS_DELAY_MS = 30_000
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Creates a table with a stream of that view type. Returns the stream's ARN. */
export async function createStreamed({ db, streams }, definition, StreamViewType) {
  const { LatestStreamArn } = await createTable(db, { ...definition, StreamSpecification: { StreamEnabled: true, StreamViewType } })
  await untilStatus(streams, LatestStreamArn, 'ENABLED')
  return LatestStreamArn
}

export async function untilStatus(streams, StreamArn, status, timeoutMs = 60_000) {
  for (const deadline = Date.now() + timeoutMs; ;) {
    const { StreamDescription } = await streams.describeStream({ StreamArn })
    if (StreamDescription.StreamStatus === status) return StreamDescription
    if (Date.now() > deadline) throw new Error(`${StreamArn} is still ${StreamDescription.StreamStatus}`)
    await pause(200)
  }
}

/** Returns an iterator of the stream's n-th shard. */
export async function iterator(streams, StreamArn, ShardIteratorType, { shard = 0, SequenceNumber } = {}) {
  const { StreamDescription } = await streams.describeStream({ StreamArn })
  const { ShardId } = StreamDescription.Shards[shard]
  return (await streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType, SequenceNumber })).ShardIterator
}

/** Returns all records of all shards, oldest first. Waits until there are at least `count`: on AWS, records may appear with a delay. */
export async function records(streams, StreamArn, count) {
  for (const deadline = Date.now() + (isAws ? RECORDS_DELAY_MS : 0); ;) {
    const { StreamDescription } = await streams.describeStream({ StreamArn })
    const found = []
    for (let shard = 0; shard < StreamDescription.Shards.length; ++shard) {
      found.push(...await shardRecords(streams, await iterator(streams, StreamArn, 'TRIM_HORIZON', { shard })))
    }
    if (found.length >= count || Date.now() >= deadline) return found
    await pause(1000)
  }
}

/** Returns the records from an iterator on, until the shard ends or a page is empty. */
export async function shardRecords(streams, ShardIterator) {
  const found = []
  while (ShardIterator) {
    const { Records, NextShardIterator } = await streams.getRecords({ ShardIterator })
    if (!Records.length) break
    found.push(...Records)
    ShardIterator = NextShardIterator
  }
  return found
}
