const { DynamoDB } = require('@aws-sdk/client-dynamodb')
const { connection, faults, fork, snapshot, restore, start } = require('@hashrange/testing')
const setup = require('../support/tables.cjs')

const { ADA, ada } = setup
const db = new DynamoDB({ maxAttempts: 1 }) // the connection comes from the environment only
const read = async () => (await db.getItem({ TableName: 'app', Key: ada, ConsistentRead: true })).Item
const change = (name) => db.putItem({ TableName: 'app', Item: { ...ADA, name: { S: name } } })

describe("with fork: 'test'", () => {
  test.each(['first', 'second'])('the %s test finds the seeded tables', async () => {
    expect(await read()).toEqual(ADA)
    await change('Grace')
  })

  test('a fault does not outlive its test', async () => {
    await faults.add({ match: { operation: 'GetItem' }, do: { status: 503 } })
    expect(await read().catch(({ $metadata }) => $metadata.httpStatusCode)).toBe(503)
  })

  test('nor does it reach the next one', async () => {
    expect(await faults.list()).toEqual([])
    expect(await read()).toEqual(ADA)
  })
})

describe('an account', () => {
  test('is the one that the environment and connection() name', () => {
    expect(connection()).toEqual({ endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB, region: 'us-east-1',
      credentials: { accessKeyId: process.env.AWS_ACCESS_KEY_ID, secretAccessKey: 'hashrange' } })
    expect(connection().credentials.accessKeyId).toMatch(/^1000000\d{4}[1-9]$/)
  })

  test('goes back to a snapshot, and to its seed', async () => {
    await change('Grace')
    await snapshot('with-Grace')
    await change('Alan')
    await restore('with-Grace')
    expect(await read()).toEqual({ ...ADA, name: { S: 'Grace' } })
    await fork()
    expect(await read()).toEqual(ADA)
  })
})

test('a server of its own has a clock of its own', async () => {
  const own = await start({ setup })
  try {
    await own.clock.freeze('2026-01-01T00:00:00Z')
    expect(await own.clock.advance('1h')).toMatchObject({ mode: 'frozen', epoch_ms: Date.UTC(2026, 0, 1, 1) })
    expect((await new DynamoDB(own.connection()).getItem({ TableName: 'app', Key: ada })).Item).toEqual(ADA)
  } finally {
    await own.stop()
  }
})
