// Asking the server again and again while a view is shown.

import { useEffect, useRef } from 'preact/hooks'
import { returns } from './connection'

const kPauseMs = 1000
const kPauseAfterErrorMs = 3000

/** What a turn of the poll says about the next one. */
export type Turn = 'more' | 'wait' | 'failed'

/**
 * Calls `run` while `is_on`: at once when there is more or when the server is back, after a second else, later after an error.
 * A hidden page does not ask.
 */
export function usePoll(is_on: boolean, key: string, run: (signal: AbortSignal) => Promise<Turn>): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!is_on) return
    const controller = new AbortController()
    let timer = 0
    const turn = async () => {
      const said = document.hidden ? 'wait' : await latest.current(controller.signal)
      if (controller.signal.aborted) return
      timer = window.setTimeout(turn, said === 'more' ? 0 : said === 'wait' ? kPauseMs : kPauseAfterErrorMs)
    }
    void turn()
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [is_on, key, returns.value])
}
