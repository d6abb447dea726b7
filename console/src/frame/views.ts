// The views of the page, in the order of the navigation.
//
// To add a view: a folder in views/, and one row here. A view whose code is large stands in views/later.ts.

import type { FunctionComponent } from 'preact'
import { CollectionsView } from '../views/collections/collections-view'
import { TablesView } from '../views/tables/tables-view'
import { lazyView } from './lazy-view'
import type { Place } from './routes'

export interface View {
  /** As in the URL. */
  name: string
  title: string
  /** "g t"; a view without one has no place in the navigation: a link leads to it. */
  shortcut?: string
  /** The view shows a table, so that it needs one. */
  needs_table: boolean
  View: FunctionComponent<{ place: Place }>
}

const later = () => import('../views/later')

export const views: readonly View[] = [
  { name: 'tables', title: 'Tables', shortcut: 'g t', needs_table: false, View: TablesView },
  { name: 'collections', title: 'Collections', shortcut: 'g c', needs_table: true, View: CollectionsView },
  { name: 'query', title: 'Query', shortcut: 'g q', needs_table: true, View: lazyView(async () => (await later()).QueryView) },
  { name: 'partiql', title: 'PartiQL', shortcut: 'g p', needs_table: false, View: lazyView(async () => (await later()).PartiqlView) },
  { name: 'item', title: 'Item', needs_table: true, View: lazyView(async () => (await later()).ItemView) },
  { name: 'changes', title: 'Changes', shortcut: 'g s', needs_table: true, View: lazyView(async () => (await later()).ChangesView) },
  { name: 'requests', title: 'Requests', shortcut: 'g r', needs_table: false, View: lazyView(async () => (await later()).RequestsView) }
]
