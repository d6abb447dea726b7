// Short messages at the edge of the page, read out by screen readers. A message goes after some
// seconds; an error stays until it is closed.

import { signal } from '@preact/signals'
import { Button } from './button'

export interface ToastOptions {
  kind?: 'done' | 'error'
  /** One thing to do about it: { label: 'Undo', run }. */
  action?: { label: string; run: () => void }
}

interface Toast extends ToastOptions {
  id: number
  text: string
}

const kShownMs = 6000
const kMaxToasts = 4

const toasts = signal<readonly Toast[]>([])
let last_id = 0

export function toast(text: string, options: ToastOptions = {}): void {
  const id = ++last_id
  toasts.value = [...toasts.peek(), { id, text, ...options }].slice(-kMaxToasts)
  if (options.kind !== 'error') setTimeout(() => close(id), kShownMs)
}

function close(id: number): void {
  toasts.value = toasts.peek().filter((each) => each.id !== id)
}

/** Shows the messages; the frame has one. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((each) => (
        <div key={each.id} class={`toast toast-${each.kind ?? 'done'}`}>
          <span>{each.text}</span>
          {each.action && (
            <Button
              kind="quiet"
              onClick={() => {
                close(each.id)
                each.action!.run()
              }}
            >
              {each.action.label}
            </Button>
          )}
          <Button kind="quiet" label="Close the message" onClick={() => close(each.id)}>✕</Button>
        </div>
      ))}
    </div>
  )
}
