// A live list that stands still while the reader points at it or has scrolled it: rows that come meanwhile wait above it.

import { useRef, useState } from 'preact/hooks'

export interface Still<Row> {
  /** The rows to show. */
  rows: readonly Row[]
  /** Those that came since, the latest first. */
  waiting: readonly Row[]
  /** Shows those that wait. */
  release: () => void
  /** For the element around the list. */
  handlers: { onPointerEnter: () => void; onPointerLeave: () => void; onScrollCapture: (event: Event) => void }
}

/** `rows` grow at their beginning. */
export function useStill<Row>(rows: readonly Row[]): Still<Row> {
  const [is_pointed_at, setPointedAt] = useState(false)
  const [scrolled, setScrolled] = useState<HTMLElement | null>(null)
  const [, setReleases] = useState(0)
  const shown = useRef(rows)
  if (!(is_pointed_at || scrolled) || rows.length === 0 || shown.current.length === 0) shown.current = rows
  return {
    rows: shown.current,
    waiting: rowsBefore(rows, shown.current[0]),
    release: () => {
      shown.current = rows
      if (scrolled) scrolled.scrollTop = 0
      setReleases((count) => count + 1)
    },
    handlers: {
      onPointerEnter: () => setPointedAt(true),
      onPointerLeave: () => setPointedAt(false),
      onScrollCapture: (event) => setScrolled((event.target as HTMLElement).scrollTop > 0 ? (event.target as HTMLElement) : null)
    }
  }
}

/** Returns the rows before `first`; all of them when it is not among them any more. */
export function rowsBefore<Row>(rows: readonly Row[], first: Row | undefined): readonly Row[] {
  const at = first === undefined ? 0 : rows.indexOf(first)
  return rows.slice(0, at < 0 ? rows.length : at)
}
