// Shortcuts: one listener for the whole page, and a register of what the present view offers.
//
//   "e"  "/"  "?"  "Escape"     one key; not while the reader types into a field, which Escape leaves
//   "g t"                       two keys, one after the other
//   "mod+Enter"                 with Ctrl, or ⌘ on a Mac; also while the reader types
//
// While a dialog is open, only shortcuts with "mod+" run: the browser itself closes a dialog on Escape.

import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

export interface Shortcut {
  keys: string
  /** What it does, for the list of shortcuts: "Find a key". */
  title: string
  run: (event: KeyboardEvent) => void
}

/** The shortcuts that are offered now; of two with the same keys the later one runs. */
export const shortcuts = signal<readonly Shortcut[]>([])

/** Offers a shortcut while the component is shown, from the first frame that shows it. */
export function useShortcut(keys: string, title: string, run: (event: KeyboardEvent) => void): void {
  const latest = useRef(run)
  latest.current = run
  useLayoutEffect(() => {
    const shortcut: Shortcut = { keys, title, run: (event) => latest.current(event) }
    shortcuts.value = [...shortcuts.peek(), shortcut]
    return () => {
      shortcuts.value = shortcuts.peek().filter((each) => each !== shortcut)
    }
  }, [keys, title])
}

const kSequenceMs = 1500
let first_key = ''
let first_key_at = 0

/** Returns the shortcut that the key press completes; undefined when there is none. */
export function findShortcut(
  offered: readonly Shortcut[],
  pressed: { key: string; is_mod: boolean; before: string }
): Shortcut | undefined {
  const wanted = pressed.is_mod
    ? [`mod+${pressed.key}`]
    : [...(pressed.before ? [`${pressed.before} ${pressed.key}`] : []), pressed.key]
  for (const keys of wanted) {
    const found = offered.findLast((each) => each.keys === keys)
    if (found) return found
  }
  return undefined
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input:not([type=checkbox]),textarea,select,[contenteditable]') !== null
}

function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return
  const is_mod = event.ctrlKey || event.metaKey
  // Escape leaves a field, so that the shortcuts work again.
  if (event.key === 'Escape' && isTyping(event.target) && !document.querySelector('dialog[open]')) return (event.target as HTMLElement).blur()
  if (!is_mod && (isTyping(event.target) || document.querySelector('dialog[open]'))) return
  const is_in_time = event.timeStamp - first_key_at < kSequenceMs
  const before = is_in_time ? first_key : ''
  const found = findShortcut(shortcuts.peek(), { key: event.key, is_mod, before })
  first_key = found || is_mod ? '' : event.key
  first_key_at = event.timeStamp
  if (!found) return
  event.preventDefault()
  found.run(event)
}

/** Called once, by main.tsx. */
export function listenToKeys(): void {
  document.addEventListener('keydown', handleKey)
}
