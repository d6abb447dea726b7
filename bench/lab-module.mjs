// Measures lab.wasm: its size, the start of a call, and runs of an example beside the program on one thread.
//
//   scripts/build wasm && scripts/build release && node bench/lab-module.mjs [EXAMPLE…]

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

const here = (path) => new URL(path, import.meta.url).pathname
process.env.HASHRANGE_LAB ??= here('../build/wasm/lab.wasm')
const program = resolve(process.env.HASHRANGE_BINARY ?? here('../build/release/hashrange'))
const { labStarter, runLab } = createRequire(import.meta.url)('../clients/js/lab.cjs')

const show = (name, figure, unit) => console.log(`${name.padEnd(52)} ${figure.toFixed(figure < 10 ? 2 : 0).padStart(8)} ${unit}`)

async function timed(work) {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

const bytes = readFileSync(process.env.HASHRANGE_LAB)
show('module', bytes.length / 1e6, 'MB')
show('module, compressed with brotli', brotliCompressSync(bytes).length / 1e6, 'MB')
show('the first call: compile, thread, open', await timed(labStarter), 'ms')
show('another call that does nothing', await timed(labStarter), 'ms')
for (const example of process.argv.length > 2 ? process.argv.slice(2) : ['shop']) {
  const file = here(`../lab/examples/${example}.yaml`)
  const text = readFileSync(file)
  show(`${example}, the module`, await timed(() => runLab(text, { noConfirm: true })) / 1000, 's')
  show(`${example}, the program on one thread`, await timed(() => execFileSync(program, ['lab', 'run', file, '--no-confirm', '--threads', '1'])) / 1000, 's')
}
