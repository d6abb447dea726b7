// A server whose version does not fit is told of.

import { createServer } from 'node:http'
import { start } from '@hashrange/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { version as own } from '../../package.json'
import { checkVersion, fits } from '../../lib/version.cjs'
import { read } from '../support/samples.mjs'

const [major, minor] = own.split('.').map(Number)

let server
afterEach(() => {
  vi.restoreAllMocks()
  server?.close()
})

/** Starts a server that answers every call with `answer`. Returns its endpoint. */
async function serving(answer, status = 200) {
  server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ rules: [], ...answer }))
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${server.address().port}`
}

/** Returns what start() writes to stderr for a server that is not of this repository. */
async function told(endpoint) {
  const lines = []
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(line))
  await start({ endpoint }).catch(() => {})
  return lines.join('')
}

describe('start() warns', () => {
  test('of a server of another minor version', async () => {
    const other = `${major}.${minor + 1}.0`
    const endpoint = await serving({ version: other })
    expect(await told(endpoint)).toBe(`hashrange: the server has version ${other}, and the npm package @hashrange/testing ${own}: ` +
      'install the same version of both, or some calls may fail.\n')
  })

  test.each([
    ['of a version that fits', { version: `${major}.${minor}.99` }, 200],
    ['where a server does not tell its version', {}, 200],
    ['where a version is null', { version: null }, 200],
    ['where a version is empty', { version: '' }, 200],
    ['where a version is no text', { version: 7 }, 200],
    ['where a server refuses the call', { error: 'Who are you?' }, 401],
  ])('not %s', async (_, answer, status) => {
    expect(await told(await serving(answer, status))).toBe('')
  })

  test.each([
    ['null', 'null'],
    ['no JSON', '{'],
    ['nothing', undefined],
  ])('not where the answer is %s, which is no failure either', async (_, text) => {
    server = createServer((request, response) => {
      if (text === undefined) return request.socket.destroy()
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(text)
    })
    await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
    const show = vi.fn()
    await checkVersion({ endpoint: `http://127.0.0.1:${server.address().port}` }, show)
    expect(show).not.toHaveBeenCalled()
  })

  test('not of the server of this repository', async () => {
    const lines = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
    await (await start()).stop()
    expect(lines).not.toHaveBeenCalled()
  })
})

test.each([
  ['0.1.0', '0.1.0', true],
  ['0.1.0', '0.1.9', true],
  ['0.1.0', '0.2.0', false],
  ['0.1.0', '0.10.0', false],
  ['0.1.0', '1.1.0', false],
  ['1.0.0', '1.7.2', true],
  ['1.0.0', '2.0.0', false],
  ['1.0.0', '10.0.0', false],
  ['0.1.0', '0.1.0-rc.1', true],
  ['0.1.0', 'latest', false],
  ['latest', 'latest', false],
  ['0.1.0', 7, false],
])('%s and %s fit: %s', (one, other, answer) => {
  expect([fits(one, other), fits(other, one)]).toEqual([answer, answer])
})

test('the package has the version of the server', () => {
  expect(own).toBe(/project\(hashrange VERSION (\S+)/.exec(read('CMakeLists.txt'))[1])
})
