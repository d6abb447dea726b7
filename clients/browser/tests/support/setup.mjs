// Before all tests: assembles the package, builds the pages, and serves both. HASHRANGE_MODULE names hashrange.wasm, HASHRANGE_LAB
// lab.wasm, and CHROMIUM the browser (/usr/bin/chromium).

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { assemble } from '../../assemble.mjs'
import { serve } from './site.mjs'

export default async function setup(project) {
  const { HASHRANGE_MODULE: database, HASHRANGE_LAB: lab } = process.env
  if (!database) throw new Error('HASHRANGE_MODULE does not name hashrange.wasm: scripts/build wasm')
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-browser-'))
  const own = join(folder, 'package')
  assemble(own, [database, lab].filter(Boolean))
  if (!lab) copyFileSync(database, join(own, 'lab.wasm')) // the bundler wants a file
  process.env.HASHRANGE_PACKAGE = own
  await build({ configFile: fileURLToPath(new URL('../../vite.config.mjs', import.meta.url)), logLevel: 'warn',
    build: { outDir: join(folder, 'built') } })
  const site = await serve({ '/built/': join(folder, 'built'), '/package/': own, '/plain/': fileURLToPath(new URL('../pages/', import.meta.url)) })
  project.provide('site', site.url)
  project.provide('package', own)
  project.provide('hasLab', Boolean(lab) && existsSync(lab))
  return () => {
    site.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
