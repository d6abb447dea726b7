// What the views *query* and *PartiQL* keep of a table while the reader is elsewhere in the page.

import { signal, type Signal } from '@preact/signals'
import type { ExplainedAccess } from '../../api/control-types'
import type { Place } from '../../frame/routes'
import { emptyForm, type QueryForm } from '../../model/request'
import type { ExplanationSignal } from './explained'
import type { Run } from './run'

export interface Session {
  form: Signal<QueryForm>
  run: Signal<Run | null>
  /** The index that the shown answer was read from. */
  run_index: Signal<string>
  explanation: ExplanationSignal
}

export interface StatementSession {
  text: Signal<string>
  /** The Scan that the statement was when it ran. */
  scan: Signal<ExplainedAccess | undefined>
  run: Signal<Run | null>
  explanation: ExplanationSignal
}

const kMaxSessions = 12
const sessions = new Map<string, Session>()
const statement_sessions = new Map<string, StatementSession>()

function kept<Value>(map: Map<string, Value>, place: Place, make: () => Value): Value {
  const name = JSON.stringify([place.account, place.region, place.table])
  const found = map.get(name) ?? make()
  map.delete(name)
  map.set(name, found)
  if (map.size > kMaxSessions) map.delete(map.keys().next().value!)
  return found
}

export function sessionOf(place: Place): Session {
  return kept(sessions, place, () => ({ form: signal(emptyForm(place.table)), run: signal(null), run_index: signal(''), explanation: signal(null) }))
}

export function statementSessionOf(place: Place): StatementSession {
  return kept(statement_sessions, place, () => ({ text: signal(''), scan: signal(undefined), run: signal(null), explanation: signal(null) }))
}
