// How a page gets the files of the package, and what it says when one is missing.

import { beforeAll, expect, inject, test } from 'vitest'
import { CALLS, openCalls, openPage, startBrowser } from './support/chromium.mjs'

let browser
beforeAll(async () => {
  browser = await startBrowser()
})

// Chromium writes an error to the console for what the tests let fail.
const FAILED_TO_LOAD = /Failed to load|Refused|violates|blocked|MIME/

const openPlain = async (options) => {
  const page = await openPage(browser, '/plain/plain.html', options)
  await page.waitForFunction(() => document.title === 'ready')
  return page
}

/** Resolves to the message of openDatabase(options) in a page; to the tables of the new database if there is no error. */
const opened = (page, options) => page.evaluate(async (given) => {
  try {
    const db = await openDatabase(given)
    return await db.control('POST', 'snapshots', { name: 'a', account: db.id })
  } catch ({ message }) {
    return message
  }
}, options)

const SNAPSHOT = expect.objectContaining({ name: 'a' })

test('a page without a bundler', async () => {
  expect(await opened(await openPlain())).toEqual(SNAPSHOT)
})

test.each(['/package', '/package/', '../package/'])('the option `files` names the folder of the files: %s', async (files) => {
  const wanted = []
  const prepare = (page) => page.on('request', (request) => wanted.push(new URL(request.url()).pathname))
  expect(await opened(await openPlain({ prepare }), { files })).toEqual(SNAPSHOT)
  expect(wanted).toContain('/package/hashrange.wasm')
})

test('the modules of a page are fetched once', async () => {
  const wanted = []
  const page = await openCalls(browser, { prepare: (own) => own.on('request', (request) => wanted.push(request.url())) })
  for (let n = 0; n < 3; ++n) expect(await opened(page)).toEqual(SNAPSHOT)
  expect(wanted.filter((url) => url.endsWith('.wasm')).length).toBe(1)
})

test('a server that sends another type of content', async () => {
  const prepare = (page) => page.route('**/*.wasm', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'content-type': 'application/octet-stream' } })
  })
  expect(await opened(await openPlain({ prepare }))).toEqual(SNAPSHOT)
})

const ADVICE = 'The README of @hashrange/browser says how its files get to a page.'
const WORKER = `database-worker.mjs did not load. ${ADVICE}`

test.each([
  ['there is no module', '**/*.wasm', { status: 404 }, `SITE/package/hashrange.wasm cannot be fetched: the answer has the status 404. ${ADVICE}`],
  ['a page stands in the place of the module', '**/*.wasm', { contentType: 'text/html', body: '<p>home' },
    /^SITE\/package\/hashrange\.wasm cannot be compiled: .*expected magic word/],
  ['the module is cut off', '**/*.wasm', { contentType: 'application/wasm', body: '\0asm\x01\0\0\0\x01' }, /^SITE\/package\/hashrange\.wasm cannot be compiled: /],
  ['there is no worker', '**/database-worker.mjs', { status: 404 }, WORKER],
  ['a page stands in the place of the worker', '**/database-worker.mjs', { contentType: 'text/html', body: '<p>home' }, WORKER],
  ['a file of the worker is missing', '**/worker-answers.mjs', { status: 404 }, WORKER],
  ['the worker throws', '**/worker-answers.mjs', { contentType: 'text/javascript', body: "export const answerBy = () => { throw new Error('broken') }" },
    `database-worker.mjs did not load: Uncaught Error: broken. ${ADVICE}`],
])('%s', async (_, files, answer, message) => {
  const page = await openPlain({ expected: FAILED_TO_LOAD, prepare: (own) => own.context().route(files, (route) => route.fulfill(answer)) })
  const said = (await opened(page)).replace(inject('site'), 'SITE')
  if (message instanceof RegExp) expect(said.replace(/^hashrange: /, '')).toMatch(message)
  else expect(said).toBe(`hashrange: ${message}`)
})

test.each([
  ["script-src 'self'", /^hashrange: .*hashrange\.wasm cannot be compiled: .*Content Security Policy/],
  ["worker-src 'none'; script-src 'self' 'wasm-unsafe-eval'", /^hashrange: (the worker cannot be started|database-worker.mjs did not load)/],
])('a policy that forbids it: %s', async (policy, message) => {
  const prepare = (page) => page.route('**/*.html', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } })
  })
  expect(await opened(await openPlain({ prepare, expected: FAILED_TO_LOAD }))).toMatch(message)
})

test('a worker that stops fails the calls that wait, and later ones', async () => {
  // This worker answers the first call, and throws at the second one.
  const body = `
    let calls = 0
    onmessage = ({ data: [{ id }] }) => {
      if (++calls === 2) setTimeout(() => { throw new Error('it is broken') })
      else if (calls < 2) postMessage([{ id }])
    }
    postMessage({ hasLoaded: true })`
  const page = await openPlain({ prepare: (own) => own.context().route('**/database-worker.mjs', (route) =>
    route.fulfill({ contentType: 'text/javascript', body })) })
  expect(await opened(page)).toBe('hashrange: database-worker.mjs has stopped: Uncaught Error: it is broken')
})

// A module whose database opens, and which stops at the first call of the control API.
const section = (id, ...bytes) => [id, bytes.length, ...bytes]
const named = (name, kind, index) => [name.length, ...Buffer.from(name), kind, index]
const STOPS = Buffer.from([...Buffer.from('\0asm'), 1, 0, 0, 0,
  ...section(1, 2, 0x60, 0, 0, 0x60, 0, 1, 0x7f), // types: () -> (), () -> i32
  ...section(3, 4, 0, 1, 1, 1), // the types of four functions
  ...section(5, 1, 0, 1), // memory
  ...section(7, 5, ...named('memory', 2, 0), ...named('_initialize', 0, 0), ...named('hashrange_open', 0, 1), ...named('hashrange_input', 0, 2),
    ...named('hashrange_control', 0, 3)),
  ...section(10, 4, 2, 0, 0x0b, 4, 0, 0x41, 1, 0x0b, 4, 0, 0x41, 16, 0x0b, 3, 0, 0, 0x0b)]) // the last one is `unreachable`

test('a module that stops says so, and later calls do', async () => {
  const page = await openPlain({ prepare: (own) => own.route('**/*.wasm', (route) => route.fulfill({ contentType: 'application/wasm', body: STOPS })) })
  const said = await page.evaluate(async () => {
    const failures = []
    const keep = async (work) => work.catch(({ message }) => failures.push(message))
    await keep(openDatabase({ setup: async (seed) => {
      await keep(seed.control('GET', 'clock'))
      await seed.control('GET', 'clock')
    } }))
    return failures
  })
  expect(said).toEqual(Array(2).fill('hashrange: the database has stopped: unreachable'))
})

test('the built pages load nothing of another place', async () => {
  const places = new Set()
  const page = await openPage(browser, CALLS, { prepare: (own) => own.on('request', (request) => places.add(new URL(request.url()).protocol + new URL(request.url()).host)) })
  await page.waitForFunction(() => document.title === 'ready')
  await page.evaluate(() => open())
  expect([...places].filter((place) => place !== 'data:')).toEqual([inject('site').replace('//', '')])
})
