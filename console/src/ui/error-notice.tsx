// An error of a call, as a notice. That the server does not answer is said once, by the frame.

import type { ComponentChildren } from 'preact'
import type { CallError } from '../api/answer'

export function ErrorNotice({ error, children }: { error: CallError | null | undefined; children?: ComponentChildren }) {
  if (!error || error.type === 'Unreachable') return null
  return <p class="notice notice-error" role="alert">{error.message} {children}</p>
}
