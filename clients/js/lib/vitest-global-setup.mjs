// Runs before all tests, in Vitest's own process: starts the server and seeds it.

import { createRequire } from 'node:module'

const { loadModule, startRun } = createRequire(import.meta.url)('./run.cjs')

export default async function globalSetup(project) {
  const { options } = project.vite.config.plugins.find(({ name }) => name === 'hashrange').api
  const load = project.import ? (path) => loadWith(project, path) : undefined
  const { settings, stop } = await startRun(options, { root: project.config.root, load })
  project.provide('hashrange', settings)
  return stop
}

// A module that Node.js can read is imported by Node.js: Vite would also transform what the module imports, such as a whole AWS SDK.
async function loadWith(project, path) {
  if (!/\.[cm]?js$/.test(path)) return project.import(path)
  try {
    return await loadModule(path)
  } catch (error) {
    if (!needsVite(error)) throw error
    return project.import(path)
  }
}

// The errors of Node.js for a module that imports TypeScript, an alias, or a path without its file ending.
const UNREADABLE = ['ERR_IMPORT_ATTRIBUTE_MISSING', 'ERR_MODULE_NOT_FOUND', 'ERR_UNKNOWN_FILE_EXTENSION', 'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX']

const needsVite = ({ code, name }) => UNREADABLE.includes(code) || name === 'SyntaxError'
