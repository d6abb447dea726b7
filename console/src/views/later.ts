// The views that a reader opens later: one file that is fetched when the first of them is opened.

export { ChangesView } from './changes/changes-view'
export { ItemView } from './item/item-view'
export { PartiqlView } from './partiql/partiql-view'
export { QueryView } from './query/query-view'
export { RequestsView } from './requests/requests-view'
