// A button that opens a short list of things to do.

import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface MenuItem {
  title: ComponentChildren
  run: () => void
  is_danger?: boolean
}

export function Menu({ label, children, items }: { label: string; children: ComponentChildren; items: readonly MenuItem[] }) {
  const [is_open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  // The focus moves before the menu is seen, so that it is not taken from an item that was chosen since.
  useLayoutEffect(() => {
    if (is_open) root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [is_open])
  useEffect(() => {
    if (!is_open) return
    const closeOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [is_open])
  const close = () => {
    setOpen(false)
    root.current?.querySelector<HTMLElement>('button')?.focus()
  }
  const move = (step: number) => {
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    all[(at + step + all.length) % all.length]?.focus()
  }
  return (
    <div
      class="menu"
      ref={root}
      onKeyDown={(event) => {
        if (!is_open) return
        const steps: Record<string, () => void> = { ArrowDown: () => move(1), ArrowUp: () => move(-1), Escape: close, Tab: () => setOpen(false) }
        const step = steps[event.key]
        if (!step) return
        if (event.key !== 'Tab') event.preventDefault()
        event.stopPropagation()
        step()
      }}
    >
      <button class="button button-plain" type="button" aria-haspopup="menu" aria-expanded={is_open} aria-label={label} title={label} onClick={() => setOpen(!is_open)}>
        {children}
      </button>
      {is_open && (
        <div class="menu-list" role="menu" aria-label={label}>
          {items.map((item) => (
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={item.is_danger ? 'menu-item menu-danger' : 'menu-item'}
              onClick={() => {
                close()
                item.run()
              }}
            >
              {item.title}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
