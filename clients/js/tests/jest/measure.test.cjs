const { DynamoDB } = require('@aws-sdk/client-dynamodb')
const { account, control, measure, pattern } = require('@hashrange/testing')
const { ada } = require('../support/tables.cjs')

const db = new DynamoDB()
const read = () => db.getItem({ TableName: 'app', Key: ada })
const own = async () => (await control('GET', 'measurements')).measurements.filter((each) => each.account === account().id)

// Hooks outside of all blocks: what beforeAll() has started is still there in each afterAll().
let measured
beforeAll(async () => (measured = await measure('file')))
for (const name of ['first', 'second']) {
  afterAll(async () => {
    const { patterns } = await measured.read()
    expect([name, ...patterns.map(({ name, operation, calls }) => [name, operation, calls])]).toEqual(
      [name, ['a user', 'GetItem', 2], ['', 'GetItem', 1], ['', 'Scan', 1]])
  })
}

test.each([1, 2])('a measurement of a file goes on in test %i, although there is a fork before each', async () => {
  await pattern('a user', db, read)
})

test('a measurement of a test', async () => {
  await measure('test', { tables: ['app'] })
  expect((await own()).length).toBe(2)
})

test('ends with it', async () => {
  expect((await own()).map(({ name }) => name)).toEqual([`${account().id}-file`])
})

test('check() of a measurement says what exceeds the budgets', async () => {
  const checked = await measure('checked')
  await read()
  const budgets = { patterns: { GetItem: { read_units: { max: 0.5 } } }, no_scans: true }
  expect(await checked.check(budgets)).toMatchObject({ passed: true })
  await db.scan({ TableName: 'app' })
  await expect(checked.check(budgets)).rejects.toThrow(/^hashrange: checked exceeds its budgets:\n {2}.*[Ss]can/)
})
