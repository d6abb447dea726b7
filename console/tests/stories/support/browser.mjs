// A headless Chromium for stories, and what stories do with its pages.

import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'

const kFlags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'
]
const kChromium = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path))
const axe_source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const has_browser = kChromium !== undefined

/** A wait of a story ends after this time with an error. */
export const kWaitMs = 60_000

let browser

/** Returns a context of the one browser of all stories, with storage of its own: the caller closes it. */
export async function openContext() {
  if (!browser?.connected) browser = await puppeteer.launch({ executablePath: kChromium, headless: true, args: kFlags, timeout: kWaitMs })
  return browser.createBrowserContext()
}

export async function closeBrowser() {
  await browser?.close()
}

/**
 * Opens a page. `complaints` collects what the page should not do: errors, messages of the console that
 * are errors, and requests to another host.
 */
export async function openPage(context, url, { width = 1280, height = 800, scheme = 'light' } = {}) {
  const page = await context.newPage()
  page.setDefaultTimeout(kWaitMs)
  await page.setViewport({ width, height })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
  const complaints = []
  const { host } = new URL(url)
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // The browser writes a line for each answer that is an error; stories look at what the page shows instead.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text())
  })
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (asked.protocol.startsWith('http') && asked.host !== host) complaints.push(`A request to ${asked.host}`)
  })
  await page.goto(url)
  await page.waitForSelector('main')
  return { page, complaints }
}

/** Returns axe-core's violations, each as a line; empty when there is none. */
export async function findViolations(page) {
  // The page's policy forbids inline scripts, so axe is run through the debugger, which it does not concern.
  await page.evaluate(axe_source)
  const violations = await page.evaluate(async () => (await window.axe.run()).violations)
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
}

/** Returns the text of the first element that matches, as it is seen. */
export function textOf(page, selector) {
  return page.$eval(selector, (element) => element.innerText)
}

/**
 * Waits until the page shows the text somewhere. Like every condition of `waitForFunction`, this one does not throw where nothing matches:
 * the browser does not try a condition again that threw after its first try, and the story would wait in vain.
 */
export function waitForText(page, text, selector = 'body') {
  return page.waitForFunction((wanted, at) => document.querySelector(at)?.innerText.includes(wanted), {}, text, selector)
}

/**
 * Waits until `check` throws nothing: for what is still arriving after something else is shown.
 * Throws its last error otherwise, which tells what was shown and what was expected.
 */
export async function soon(check) {
  for (const end = Date.now() + kWaitMs; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

/** Drops a file of this machine on an element, as a reader does with the mouse. */
export async function dropFile(page, path, selector) {
  const box = await (await page.waitForSelector(selector)).boundingBox()
  const client = await page.createCDPSession()
  const place = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 300), data: { items: [], files: [path], dragOperationsMask: 1 } }
  for (const type of ['dragEnter', 'dragOver', 'drop']) await client.send('Input.dispatchDragEvent', { type, ...place })
  await client.detach()
}

/** Takes a picture into the folder STORY_PICTURES, if that is set: stories do not compare pictures. */
export async function takePicture(page, name) {
  const folder = process.env.STORY_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
