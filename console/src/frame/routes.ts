// Where the page is, as the URL has it behind its hash:
//
//   #/ACCOUNT/REGION/TABLE/VIEW?name=value     "-" stands in the place of TABLE while none is chosen
//
// Every place in the page is a link: a view keeps in the parameters what a reader would want to come
// back to, and reads it from `route`.

import { computed, signal } from '@preact/signals'

export interface Place {
  account: string
  region: string
  /** "" while no table is chosen. */
  table: string
}

export interface Route {
  place: Place
  view: string
  /** The values are texts of the URL: check them before use. */
  parameters: ReadonlyMap<string, string>
}

export const kDefaultPlace: Place = { account: '000000000000', region: 'us-east-1', table: '' }
export const kDefaultView = 'tables'

/** Returns the route of the part of a URL from its hash on. Parts that are missing are the usual ones. */
export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#/, '')
  const at = text.indexOf('?')
  const path = at < 0 ? text : text.slice(0, at)
  const [, account, region, table, view] = path.split('/').map(decodePart)
  return {
    place: {
      account: account && /^\d{12}$/.test(account) ? account : kDefaultPlace.account,
      region: region || kDefaultPlace.region,
      table: table && table !== '-' ? table : ''
    },
    view: view || kDefaultView,
    parameters: new Map(new URLSearchParams(at < 0 ? '' : text.slice(at + 1)))
  }
}

/** What to change; the rest stays as it is. A new view has only the parameters that are given. */
export interface Destination {
  account?: string
  region?: string
  table?: string
  view?: string
  parameters?: Record<string, string | number | undefined>
}

/** Returns the URL of a place in the page, beginning with "#". */
export function hrefOf(to: Destination, from: Route = route.value): string {
  const place = { ...from.place, ...defined({ account: to.account, region: to.region, table: to.table }) }
  const parts = [place.account, place.region, place.table || '-', to.view ?? from.view]
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(to.parameters ?? {})) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const query = parameters.toString()
  return `#/${parts.map(encodeURIComponent).join('/')}${query && `?${query}`}`
}

/** Goes to a place in the page; `replace` leaves no step for the browser's Back. */
export function go(to: Destination, options: { replace?: boolean } = {}): void {
  const href = hrefOf(to)
  if (options.replace) {
    history.replaceState(null, '', href)
    current.value = location.hash
  } else {
    location.hash = href
  }
}

/** Changes parameters of the present view without a step for the browser's Back. */
export function setParameters(parameters: Record<string, string | number | undefined>): void {
  const all: Record<string, string | number | undefined> = Object.fromEntries(route.value.parameters)
  go({ parameters: { ...all, ...parameters } }, { replace: true })
}

const current = signal(globalThis.location?.hash ?? '')
globalThis.addEventListener?.('hashchange', () => {
  current.value = location.hash
})

export const route = computed(() => parseRoute(current.value))

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

function defined<Values extends object>(values: Values): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
