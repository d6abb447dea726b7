import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { is_unreachable, noteUnanswered, returns, watchServer } from '../../src/state/connection'

let server = { answers: true, asked: 0 }
const page = { hidden: false }

beforeEach(() => {
  vi.useFakeTimers()
  server = { answers: true, asked: 0 }
  page.hidden = false
  vi.stubGlobal('document', page)
  vi.stubGlobal('fetch', async () => {
    server.asked += 1
    if (!server.answers) throw new TypeError('Failed to fetch')
    return new Response('', { status: 401 })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a call that got no answer is followed by questions until the server is back', async () => {
  server.answers = false
  const before = returns.value
  noteUnanswered()
  noteUnanswered()
  expect(is_unreachable.value).toBe(true)
  await vi.advanceTimersByTimeAsync(3500)
  expect([server.asked, is_unreachable.value, returns.value]).toEqual([3, true, before])
  server.answers = true
  await vi.advanceTimersByTimeAsync(1000)
  expect([server.asked, is_unreachable.value, returns.value]).toEqual([4, false, before + 1])
})

test('the server is asked now and then, while the page is seen', async () => {
  const before = returns.value
  watchServer()
  await vi.advanceTimersByTimeAsync(10_100)
  expect([server.asked, is_unreachable.value]).toEqual([2, false])
  page.hidden = true
  server.answers = false
  await vi.advanceTimersByTimeAsync(10_000)
  expect([server.asked, is_unreachable.value]).toEqual([2, false])
  page.hidden = false
  await vi.advanceTimersByTimeAsync(5000)
  expect([server.asked, is_unreachable.value, returns.value]).toEqual([3, true, before])
})
