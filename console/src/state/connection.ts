// Whether the server answers. The page asks it now and then, and every second while it does not answer;
// when it is back, what the page shows is read again.

import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { token } from './token'

const kAskMs = 5000
const kAskAgainMs = 1000
const kAnswerMs = 10_000

/** Whether the last call, or the last question of `watchServer`, got no answer. */
export const is_unreachable = signal(false)

/** How often the server came back. */
export const returns = signal(0)

let timer: ReturnType<typeof setTimeout> | undefined

/** Notes that a call got no answer: the page soon asks again. */
export function noteUnanswered(): void {
  if (is_unreachable.peek()) return
  is_unreachable.value = true
  schedule()
}

/** Begins to ask the server, while the page is seen. Called once, by main.tsx. */
export function watchServer(): void {
  schedule()
}

function schedule(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void ask(), is_unreachable.peek() ? kAskAgainMs : kAskMs)
}

async function ask(): Promise<void> {
  if (!document.hidden) {
    const does_answer = await answers()
    if (does_answer && is_unreachable.peek()) returns.value += 1
    is_unreachable.value = !does_answer
  }
  schedule()
}

/** Returns whether the server gives any answer, be it that a token is missing. */
async function answers(): Promise<boolean> {
  const headers: Record<string, string> = token.peek() ? { Authorization: `Bearer ${token.peek()}` } : {}
  return fetch('/_hashrange/', { headers, cache: 'no-store', signal: AbortSignal.timeout(kAnswerMs) }).then(() => true, () => false)
}

/** Calls `run` each time when the server is back, while the component is shown. */
export function useReturn(run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  const seen = useRef(returns.peek())
  useEffect(() => {
    if (seen.current === returns.value) return
    seen.current = returns.value
    latest.current()
  }, [returns.value])
}
