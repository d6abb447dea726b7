// Runs the stories: each file *.test.mjs of this folder drives the page in a browser.
//
//   node tests/stories/run.mjs [PART OF A NAME]
//
// The last line is "N passed, N failed, N skipped"; without a browser every story is skipped.

import { readdirSync } from 'node:fs'
import { closeBrowser, has_browser } from './support/browser.mjs'
import { countStories, runStories } from './support/story.mjs'

const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.test.mjs')).sort()
for (const file of files) await import(`./${file}`)

let counts = { passed: 0, failed: 0 }
let skipped = 0
if (has_browser) {
  counts = await runStories(process.argv[2])
  await closeBrowser()
} else {
  skipped = countStories()
  console.log('There is no Chromium: scripts/install browser installs it.')
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${skipped} skipped`)
process.exit(counts.failed > 0 ? 1 : 0)
