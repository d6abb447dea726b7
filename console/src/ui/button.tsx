// Buttons. A button that writes says what it does: "Delete 3 items".

import type { ComponentChildren, TargetedMouseEvent } from 'preact'

export interface ButtonProps {
  children: ComponentChildren
  onClick?: (event: TargetedMouseEvent<HTMLButtonElement>) => void
  /** 'plain' unless set. 'quiet' has no border. */
  kind?: 'plain' | 'main' | 'danger' | 'quiet'
  type?: 'button' | 'submit'
  disabled?: boolean
  /** For screen readers, where the children are a sign and not a word. */
  label?: string
  title?: string
  /** For a button that is switched on or off. */
  pressed?: boolean
}

export function Button({ children, onClick, kind = 'plain', type = 'button', disabled, label, title, pressed }: ButtonProps) {
  return (
    <button class={`button button-${kind}`} type={type} disabled={disabled} onClick={onClick} aria-label={label} title={title ?? label} aria-pressed={pressed}>
      {children}
    </button>
  )
}
