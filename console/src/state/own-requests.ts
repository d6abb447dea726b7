// The reads and writes of items that this page itself made, with their bodies: the server's list of requests has none, so only these
// can be repeated.

import { signal } from '@preact/signals'
import type { Answer } from '../api/answer'
import type { Owner } from '../api/dynamodb'
import { unitRows, type ConsumedCapacity, type UnitRow } from '../model/price'

export interface OwnRequest {
  id: number
  /** When it was sent, and when it was answered. */
  epoch_ms: number
  answered_epoch_ms: number
  owner: Owner
  operation: string
  input: Record<string, unknown>
  /** Of its body. */
  bytes: number
  units: UnitRow[]
  /** Of a call that failed. */
  error?: string
}

const kMaxKept = 300
const kOfItems = /Item|Query|Scan|Statement/
const kReads = /Get|Query|Scan/

/** The latest ones first. */
export const own_requests = signal<readonly OwnRequest[]>([])
let last_id = 0

export function noteOwnRequest(owner: Owner, operation: string, input: object, epoch_ms: number, answer: Answer<unknown>): void {
  if (!kOfItems.test(operation)) return
  last_id += 1
  const consumed = answer.ok ? (answer.value as { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] }).ConsumedCapacity : undefined
  const is_read = kReads.test(operation) || (operation === 'ExecuteStatement' && isSelect(input))
  const made: OwnRequest = {
    id: last_id, epoch_ms, answered_epoch_ms: Date.now(), owner, operation, input: input as Record<string, unknown>,
    bytes: new TextEncoder().encode(JSON.stringify(input)).length,
    units: consumed && !Array.isArray(consumed) ? unitRows(consumed, is_read ? 'read' : 'write') : [],
    ...(!answer.ok && { error: `${answer.error.type && `${answer.error.type}: `}${answer.error.message}` })
  }
  own_requests.value = [made, ...own_requests.peek()].slice(0, kMaxKept)
}

/** Returns whether the Statement of an input only reads. */
export function isSelect(input: object): boolean {
  return /^\s*(?:--[^\n]*\n\s*)*select\b/i.test(String((input as Record<string, unknown>)['Statement']))
}

interface Listed {
  id: number
  time: string
  operation?: string
  account?: string
  region?: string
  request_bytes: number
}

// The clocks of the page and of the server may differ by so much.
const kClockMs = 1000

/**
 * Returns the ids of those calls of the server's list that this page made, as far as can be told: a call of the same operation with a
 * body of the same size at the same time. Each own request explains one call at most.
 */
export function ownIds(listed: readonly Listed[], own: readonly OwnRequest[]): ReadonlySet<number> {
  const nameOf = (operation: string | undefined, bytes: number, { account, region }: { account?: string; region?: string }) =>
    [operation, bytes, account, region].join(' ')
  const left = new Map<string, OwnRequest[]>()
  for (const each of own) {
    const name = nameOf(each.operation, each.bytes, each.owner)
    left.set(name, [...(left.get(name) ?? []), each])
  }
  const ids = new Set<number>()
  for (const call of listed) {
    const among = left.get(nameOf(call.operation, call.request_bytes, call)) ?? []
    const at_ms = Date.parse(call.time)
    const found = among.findIndex((each) => at_ms >= each.epoch_ms - kClockMs && at_ms <= each.answered_epoch_ms + kClockMs)
    if (found < 0) continue
    among.splice(found, 1)
    ids.add(call.id)
  }
  return ids
}
