// A server and a page for one story, which end with it.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { openContext, openPage } from './browser.mjs'
import { startServer } from './server.mjs'

/**
 * Runs `tell({ server, page, complaints })` on the page at `hash`, after `prepare(server)` has made its tables.
 * The story fails when the page complained: complaints that it expects are to be removed from the list.
 */
export async function withPage({ hash = '', prepare = async () => {}, server_options = [], ...page_options }, tell) {
  const server = await startServer(server_options)
  let context
  try {
    context = await openContext()
    await prepare(server)
    const { page, complaints } = await openPage(context, `${server.page_url}${hash && `#${hash}`}`, page_options)
    await tell({ server, page, complaints })
    assert.deepEqual(complaints, [])
  } finally {
    await context?.close()
    await server.stop()
  }
}

/** Loads one of the applications of conformance/apps into a table of its name. */
export async function loadApplication(server, name) {
  const { table, items } = JSON.parse(readFileSync(new URL(`../../../../conformance/apps/${name}.json`, import.meta.url), 'utf8'))
  await server.control('POST', 'seed', { table: name, definition: table, data: items.map((item) => JSON.stringify(item)).join('\n') })
}

/** Returns the URL's hash of a place: account, Region, table, view, and parameters. */
export function placeHash({ account = '000000000000', region = 'us-east-1', table = '-', view = 'tables', ...parameters }) {
  return `/${account}/${region}/${table}/${view}?${new URLSearchParams(parameters)}`
}

/** Waits until the view of collections reads nothing any more. */
export async function settled(page) {
  await page.waitForFunction(() => {
    const main = document.querySelector('main')
    return main.querySelector('.board, .grid-row, .collections-empty') && !main.querySelector('.board-waiting') && !main.innerText.includes('reading …')
  })
}
