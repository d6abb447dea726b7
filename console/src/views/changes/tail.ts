// Sources of changes of a table: its stream, or the control call `changes`, which keeps the latest changes
// of a table that has no stream. A source is asked again and again, and answers what is new.

import type { CallError } from '../../api/answer'
import { control, queryText } from '../../api/control'
import type { ChangesQuery } from '../../api/control-types'
import { call } from '../../api/dynamodb'
import type { Item, Key } from '../../api/values'
import type { Place } from '../../frame/routes'

export interface ChangeRecord {
  /** Unique in the source. */
  id: string
  epoch_ms: number
  event: 'INSERT' | 'MODIFY' | 'REMOVE'
  key: Key
  old?: Item
  next?: Item
  by_ttl: boolean
}

export interface Fetched {
  records: ChangeRecord[]
  /** How many changes were lost before they could be read. */
  missed: number
  /** There is more to fetch at once. */
  has_more: boolean
  error?: CallError
}

export interface ChangeSource {
  fetchNew(signal: AbortSignal): Promise<Fetched>
}

const kNothing: Fetched = { records: [], missed: 0, has_more: false }

// --- The control call `changes` ---

function queryOf({ account, region, table }: Place, since: number | undefined): string {
  return queryText<ChangesQuery>({ table, account, region, ...(since !== undefined && { since }) })
}

/** Returns whether the server keeps the changes of the table; an error when it cannot tell. */
export async function keepsChanges(place: Place): Promise<boolean | CallError> {
  const answer = await control('GET', `changes?${queryOf(place, Number.MAX_SAFE_INTEGER)}`, undefined)
  return answer.ok ? answer.value.enabled : answer.error
}

export async function switchChanges(place: Place, enabled: boolean): Promise<CallError | undefined> {
  const { account, region, table } = place
  const answer = await control('POST', 'changes', { account, region, table, enabled })
  return answer.ok ? undefined : answer.error
}

export function tailSource(place: Place): ChangeSource {
  let since: number | undefined
  return {
    async fetchNew(signal) {
      const answer = await control('GET', `changes?${queryOf(place, since)}`, undefined, { signal })
      if (!answer.ok) return { ...kNothing, error: answer.error }
      const { changes, last_id, missed = 0 } = answer.value
      // After `enabled: false` and `true` again the ids begin anew.
      since = changes.at(-1)?.id ?? Math.min(since ?? last_id, last_id)
      return {
        missed,
        has_more: false,
        records: changes.map(({ id, time, event, key, old, new: next, by_ttl }) =>
          ({ id: String(id), epoch_ms: Date.parse(time), event, key, by_ttl, ...(old && { old }), ...(next && { next }) }))
      }
    }
  }
}

// --- A stream ---

interface StreamRecord {
  eventID: string
  eventName: ChangeRecord['event']
  userIdentity?: { Type?: string }
  dynamodb: { ApproximateCreationDateTime: number; Keys: Key; OldImage?: Item; NewImage?: Item }
}

interface Shard {
  ShardId: string
}

// Shards come and go; they are looked up again after this time.
const kShardsMs = 10_000

/** A stream from its oldest record on. A shard that ended is read to its end. */
export function streamSource(place: Place, arn: string): ChangeSource {
  const iterators = new Map<string, string | null>()
  let looked_up_at = -Infinity
  const lookUp = async (signal: AbortSignal): Promise<CallError | undefined> => {
    let start: string | undefined
    do {
      const answer = await call<{ StreamDescription: { Shards: Shard[]; LastEvaluatedShardId?: string } }>(
        place, 'DescribeStream', { StreamArn: arn, ...(start && { ExclusiveStartShardId: start }) }, { signal })
      if (!answer.ok) return answer.error
      for (const { ShardId } of answer.value.StreamDescription.Shards) {
        if (iterators.has(ShardId)) continue
        const error = await begin(ShardId, signal)
        if (error) return error
      }
      start = answer.value.StreamDescription.LastEvaluatedShardId
    } while (start)
    looked_up_at = performance.now()
    return undefined
  }
  const begin = async (shard_id: string, signal: AbortSignal): Promise<CallError | undefined> => {
    const answer = await call<{ ShardIterator: string }>(
      place, 'GetShardIterator', { StreamArn: arn, ShardId: shard_id, ShardIteratorType: 'TRIM_HORIZON' }, { signal })
    if (!answer.ok) return answer.error
    iterators.set(shard_id, answer.value.ShardIterator)
    return undefined
  }
  return {
    async fetchNew(signal) {
      if (performance.now() - looked_up_at > kShardsMs) {
        const error = await lookUp(signal)
        if (error) return { ...kNothing, error }
      }
      const records: ChangeRecord[] = []
      let has_more = false
      for (const [shard_id, iterator] of iterators) {
        if (iterator === null) continue
        const answer = await call<{ Records: StreamRecord[]; NextShardIterator?: string }>(place, 'GetRecords', { ShardIterator: iterator }, { signal })
        if (!answer.ok) {
          if (answer.error.type !== 'ExpiredIteratorException' && answer.error.type !== 'TrimmedDataAccessException') return { records, missed: 0, has_more, error: answer.error }
          iterators.delete(shard_id)
          looked_up_at = -Infinity
          continue
        }
        const { Records, NextShardIterator = null } = answer.value
        iterators.set(shard_id, NextShardIterator)
        has_more ||= Records.length > 0 && NextShardIterator !== null
        for (const { eventID, eventName, userIdentity, dynamodb } of Records) {
          records.push({
            id: eventID, event: eventName, epoch_ms: dynamodb.ApproximateCreationDateTime * 1000, key: dynamodb.Keys,
            by_ttl: userIdentity?.Type === 'Service', ...(dynamodb.OldImage && { old: dynamodb.OldImage }), ...(dynamodb.NewImage && { next: dynamodb.NewImage })
          })
        }
      }
      return { records, missed: 0, has_more }
    }
  }
}
