// A database inside the process of a test of Jest, whose globals and modules are not those of Node.js. The tests need
// hashrange.wasm: scripts/build wasm, then HASHRANGE_MODULE names it.

const { DynamoDB } = require('@aws-sdk/client-dynamodb')
const { ControlError, openDatabase } = require('@hashrange/testing/module')
const setup = require('../support/tables.cjs')

const { ADA, ada, definition } = setup
const clientOf = (account) => new DynamoDB({ ...account.connection(), maxAttempts: 1 })

const described = process.env.HASHRANGE_MODULE ? describe : describe.skip

described('a database in this process', () => {
  let db, client
  beforeAll(async () => {
    db = await openDatabase({ setup: async (seed) => {
      const filler = clientOf(seed)
      await filler.createTable(definition)
      await filler.putItem({ TableName: 'app', Item: ADA })
    } })
    client = clientOf(db)
  })
  beforeEach(() => db.fork())
  afterEach(() => jest.useRealTimers())
  afterAll(() => db.close())

  const itemsOf = async () => (await client.scan({ TableName: 'app' })).Items

  test.each(['first', 'second'])('the %s test begins with the items of the seed', async () => {
    expect(await itemsOf()).toEqual([ADA])
    await client.deleteItem({ TableName: 'app', Key: ada })
    expect(await itemsOf()).toEqual([])
  })

  test('a binary value comes back as bytes of this global scope', async () => {
    await client.putItem({ TableName: 'app', Item: { ...ADA, bytes: { B: new Uint8Array([0, 255]) } } })
    const [{ bytes }] = await itemsOf()
    expect(bytes.B).toBeInstanceOf(Uint8Array)
    expect([...bytes.B]).toEqual([0, 255])
  })

  test('errors are those of the SDK and of the control API', async () => {
    const failure = await client.putItem({ TableName: 'app', Item: ADA, ConditionExpression: 'attribute_not_exists(PK)' }).catch((error) => error)
    expect({ name: failure.name, status: failure.$metadata.httpStatusCode }).toEqual({ name: 'ConditionalCheckFailedException', status: 400 })
    const refused = await db.control('POST', 'clock', { frozen: 'soon' }).catch((error) => error)
    expect(refused).toBeInstanceOf(ControlError)
    expect(refused.status).toBe(400)
  })

  test('an item expires while the timers of Jest stand still', async () => {
    await client.updateTimeToLive({ TableName: 'app', TimeToLiveSpecification: { AttributeName: 'ends', Enabled: true } })
    await client.putItem({ TableName: 'app', Item: { ...ADA, SK: { S: 'TOKEN' }, ends: { N: String(Math.floor(Date.now() / 1000) + 60) } } })
    jest.useFakeTimers()
    await db.clock.advance('2m')
    expect(await itemsOf()).toEqual([ADA])
    await db.clock.real()
  })
})
