// Measures hashrange.wasm in this process: its size, the start of a database, and calls without an SDK.
//
//   scripts/build wasm && node bench/module.mjs [FILE]

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

const ROUNDS = 5
const ITEMS = 10_000
const LARGE = 200_000
const DIMENSIONS = 256

const path = resolve(process.argv[2] ?? new URL('../build/wasm/hashrange.wasm', import.meta.url).pathname)
process.env.HASHRANGE_MODULE = path
const { ModuleDatabase } = createRequire(import.meta.url)('../clients/js/lib/module.cjs')

const show = (name, figure, unit) => console.log(`${name.padEnd(60)} ${figure.toFixed(figure < 10 ? 2 : 0).padStart(10)} ${unit}`)

async function timed(work) {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

function measure(name, calls, work) {
  const best = Math.max(...Array.from({ length: ROUNDS }, () => {
    const begin = performance.now()
    for (let n = 0; n < calls; ++n) work()
    return calls / (performance.now() - begin) * 1000
  }))
  show(name, best, '/s')
}

const residentMb = () => process.memoryUsage().rss / 1e6

let database
const atStart = residentMb()
const first = await timed(async () => (database = await ModuleDatabase.open({})))
const next = await timed(() => ModuleDatabase.open({}))
const bytes = readFileSync(path)
show('module', bytes.length / 1e6, 'MB')
show('module, compressed with brotli', brotliCompressSync(bytes).length / 1e6, 'MB')
show('the first database: compile and open', first, 'ms')
show('another database of the process', next, 'ms')
show('resident memory of both', residentMb() - atStart, 'MB')

function call(operation, input) {
  const json = typeof input === 'string' ? input : JSON.stringify(input)
  const { status, body } = database.call(operation, json, { accessKey: '111122223333', region: 'us-east-1' })
  if (status !== 200) throw new Error(Buffer.from(body).toString())
}

const keyOf = (n) => ({ pk: { S: `p${n % 100}` }, sk: { S: `s${n}` } })
const table = { BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }] }
call('CreateTable', { ...table, TableName: 'app' })
const put = (n) => call('PutItem', { TableName: 'app', Item: { ...keyOf(n), text: { S: 'some text' }, number: { N: String(n) } } })
for (let n = 0; n < ITEMS; ++n) put(n)
const get = JSON.stringify({ TableName: 'app', Key: keyOf(107) })
const query = JSON.stringify({ TableName: 'app', KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: 'p7' } }, Limit: 10 })
measure('GetItem', 100_000, () => call('GetItem', get))
measure('Query of 10 items', 30_000, () => call('Query', query))
measure('PutItem', 30_000, () => put(107))

call('CreateTable', { ...table, TableName: 'large' })
const before = residentMb()
const item = (n) => ({ ...keyOf(n), text: { S: 'some text. '.repeat(44) } })
for (let n = 0; n < LARGE; n += 25) {
  call('BatchWriteItem', { RequestItems: { large: Array.from({ length: 25 }, (_, i) => ({ PutRequest: { Item: item(n + i) } })) } })
}
globalThis.gc?.()
show(`resident memory for each of ${LARGE} items of 500 bytes`, (residentMb() - before) * 1e6 / LARGE, 'bytes')

call('CreateTable', { ...table, TableName: 'vectors', VectorIndexes: [{ IndexName: 'near', VectorAttribute: { AttributeName: 'embedding' },
  Dimensions: DIMENSIONS, DistanceFunction: 'COSINE', Projection: { ProjectionType: 'KEYS_ONLY' } }] })
const vector = () => Array.from({ length: DIMENSIONS }, () => ({ N: (Math.random() * 2 - 1).toFixed(6) }))
for (let n = 0; n < ITEMS; ++n) call('PutItem', { TableName: 'vectors', Item: { ...keyOf(n), embedding: { L: vector() } } })
const search = JSON.stringify({ TableName: 'vectors', IndexName: 'near', SearchVector: vector(), TopK: 10 })
measure(`SearchVectors among ${ITEMS} vectors of ${DIMENSIONS}`, 100, () => call('SearchVectors', search))
database.close()
