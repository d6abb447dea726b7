// The token of the control API. The page keeps it as long as its tab is open, and asks for it when a
// call was answered with 401.

import { signal } from '@preact/signals'

const kStorageKey = 'hashrange-control-token'

/** The token that calls send; "" when none was given. */
export const token = signal(globalThis.sessionStorage?.getItem(kStorageKey) ?? '')

/** Whether the page asks for the token now, and whether it was asked because a given one was wrong. */
export const token_question = signal<{ was_wrong: boolean } | null>(null)

let waiting: ((is_given: boolean) => void)[] = []

/** Returns whether a token was given that differs from `refused`, the one that a call was refused with. */
export function askForToken(refused: string): Promise<boolean> {
  if (token.value !== refused) return Promise.resolve(true)
  token_question.value = { was_wrong: refused !== '' }
  return new Promise((resolve) => waiting.push(resolve))
}

/** Ends the question: calls that wait are made again with the token, or fail when it is null. */
export function answerTokenQuestion(given: string | null): void {
  if (given !== null) {
    token.value = given
    globalThis.sessionStorage?.setItem(kStorageKey, given)
  }
  token_question.value = null
  const resolved = waiting
  waiting = []
  for (const resolve of resolved) resolve(given !== null)
}
