// The frame of the page: the header with the place, the navigation, the view, messages and dialogs.

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { place } from '../state/place'
import { is_unreachable, useReturn } from '../state/connection'
import { is_read_only, loadServerInfo, server_error, server_info } from '../state/server'
import { loadTable, loadTableNames, table_error } from '../state/tables'
import { Button } from '../ui/button'
import { ConfirmationDialog } from '../ui/dialog'
import { ErrorNotice } from '../ui/error-notice'
import { toast, Toasts } from '../ui/toast'
import { useShortcut } from './keyboard'
import { KeyboardHelp } from './keyboard-help'
import { PlacePicker } from './place-picker'
import { go, hrefOf, route } from './routes'
import { is_dark, theme } from './theme'
import { TokenDialog } from './token-dialog'
import { views, type View } from './views'

const is_help_open = signal(false)

export function Frame() {
  const view = views.find((each) => each.name === route.value.view) ?? views[0]!
  useShortcut('?', 'Show the shortcuts', () => (is_help_open.value = true))
  useReturn(() => {
    void loadServerInfo()
    void loadTableNames()
    void loadTable()
    toast('The server is back.')
  })
  useEffect(() => {
    document.title = `${view.title}${place.value.table && ` · ${place.value.table}`} · Hashrange console`
  }, [view, place.value])
  return (
    <div class="frame">
      <header class="header">
        <a class="brand" href={hrefOf({ view: 'tables' })} aria-label="Hashrange console">
          <BrandMark />
          <span class="brand-name">Hashrange</span>
        </a>
        <PlacePicker />
        {server_info.value && is_read_only.value && <span class="tag">read-only</span>}
        <Button
          kind="quiet"
          label={is_dark.value ? 'Use light colours' : 'Use dark colours'}
          onClick={() => (theme.value = is_dark.value ? 'light' : 'dark')}
        >
          {is_dark.value ? '☀' : '☾'}
        </Button>
        <Button kind="quiet" label="Shortcuts" onClick={() => (is_help_open.value = true)}>?</Button>
      </header>
      <Navigation chosen={view} />
      <main class="view" key={view.name} id="view">
        <h1 class="for-screen-readers">{view.title}</h1>
        {is_unreachable.value && (
          <p class="notice notice-error" role="alert">The server does not answer: the page asks it every second, and goes on when it is back.</p>
        )}
        <ErrorNotice error={server_error.value}><Button kind="quiet" onClick={() => void loadServerInfo()}>Try again</Button></ErrorNotice>
        {view.needs_table && place.value.table === '' ? (
          <p class="notice">Choose a table, in the header or in <a href={hrefOf({ view: 'tables' })}>the list of tables</a>.</p>
        ) : view.needs_table && table_error.value ? (
          <ErrorNotice error={table_error.value} />
        ) : (
          <view.View place={place.value} />
        )}
      </main>
      {is_help_open.value && <KeyboardHelp onClose={() => (is_help_open.value = false)} />}
      <ConfirmationDialog />
      <TokenDialog />
      <Toasts />
    </div>
  )
}

function Navigation({ chosen }: { chosen: View }) {
  return (
    <nav class="navigation" aria-label="Views">
      {views.filter((view) => view.shortcut).map((view) => (
        <NavigationLink key={view.name} view={view} is_chosen={view === chosen} />
      ))}
    </nav>
  )
}

function NavigationLink({ view, is_chosen }: { view: View; is_chosen: boolean }) {
  useShortcut(view.shortcut!, `Go to ${view.title}`, () => go({ view: view.name }))
  return (
    <a href={hrefOf({ view: view.name })} aria-current={is_chosen ? 'page' : undefined} title={`${view.title} (${view.shortcut})`}>
      {view.title}
    </a>
  )
}

function BrandMark() {
  return (
    <svg class="brand-mark" viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="4" />
      <path d="M4 4.5h8M4 8h5M4 11.5h7" />
    </svg>
  )
}
