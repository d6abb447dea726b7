// Before all tests, in Vitest's own process: the server and its seed.

import { createRequire } from 'node:module'

const { startRun } = createRequire(import.meta.url)('./run.cjs')

export default async function globalSetup(project) {
  const { options } = project.vite.config.plugins.find(({ name }) => name === 'hashrange').api
  const load = project.import ? (path) => project.import(path) : undefined // through Vite: TypeScript, aliases
  const { settings, stop } = await startRun(options, { root: project.config.root, load })
  project.provide('hashrange', settings)
  return stop
}
