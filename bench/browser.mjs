// Measures @hashrange/browser in a headless Chromium: the sizes of its modules, the start of a database, calls, and a run of the lab.
//
//   scripts/build wasm && npm --prefix clients/browser ci && node bench/browser.mjs [FOLDER]
//
// FOLDER has hashrange.wasm and lab.wasm (build/wasm); CHROMIUM names the browser (/usr/bin/chromium).

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { launch } from '../clients/browser/tests/support/launch.mjs'
import { openSite } from '../clients/browser/tests/support/site.mjs'

const folder = resolve(process.argv[2] ?? new URL('../build/wasm', import.meta.url).pathname)
const modules = Object.fromEntries(['hashrange.wasm', 'lab.wasm'].map((name) => [name, `${folder}/${name}`]))
const LAB = readFileSync(new URL('../clients/browser/demo/orders.yaml', import.meta.url), 'utf8')

const show = (name, figure, unit) => console.log(`${name.padEnd(52)} ${figure.toFixed(figure < 10 ? 2 : 0).padStart(10)} ${unit}`)

for (const [name, path] of Object.entries(modules)) {
  const bytes = readFileSync(path)
  show(name, bytes.length / 1e6, 'MB')
  show(`${name}, compressed with brotli`, brotliCompressSync(bytes).length / 1e6, 'MB')
}

const site = await openSite(modules)
const browser = await launch()
const page = await browser.newPage()
await page.goto(`${site.url}/built/tests/pages/calls.html`)
await page.waitForFunction(() => document.title === 'ready')

// What follows runs in the page.
const figures = await page.evaluate(async (lab) => {
  const ROUNDS = 5
  const timed = async (work) => {
    const begin = performance.now()
    await work()
    return performance.now() - begin
  }
  const first = await timed(() => openDatabase())
  const next = await timed(() => openDatabase())
  const { db, client } = await open()

  const headers = { 'x-amz-target': 'DynamoDB_20120810.GetItem', 'x-amz-date': '20260101T000000Z', 'content-type': 'application/x-amz-json-1.0',
    authorization: `AWS4-HMAC-SHA256 Credential=${db.id}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0` }
  const input = { TableName: 'app', Key: ada }
  const request = { method: 'POST', headers, body: JSON.stringify(input) }
  const bare = () => db.requestHandler.handle(request)
  const throughSdk = () => client.getItem(input)

  // Calls a second, of `calls` with `together` under way at a time: the best round.
  const rate = async (call, calls, together) => {
    let best = 0
    for (let round = 0; round < ROUNDS; ++round) {
      const one = async () => {
        for (let n = 0; n < calls / together; ++n) await call()
      }
      best = Math.max(best, calls / (await timed(() => Promise.all(Array.from({ length: together }, one)))) * 1000)
    }
    return best
  }
  return [
    ['the first database: fetch, compile and open', first, 'ms'],
    ['another database of the page', next, 'ms'],
    ['GetItem by the request handler, one at a time', await rate(bare, 10_000, 1), '/s'],
    ['the same, 64 at a time', await rate(bare, 64_000, 64), '/s'],
    ['GetItem by the SDK, one at a time', await rate(throughSdk, 2_000, 1), '/s'],
    ['the same, 64 at a time', await rate(throughSdk, 6_400, 64), '/s'],
    ['fork of the account', await timed(() => db.fork()), 'ms'],
    ['a run of the lab: two layouts, 20 s of traffic', await timed(() => runLab(lab, { noConfirm: true })), 'ms'],
    ['the same again', await timed(() => runLab(lab, { noConfirm: true })), 'ms'],
  ]
}, LAB)
for (const figure of figures) show(...figure)
await browser.close()
site.close()
