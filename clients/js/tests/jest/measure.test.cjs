const { DynamoDB } = require('@aws-sdk/client-dynamodb')
const { account, control, measure, pattern } = require('@hashrange/testing')
const { ada } = require('../support/tables.cjs')

const db = new DynamoDB()
const read = () => db.getItem({ TableName: 'app', Key: ada })
const own = async () => (await control('GET', 'measurements')).measurements.filter((each) => each.account === account().id)

describe('a measurement of a file', () => {
  let measured
  beforeAll(async () => (measured = await measure('file')))
  afterAll(async () => {
    const { patterns } = await measured.read()
    expect(patterns.map(({ name, calls }) => [name, calls])).toEqual([['a user', 2]])
  })

  test.each([1, 2])('goes on in test %i, although there is a fork before each', async () => {
    await pattern('a user', db, read)
  })

  test('stays when that of a test ends', async () => {
    await measure('test', { tables: ['app'] })
    expect((await own()).length).toBe(2)
  })

  test('which has ended', async () => {
    expect((await own()).map(({ name }) => name)).toEqual([`${account().id}-file`])
  })
})

test('check() of a measurement says what exceeds the budgets', async () => {
  const measured = await measure('checked')
  await read()
  const budgets = { patterns: { GetItem: { read_units: { max: 0.5 } } }, no_scans: true }
  expect(await measured.check(budgets)).toMatchObject({ passed: true })
  await db.scan({ TableName: 'app' })
  await expect(measured.check(budgets)).rejects.toThrow(/^hashrange: checked exceeds its budgets:\n {2}.*[Ss]can/)
})
