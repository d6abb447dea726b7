// Dialogs: the browser's own <dialog>, which keeps the focus inside and closes on Escape.

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Button } from './button'

export interface DialogProps {
  title: string
  /** The reader closed the dialog: by Escape, by the cross, or by a click beside it. */
  onClose: () => void
  children: ComponentChildren
  /** The buttons below; the first one stands leftmost. */
  actions?: ComponentChildren
  /** When there is one, the dialog is a form: Enter in a field and a button of type "submit" call it. */
  onSubmit?: () => void
  width?: 'narrow' | 'usual' | 'wide'
}

export function Dialog({ title, onClose, children, actions, onSubmit, width = 'usual' }: DialogProps) {
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('.dialog-body :is(input, textarea, select)')?.focus()
    return () => dialog?.close()
  }, [])
  const content = (
    <>
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" label="Close" onClick={onClose}>✕</Button>
      </header>
      <div class="dialog-body">{children}</div>
      {actions && <footer class="dialog-actions">{actions}</footer>}
    </>
  )
  return (
    <dialog
      ref={element}
      class={`dialog dialog-${width}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === element.current) onClose()
      }}
    >
      {onSubmit ? (
        <form
          class="dialog-content"
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          {content}
        </form>
      ) : (
        <div class="dialog-content">{content}</div>
      )}
    </dialog>
  )
}

export interface Confirmation {
  title: string
  text: ComponentChildren
  /** What the button does, in its own words: "Delete 3 items". */
  action: string
  /** The reader types this text before the button can be pressed. */
  typed_text?: string
}

const asked = signal<(Confirmation & { resolve: (is_confirmed: boolean) => void }) | null>(null)

/** Asks the reader before something is lost. Returns whether the reader pressed the button of the action. */
export function confirmAction(confirmation: Confirmation): Promise<boolean> {
  asked.peek()?.resolve(false)
  return new Promise((resolve) => {
    asked.value = { ...confirmation, resolve }
  })
}

/** Shows the question of confirmAction; the frame has one. */
export function ConfirmationDialog() {
  const question = asked.value
  if (!question) return null
  return <Question key={question.title} question={question} />
}

function Question({ question }: { question: NonNullable<typeof asked.value> }) {
  const [typed, setTyped] = useState('')
  const end = (is_confirmed: boolean) => {
    asked.value = null
    question.resolve(is_confirmed)
  }
  const can_confirm = question.typed_text === undefined || typed === question.typed_text
  return (
    <Dialog
      title={question.title}
      width="narrow"
      onClose={() => end(false)}
      onSubmit={() => can_confirm && end(true)}
      actions={
        <>
          <Button onClick={() => end(false)}>Cancel</Button>
          <Button kind="danger" type="submit" disabled={!can_confirm}>{question.action}</Button>
        </>
      }
    >
      <p>{question.text}</p>
      {question.typed_text !== undefined && (
        <label class="field">
          <span class="field-label">Type {question.typed_text} to go on</span>
          <input class="input mono" value={typed} autocomplete="off" spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
      )}
    </Dialog>
  )
}
