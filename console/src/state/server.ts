// The server as it describes itself: its version, and whether the console may write.

import { computed, signal } from '@preact/signals'
import type { CallError } from '../api/answer'
import { control } from '../api/control'
import type { ServerInfo } from '../api/control-types'

export const server_info = signal<ServerInfo | null>(null)
export const server_error = signal<CallError | null>(null)

/** While this is true, nothing that writes is shown. It is true until the server has said what it allows. */
export const is_read_only = computed(() => server_info.value === null || server_info.value.console === 'read-only')

export async function loadServerInfo(): Promise<void> {
  const answer = await control('GET', '', undefined)
  server_error.value = answer.ok ? null : answer.error
  if (answer.ok) server_info.value = answer.value
}
