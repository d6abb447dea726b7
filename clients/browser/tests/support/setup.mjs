// Before all tests: builds the pages, and serves them. HASHRANGE_MODULE names hashrange.wasm, HASHRANGE_LAB lab.wasm, without which
// the tests of the lab are skipped, and CHROMIUM the browser.

import { openSite } from './site.mjs'

export default async function setup(project) {
  const { HASHRANGE_MODULE: database, HASHRANGE_LAB: lab } = process.env
  if (!database) throw new Error('HASHRANGE_MODULE does not name hashrange.wasm: scripts/build wasm')
  const site = await openSite({ 'hashrange.wasm': database, 'lab.wasm': lab })
  project.provide('site', site.url)
  project.provide('package', site.package)
  project.provide('hasLab', Boolean(lab))
  return site.close
}
