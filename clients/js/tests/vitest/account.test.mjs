import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { ControlError, account, connection, control, fork, reset, restore, snapshot } from '@hashrange/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { ADA, ada, definition } from '../support/tables.cjs'

const db = new DynamoDB() // the connection comes from the environment only
const read = async (client = db) => (await client.getItem({ TableName: 'app', Key: ada, ConsistentRead: true })).Item
const change = (name) => db.putItem({ TableName: 'app', Item: { ...ADA, name: { S: name } } })
const tables = async (client = db) => (await client.listTables()).TableNames

describe('an account', () => {
  beforeEach(fork)

  test('is the one that the environment and connection() name', async () => {
    expect(connection()).toEqual({ endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB, region: 'us-east-1',
      credentials: { accessKeyId: process.env.AWS_ACCESS_KEY_ID, secretAccessKey: 'hashrange' } })
    expect(connection().credentials.accessKeyId).toMatch(/^1000000\d{4}[1-9]$/)
    await change('Grace')
    expect(await read(new DynamoDB(connection()))).toEqual({ ...ADA, name: { S: 'Grace' } })
  })

  test.each(['first', 'second'])('is as seeded in the %s test that changes it', async () => {
    expect(await read()).toEqual(ADA)
    await db.createTable({ ...definition, TableName: 'more' })
    await change('Grace')
  })

  test('is empty after reset()', async () => {
    await reset()
    expect(await tables()).toEqual([])
  })

  test('keeps its tables and loses the items of one with reset({ table })', async () => {
    await reset({ table: 'app' })
    expect(await tables()).toEqual(['app'])
    expect(await read()).toBeUndefined()
  })

  test('goes back to a snapshot, as often as asked', async () => {
    await change('Grace')
    await snapshot('with-Grace')
    for (const name of ['Alan', 'Edsger']) {
      await change(name)
      await restore('with-Grace')
      expect(await read()).toEqual({ ...ADA, name: { S: 'Grace' } })
    }
  })

  test('never changes the seed account', async () => {
    await change('Grace')
    const seed = new DynamoDB({ ...connection(), credentials: { accessKeyId: account().seed, secretAccessKey: 'x' } })
    expect(await read(seed)).toEqual(ADA)
  })
})

describe('control()', () => {
  test('answers what the server does', async () => {
    expect(await control('GET', '')).toMatchObject({ pid: expect.any(Number), version: expect.any(String) })
  })

  test('throws the sentence of a refusal', async () => {
    const refusal = await control('POST', 'clock', { fast: true }).catch((error) => error)
    expect(refusal).toBeInstanceOf(ControlError)
    expect(refusal).toMatchObject({ status: 400, message: expect.stringMatching(/^hashrange: POST clock: .*fast/) })
  })
})
