// A million items of 200,000 keys: every interaction stays quick. Times are printed, not asserted.

import assert from 'node:assert/strict'
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { soon, takePicture, textOf, waitForText } from './support/browser.mjs'
import { story } from './support/story.mjs'
import { placeHash, withPage } from './support/with-page.mjs'

const kUsers = 200_000
const kStatus = ['pending', 'paid', 'shipped', 'delivered']

// Writes a table and its items as files that the server loads: a user has a profile and four orders.
async function writeMillion(folder) {
  const attribute = (AttributeName) => ({ AttributeName, AttributeType: 'S' })
  const key = (hash, range) => [{ AttributeName: hash, KeyType: 'HASH' }, { AttributeName: range, KeyType: 'RANGE' }]
  writeFileSync(join(folder, 'big.table.json'), JSON.stringify({
    TableName: 'big', BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map(attribute),
    KeySchema: key('PK', 'SK'),
    GlobalSecondaryIndexes: [{ IndexName: 'GSI1', KeySchema: key('GSI1PK', 'GSI1SK'), Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['status'] } }]
  }))
  const file = createWriteStream(join(folder, 'big.jsonl'))
  for (let user = 0; user < kUsers; ++user) {
    const id = String(user).padStart(6, '0')
    let lines = `${JSON.stringify({ PK: `USER#${id}`, SK: 'PROFILE', name: `User ${user}`, email: `u${user}@example.com` })}\n`
    for (let order = 0; order < 4; ++order) {
      const date = `2026-0${1 + ((user + order) % 9)}-${String(1 + ((user * 7 + order) % 28)).padStart(2, '0')}`
      const status = kStatus[(user + order) % 4]
      lines += `${JSON.stringify({
        PK: `USER#${id}`, SK: `ORDER#${date}#${id}${order}`, amount: ((user * 13 + order) % 1000) / 10, status,
        ...(order === 0 && { GSI1PK: `STATUS#${status}#${user % 1000}`, GSI1SK: date })
      })}\n`
    }
    if (!file.write(lines)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
}

/**
 * Does `act` in the page, and returns the milliseconds until the frame has been drawn for which `isShown` is true.
 * Both are functions of the page's window, with one argument.
 */
function timed(page, act, isShown, argument) {
  return page.evaluate(
    (act_text, shown_text, value) => {
      const acts = new Function(`return (${act_text})`)()
      const shown = new Function(`return (${shown_text})`)()
      return new Promise((resolve, reject) => {
        const began = performance.now()
        const timer = setTimeout(() => reject(new Error(`Not shown: ${value}`)), 60_000)
        // A message arrives after the frame that is being made has been drawn.
        const after = (run) => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = run
          port2.postMessage(0)
        }
        let is_in_frame = false
        let is_over = false
        const frame = () => {
          is_in_frame = true
          after(() => (is_in_frame = false))
          if (!is_over) requestAnimationFrame(frame)
        }
        requestAnimationFrame(frame)
        const observer = new MutationObserver(() => {
          if (!shown(value)) return
          observer.disconnect()
          clearTimeout(timer)
          is_over = true
          const finish = () => after(() => resolve(performance.now() - began))
          if (is_in_frame) finish()
          else requestAnimationFrame(finish)
        })
        observer.observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true, attributes: true })
        acts(value)
      })
    },
    String(act), String(isShown), argument)
}

function printTimes(name, times) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)].toFixed(0)
  console.log(`  ${name}: ${sorted.length} times, median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`)
}

const kFind = [
  (prefix) => {
    const field = document.querySelector('input[type=search]')
    field.value = prefix
    field.dispatchEvent(new Event('input', { bubbles: true }))
  },
  (prefix) => {
    const head = document.querySelector('.board-head')
    return head?.textContent.includes(prefix) && document.querySelector('.board-item')?.textContent.length > 0 && !document.querySelector('.board-head ~ .board-waiting')
  }
]
const kScroll = [
  () => (document.querySelector('.board').scrollTop += 700),
  () => {
    const box = document.querySelector('.board').getBoundingClientRect()
    const line = document.elementFromPoint(box.left + 60, box.top + 300)?.closest('.board-item, .board-head, .board-names')
    return line !== null && line !== undefined
  }
]
const kJump = [
  (at) => {
    const range = document.querySelector('input[type=range]')
    range.value = String(at)
    range.dispatchEvent(new Event('input', { bubbles: true }))
  },
  (at) => {
    const first = parseFloat(document.querySelector('.board-at')?.textContent)
    return first >= at * 100 - 0.01 && first < at * 100 + 0.1 && document.querySelector('.board-item') !== null
  }
]

story('A million items: entities, keys, pages and jumps, with the times of 40 interactions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-million-'))
  try {
    await writeMillion(folder)
    await withPage(
      { prepare: (server) => server.control('POST', 'seed', { path: folder }), hash: placeHash({ table: 'big', view: 'collections' }) },
      async ({ page }) => {
        await waitForText(page, 'of 200,000 collections', '.collections-count')
        await soon(async () => assert.match(await textOf(page, '.entities'), /ORDER#\{date\}#\{[^}]+\}\s+800,000/))
        await soon(async () => assert.match(await textOf(page, '.entities'), /PROFILE\s+200,000/))
        await page.waitForSelector('.board-item')
        await takePicture(page, 'million')
        const all = []
        const measure = async (name, [act, isShown], values) => {
          const times = []
          for (const value of values) times.push(await timed(page, act, isShown, value))
          printTimes(name, times)
          all.push(...times)
        }
        const keys = Array.from({ length: 15 }, (_, i) => `USER#${String((i * 13_331) % kUsers).padStart(6, '0')}`)
        await measure('a key is found', kFind, keys)
        await measure('a prefix is found', kFind, ['USER#1', 'USER#19', 'USER#199', 'USER#'])
        await measure('the board is scrolled', kScroll, Array.from({ length: 11 }, (_, i) => i))
        await page.evaluate(() => document.querySelectorAll('.choice button')[1].click())
        await page.waitForSelector('.board-at')
        await measure('a jump to a fraction of the hashes', kJump, [0.5, 0.25, 0.75, 0.1, 0.9, 0.33, 0.66, 0.05, 0.95, 0.42])
        printTimes('all', all)
        assert.equal(all.length, 40)
        // An entity alone: the first page of 200,000 rows.
        await page.evaluate(() => document.querySelectorAll('.choice button')[0].click())
        await (await page.waitForSelector('.entity ::-p-text(PROFILE)')).click()
        await (await page.waitForSelector('.choice ::-p-text(Table)')).click()
        await waitForText(page, 'User 7', '[role=grid]')
        await soon(async () => assert.equal(await page.$eval('[role=grid]', (grid) => grid.getAttribute('aria-rowcount')), '200001'))
      })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
