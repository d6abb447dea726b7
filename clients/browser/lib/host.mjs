// What a browser gives to the files that Node.js runs, too: the functions of clients/js/lib/host.cjs.

import { tableCrc32 } from './crc32.mjs'

// Bundlers find these files by their literal names.
const PLACES = {
  'hashrange.wasm': () => new URL('../hashrange.wasm', import.meta.url),
  'lab.wasm': () => new URL('../lab.wasm', import.meta.url),
}

/** The end of sentences about files that a page cannot load. */
export const ADVICE = 'The README of @hashrange/browser says how its files get to a page.'

const compiled = new Map() // URL -> a promise of the module, for all databases of the page

/**
 * Resolves to a compiled module of this package, or of the folder `files`, a URL that may be relative to the page. Errors: one
 * whose sentence has the URL when the file cannot be fetched or compiled.
 */
export async function compile(name = 'hashrange.wasm', files) {
  const { href } = files === undefined ? PLACES[name]() : placeIn(files, name)
  if (!compiled.has(href)) compiled.set(href, fetchModule(href))
  return compiled.get(href).catch((error) => {
    compiled.delete(href) // the next call tries again
    throw error
  })
}

/** Returns the URL of a file of this package in the folder `files`. */
export function placeIn(files, name) {
  const folder = new URL(files, globalThis.document?.baseURI ?? globalThis.location?.href)
  if (!folder.pathname.endsWith('/')) folder.pathname += '/'
  return new URL(name, folder)
}

async function fetchModule(url) {
  const response = await fetch(url).catch((error) => ({ problem: error.message }))
  const problem = response.problem ?? (response.ok ? undefined : `the answer has the status ${response.status}`)
  if (problem) throw new Error(`hashrange: ${url} cannot be fetched: ${problem}. ${ADVICE}`)
  // Only an answer of this type is compiled while it arrives. Some servers send another one.
  const isTyped = /^application\/wasm\b/.test(response.headers.get('content-type') ?? '')
  try {
    return isTyped ? await WebAssembly.compileStreaming(response) : await WebAssembly.compile(await response.arrayBuffer())
  } catch (error) {
    throw new Error(`hashrange: ${url} cannot be compiled: ${error.message}. ${ADVICE}`, { cause: error })
  }
}

const noFile = async (root, path) => {
  throw new Error(`hashrange: a page cannot open the file ${path}: give what it has as an object.`)
}
export const readText = noFile
export const writeText = noFile
export const fileName = (root, path) => path
export const currentFolder = () => ''

/** A page has no files. */
export const filesOf = () => ({})

/** A page has no environment variables. */
export const variable = () => undefined

export const fillRandomly = (bytes) => crypto.getRandomValues(bytes)
export const showLog = (text) => console.warn(text.trimEnd())
export const crc32 = tableCrc32
