// Kinesis streaming destinations: at any endpoint without Kinesis a destination fails; a server of its own with
// --kinesis-dir writes the records.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DynamoDB, waitUntilKinesisStreamingDestinationActive } from '@aws-sdk/client-dynamodb'
import { connect, isAws, isModule } from '../support/endpoint.js'
import { answer, failure, notFound, validation } from '../support/answers.js'
import { createTable, definition, uniqueName, useTable } from '../support/tables.js'
import { S } from '../support/values.js'

// The program that the runner started; empty with --endpoint, and with --module, which writes no files.
const program = isModule ? '' : process.env.CONFORMANCE_SERVER ?? ''
const StreamArn = 'arn:aws:kinesis:us-east-1:111122223333:stream/orders'
const inState = (detail) => validation(`Table is not in a valid state to enable Kinesis Streaming Destination: ${detail}`)
const mustBeActive = inState('KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.')
const mustBeDisabled = inState('EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.')

describe.skipIf(isAws)('without a Kinesis stream', () => {
  const { db } = connect()
  const TableName = useTable(db, definition({ key: ['pk:S'] }))
  const described = () => answer(db.describeKinesisStreamingDestination({ TableName }))

  it('a table has no destination at first', async () => {
    expect(await described()).toEqual({ TableName, KinesisDataStreamDestinations: [] })
    expect(await failure(db.disableKinesisStreamingDestination({ TableName, StreamArn }))).toEqual(mustBeActive)
  })

  it('a destination is ENABLING and then ENABLE_FAILED', async () => {
    expect(await answer(db.enableKinesisStreamingDestination({ TableName, StreamArn })))
      .toEqual({ TableName, StreamArn, DestinationStatus: 'ENABLING' })
    expect(await described()).toEqual({ TableName, KinesisDataStreamDestinations: [{
      StreamArn,
      DestinationStatus: 'ENABLE_FAILED',
      DestinationStatusDescription: 'User does not have a permission to use kinesis stream',
      ApproximateCreationDateTimePrecision: 'MILLISECOND',
    }] })
  })

  it('a table that does not exist has none', async () => {
    const missing = uniqueName('none')
    expect(await failure(db.describeKinesisStreamingDestination({ TableName: missing })))
      .toEqual(notFound(`Requested resource not found: Table: ${missing} not found`))
  })
})

// Starts a server that writes records below the folder. Returns its endpoint and a function that ends it.
async function serve(folder) {
  const server = spawn(program, ['serve', '--port', '0', '--ready-fd', '3', '--kinesis-dir', folder],
    { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] })
  const ended = new Promise((resolve) => server.on('exit', resolve))
  let ready = ''
  for await (const part of server.stdio[3]) ready += part
  return { endpoint: JSON.parse(ready).endpoint, end: () => (server.kill('SIGTERM'), ended) }
}

describe.skipIf(!program)('a server with a folder for records', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kinesis-'))
  const TableName = 'app'
  let server, db
  beforeAll(async () => {
    server = await serve(folder)
    const credentials = { accessKeyId: '111122223333', secretAccessKey: 'secret' }
    db = new DynamoDB({ endpoint: server.endpoint, region: 'us-east-1', credentials, maxAttempts: 1 })
    await createTable(db, { TableName, ...definition({ key: ['pk:S'] }) })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('writes records with both images, and all of them when it is stopped', async () => {
    const EnableKinesisStreamingConfiguration = { ApproximateCreationDateTimePrecision: 'MICROSECOND' }
    expect(await answer(db.enableKinesisStreamingDestination({ TableName, StreamArn, EnableKinesisStreamingConfiguration })))
      .toEqual({ TableName, StreamArn, DestinationStatus: 'ENABLING', EnableKinesisStreamingConfiguration })
    await waitUntilKinesisStreamingDestinationActive({ client: db, maxWaitTime: 20, minDelay: 1, maxDelay: 1 }, { TableName })
    expect(await failure(db.enableKinesisStreamingDestination({ TableName, StreamArn }))).toEqual(mustBeDisabled)

    await db.putItem({ TableName, Item: { pk: S('a') } })
    await db.putItem({ TableName, Item: { pk: S('a'), text: S('b') } })
    await db.deleteItem({ TableName, Key: { pk: S('a') } })
    expect(await answer(db.disableKinesisStreamingDestination({ TableName, StreamArn })))
      .toEqual({ TableName, StreamArn, DestinationStatus: 'DISABLING' })
    await db.putItem({ TableName, Item: { pk: S('later') } })
    expect(await server.end()).toBe(0)

    const record = (eventName, images, SizeBytes) => ({
      awsRegion: 'us-east-1',
      eventID: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      eventName,
      userIdentity: null,
      recordFormat: 'application/json',
      tableName: TableName,
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        ApproximateCreationDateTimePrecision: 'MICROSECOND',
        Keys: { pk: S('a') },
        ...images,
        SizeBytes,
      },
      eventSource: 'aws:dynamodb',
    })
    const short = { pk: S('a') }, long = { pk: S('a'), text: S('b') }
    const lines = readFileSync(join(folder, 'us-east-1_111122223333_orders.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      record('INSERT', { NewImage: short }, 6),
      record('MODIFY', { NewImage: long, OldImage: short }, 14),
      record('REMOVE', { OldImage: long }, 11),
    ])
  })
})
