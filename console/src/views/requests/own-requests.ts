// The requests that this page itself made in its views, with their bodies: the server's list of requests
// has none, so only these can be repeated.

import { signal } from '@preact/signals'
import type { Place } from '../../frame/routes'
import type { UnitRow } from '../../model/price'

export interface OwnRequest {
  id: number
  epoch_ms: number
  place: Place
  operation: string
  input: Record<string, unknown>
  units: UnitRow[]
}

const kMaxKept = 100

/** The latest ones first. */
export const own_requests = signal<readonly OwnRequest[]>([])
let last_id = 0

export function noteOwnRequest(place: Place, operation: string, input: Record<string, unknown>, units: UnitRow[]): void {
  last_id += 1
  own_requests.value = [{ id: last_id, epoch_ms: Date.now(), place, operation, input, units }, ...own_requests.peek()].slice(0, kMaxKept)
}
