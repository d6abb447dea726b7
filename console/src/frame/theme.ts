// Light or dark: as the system prefers, or as the reader chose in the header.

import { computed, effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const kStorageKey = 'hashrange-theme'

function storedTheme(): Theme {
  const stored = globalThis.localStorage?.getItem(kStorageKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export const theme = signal<Theme>(storedTheme())

const system_is_dark = signal(false)

/** Whether the page is dark now. */
export const is_dark = computed(() => (theme.value === 'system' ? system_is_dark.value : theme.value === 'dark'))

/** Called once, by main.tsx. */
export function followTheme(): void {
  const preference = matchMedia('(prefers-color-scheme: dark)')
  system_is_dark.value = preference.matches
  preference.addEventListener('change', () => {
    system_is_dark.value = preference.matches
  })
  effect(() => {
    document.documentElement.dataset['theme'] = is_dark.value ? 'dark' : 'light'
    if (theme.value === 'system') localStorage.removeItem(kStorageKey)
    else localStorage.setItem(kStorageKey, theme.value)
  })
}
