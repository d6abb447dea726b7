// Measures tests a second, each with a fresh copy of the tables: the database in this process beside a server that this
// process starts. A test is fork(), PutItem, GetItem and Query by the AWS SDK; 1,000 items are in the table at its start.
//
//   scripts/build wasm && scripts/build release && npm --prefix clients/js ci && node bench/isolated-tests.mjs

import { createRequire } from 'node:module'

const ROUNDS = 5
const TESTS = 300
const ITEMS = 1000

const here = (path) => new URL(path, import.meta.url).pathname
process.env.HASHRANGE_MODULE ??= here('../build/wasm/hashrange.wasm')
process.env.HASHRANGE_BINARY ??= here('../build/release/hashrange')
const require = createRequire(here('../clients/js/index.cjs'))
const { BatchWriteItemCommand, CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } = require('@aws-sdk/client-dynamodb')
const { openDatabase } = require('./module.cjs')
const { start } = require('./index.cjs')

const TableName = 'app'
const keyOf = (n) => ({ pk: { S: `p${n % 50}` }, sk: { S: `s${n}` } })

async function setup(seed) {
  const client = new DynamoDBClient(seed.connection())
  const parts = [['pk', 'HASH'], ['sk', 'RANGE']]
  await client.send(new CreateTableCommand({ TableName, BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: parts.map(([AttributeName]) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: parts.map(([AttributeName, KeyType]) => ({ AttributeName, KeyType })) }))
  for (let n = 0; n < ITEMS; n += 25) {
    const puts = Array.from({ length: 25 }, (_, i) => ({ PutRequest: { Item: { ...keyOf(n + i), text: { S: 'x'.repeat(200) } } } }))
    await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: puts } }))
  }
}

async function runTests(db, client) {
  const begin = performance.now()
  for (let n = 0; n < TESTS; ++n) {
    await db.fork()
    const Key = { pk: { S: 'new' }, sk: { S: 'one' } }
    await client.send(new PutItemCommand({ TableName, Item: Key, ConditionExpression: 'attribute_not_exists(pk)' }))
    const { Item } = await client.send(new GetItemCommand({ TableName, Key }))
    const { Count } = await client.send(new QueryCommand({ TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: 'p7' } } }))
    if (!Item || Count !== ITEMS / 50) throw new Error(`a test saw ${JSON.stringify(Item)} and ${Count} items`)
  }
  return TESTS / (performance.now() - begin) * 1000
}

const inProcess = await openDatabase({ setup })
const server = await start({ setup, fork: 'test' })
const sides = [['in process', inProcess], ['a server', server]].map(([name, db]) => ({ name, db, client: new DynamoDBClient(db.connection()), rates: [] }))
for (let round = 0; round <= ROUNDS; ++round) {
  for (const { db, client, rates } of sides) rates.push(await runTests(db, client))
}
for (const { name, rates } of sides) {
  const [median] = rates.slice(1).sort((a, b) => a - b).slice(ROUNDS >> 1)
  console.log(`${name.padEnd(12)} ${median.toFixed(0).padStart(6)} tests/s`)
}
await inProcess.close()
await server.stop()
