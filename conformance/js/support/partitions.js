// Tables whose partitions are modelled (docs/control-api.md, "partitions"), on a clock that only the test moves.

import { afterAll, beforeAll } from 'vitest'
import { clientsOf, control, newAccount } from './control.js'

/** Partitions that a few calls saturate: each serves 10 units a second, and saves those of half a second. A new table on demand has four. */
export const SMALL = { read_units: 10, write_units: 10, new_table_read_units: 40, new_table_write_units: 40 }
/** The same, cut after 20 to 30 seconds. */
export const SOON_CUT = { ...SMALL, average: '5s', split_after: '10s', split_delay: { min: '10s', max: '20s' } }

export const advance = (by) => control('POST', 'clock', { advance: by })

/** Models the partitions of an account's tables, or of those of `scope`. Returns the answer. */
export const model = (account, mode, parameters = SMALL, { seed = 0, ...scope } = {}) =>
  control('POST', 'partitions', { account, ...scope, mode, parameters, seed })

/** An account whose clock stands still, with clients; its tables and rules end after the file's tests. */
export function useStoppedClock() {
  const account = newAccount()
  const arn = (table, index) => `arn:aws:dynamodb:us-east-1:${account}:table/${table}${index ? `/index/${index}` : ''}`
  beforeAll(() => control('POST', 'clock', { frozen: '2026-01-31T12:00:00Z' }))
  afterAll(async () => {
    await control('DELETE', 'partitions', { account })
    await control('POST', 'clock', { mode: 'real' })
    await control('POST', 'reset', { account })
  })
  return { account, arn, ...clientsOf(account) }
}

/** Returns how an operation was throttled: the name of its error, and the only reason in it; or null if it was served. */
export async function throttlingOf(promise) {
  try {
    await promise
    return null
  } catch (error) {
    const reasons = error.throttlingReasons ?? error.ThrottlingReasons
    if (reasons?.length !== 1) throw error
    return { error: error.name, ...reasons[0] }
  }
}

/** Calls `act` with 0, 1, … until it is throttled. Returns how many calls were served, and how the next one was throttled. */
export async function untilThrottled(act, most = 5000) {
  for (let served = 0; served < most; ++served) {
    const throttled = await throttlingOf(act(served))
    if (throttled) return { served, ...throttled }
  }
  throw new Error(`${most} calls were served`)
}

/** Writes the items, at most 25, with one BatchWriteItem. Returns how many of them were written; the others were throttled. */
export async function writtenOf(doc, TableName, items) {
  let left
  const throttled = await throttlingOf((async () => {
    const { UnprocessedItems } = await doc.batchWrite({ RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } })
    left = UnprocessedItems[TableName]?.length ?? 0
  })())
  return throttled ? 0 : items.length - left
}

/** Returns the map of partitions of a table, or of one of its indexes; nothing, if it is not modelled. */
export async function mapOf(account, table, index = '') {
  const { tables } = await control('GET', `partitions?account=${account}&table=${table}`)
  return tables[0]?.resources.find((each) => each.index === index)
}

/** The partitions that are there now. */
export const present = ({ partitions }) => partitions.filter(({ ended_epoch_ms }) => ended_epoch_ms === 0)
