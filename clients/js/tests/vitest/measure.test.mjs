import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { account, connection, control, fork, measure } from '@hashrange/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ADA, ada, definition } from '../support/tables.cjs'

const db = new DynamoDB()
const read = (times = 1, client = db) => Promise.all(Array.from({ length: times }, () => client.getItem({ TableName: 'app', Key: ada })))
const scan = () => db.scan({ TableName: 'app' })
const own = async () => (await control('GET', 'measurements')).measurements.filter((each) => each.account === account().id)
const messageOf = (promise) => promise.then(() => 'fulfilled', ({ message }) => message)
// What there is in a measurement of each operation.
const counted = ({ patterns }) => patterns.map(({ operation, calls, units }) => [operation, calls, units])
const unitsOf = (table, read_units) => [{ table, index: '', read_units, write_units: 0 }]

beforeEach(fork)

describe('a measurement', () => {
  test("has the calls to this worker's account since it began", async () => {
    const other = new DynamoDB({ ...connection(), credentials: { accessKeyId: account().seed, secretAccessKey: 'x' } })
    await read(1)
    const measured = await measure('reads')
    await read(2)
    await read(3, other)
    const found = await measured.read()
    expect(found).toMatchObject({ name: 'reads', account: account().id, only_tables: [], is_running: true })
    expect(counted(found)).toEqual([['GetItem', 2, unitsOf('app', 1)]])
    expect(counted(await measured.stop())).toEqual(counted(found))
  })

  test('has only the tables that are named', async () => {
    await db.createTable({ ...definition, TableName: 'more' })
    const measured = await measure('more', { tables: ['more'], window: '10s', separators: '#', type_attribute: 'kind' })
    await read()
    await db.getItem({ TableName: 'more', Key: ada })
    const found = await measured.read()
    expect(counted(found)).toEqual([['GetItem', 1, unitsOf('more', 0.5)]])
    expect(found).toMatchObject({ only_tables: ['more'], settings: { window_ms: 10_000, separators: '#', type_attribute: 'kind' } })
  })

  test('ends with stop()', async () => {
    const measured = await measure('reads')
    expect(await own()).toEqual([expect.objectContaining({ name: `${account().id}-reads` })])
    expect(await measured.stop()).toMatchObject({ name: 'reads', is_running: false })
    expect(await own()).toEqual([])
    expect(await measured.read().catch(({ status }) => status)).toBe(404)
  })

  test('may stay until the end of its test', async () => {
    await measure('reads')
  })

  test('has ended by then', async () => {
    expect(await own()).toEqual([])
    await measure('reads')
  })

  test('has a name of its own in its account', async () => {
    await measure('reads')
    expect(await messageOf(measure('reads'))).toMatch(/^hashrange: POST measurements: /)
  })
})

describe('a measurement of a whole file', () => {
  let measured
  beforeAll(async () => (measured = await measure('file')))
  afterAll(async () => expect(counted(await measured.read())).toEqual([['GetItem', 3, unitsOf('app', 1.5)]]))

  test.each([1, 2])('goes on in test %i, and after a fork', async (times) => {
    await read(times)
    await fork()
  })
})

describe('check()', () => {
  const budgets = { patterns: { GetItem: { read_units: { max: 0.5 } } }, no_scans: true }
  let measured
  beforeEach(async () => (measured = await measure('checked')))

  test('passes what keeps to the budgets', async () => {
    await read(3)
    expect(await measured.check(budgets)).toMatchObject({ passed: true, violations: [] })
  })

  test('throws an Error with a line for each violation', async () => {
    await db.getItem({ TableName: 'app', Key: ada, ConsistentRead: true })
    await scan()
    const problem = await measured.check(budgets).catch((error) => error)
    expect(problem).toBeInstanceOf(Error)
    expect(problem.violations).toHaveLength(2)
    expect(problem.message).toBe(
      ['hashrange: checked exceeds its budgets:', ...problem.violations.map(({ sentence }) => `  ${sentence}`)].join('\n'))
    expect(problem.message).toMatch(/read_units/)
    expect(problem.message).toMatch(/[Ss]can/)
  })

  test('takes names for patterns', async () => {
    await read(2)
    const named = { patterns: { 'a user': { read_units: 0.5 } } }
    expect(await messageOf(measured.check(named))).toMatch(/^hashrange: checked exceeds its budgets:\n.*a user/)
    const names = [{ name: 'a user', operation: 'GetItem', table: 'app', partition_key: 'USER#*' }]
    expect(await messageOf(measured.check(named, { names }))).toBe('fulfilled')
  })

  test('refuses budgets that the server does not know', async () => {
    await read()
    expect(await messageOf(measured.check({ pattern: {} }))).toMatch(/^hashrange: POST measurements\/\d{12}-checked\/check: .*pattern/)
  })
})

describe('report()', () => {
  test.each([
    [undefined, /GetItem/],
    [{ format: 'text' }, /GetItem/],
    [{ format: 'html', options: { rates: { GetItem: 10 } } }, /^<!doctype html>[^]*GetItem/i],
  ])('%o is a text', async (choice, text) => {
    const measured = await measure('reported')
    await read()
    expect(await (choice ? measured.report(choice) : measured.report())).toMatch(text)
  })

  test('is an object in the format json, and may have other measurements', async () => {
    const measured = await measure('reported')
    await read()
    const before = await measured.read()
    await scan()
    const report = await measured.report({ format: 'json', against: [before] })
    expect(report).toEqual(expect.any(Object))
    expect(JSON.stringify(report)).toMatch(/Scan/)
  })
})

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-measure-'))
  const baseline = join(folder, 'baseline.json')
  const budgets = join(folder, 'budgets.json')
  let measured
  beforeEach(async () => {
    measured = await measure('checkout')
    await read(2)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(baseline, { force: true })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('check() reads the budgets', async () => {
    writeFileSync(budgets, '{"no_scans":true}')
    await measured.check(budgets)
    await scan()
    expect(await messageOf(measured.check(budgets))).toMatch(/^hashrange: checkout exceeds its budgets:\n/)
  })

  test('that are missing or wrong are told', async () => {
    expect(await messageOf(measured.check(baseline))).toBe(`hashrange: there is no file ${baseline}.`)
    expect(await messageOf(measured.compare(baseline)))
      .toBe(`hashrange: there is no file ${baseline}. To write it: HASHRANGE_UPDATE_BASELINE=1.`)
    writeFileSync(baseline, 'no')
    expect(await messageOf(measured.compare(baseline))).toMatch(`hashrange: ${baseline} is no JSON: `)
    expect(await messageOf(measured.check('package.json'))).toMatch(/^hashrange: POST measurements/) // a path from the root of the project
  })

  test.each(['option', 'variable'])('compare() writes a baseline with the %s', async (way) => {
    if (way === 'variable') vi.stubEnv('HASHRANGE_UPDATE_BASELINE', '1')
    expect(await measured.compare(baseline, way === 'option' ? { update: true } : {})).toBeUndefined()
    const written = JSON.parse(readFileSync(baseline, 'utf8'))
    expect(written).toMatchObject({ version: 2, name: 'checkout', resources: [{ table: 'app', read_units: 1 }] })
    expect([written, written.resources[0]].flatMap(Object.keys).filter((name) => /time|heat/.test(name))).toEqual([])
    expect(counted(written)).toEqual([['GetItem', 2, unitsOf('app', 1)]])
    vi.unstubAllEnvs()
    expect(await measured.compare(baseline)).toMatchObject({ passed: true, regressions: [] })
    expect(await measured.compare(written)).toMatchObject({ passed: true, regressions: [] })
  })

  test('compare() throws an Error with a line for each regression', async () => {
    await measured.compare(baseline, { update: true })
    await measured.stop()
    await db.putItem({ TableName: 'app', Item: { ...ADA, text: { S: 'x'.repeat(40_000) } } })
    const later = await measure('later')
    await read(2)
    const problem = await later.compare(baseline, { update: false }).catch((error) => error)
    expect(problem.regressions.length).toBeGreaterThan(0)
    expect(problem.message).toBe(
      ['hashrange: later is worse than its baseline:', ...problem.regressions.map(({ sentence }) => `  ${sentence}`)].join('\n'))
  })
})

describe('a measurement refuses', () => {
  const MEASURE = "hashrange: it is measure('checkout') or measure('checkout', { tables: ['app'] }), and not with"
  const CHECK = "hashrange: it is check(budgets), check('budgets.json') or check(budgets, options), and not with"
  const COMPARE = "hashrange: it is compare('baseline.json'), compare(measurement) or compare(baseline, { update: true }), and not with"

  test.each([
    [() => measure(), `${MEASURE} undefined.`],
    [() => measure({ tables: ['app'] }), `${MEASURE} {"tables":["app"]}.`],
    [() => measure('a', 'app'), `${MEASURE} "app".`],
    [() => measure('a b'), expect.stringMatching(/^hashrange: measure\(.*: a name has a-z, .* and is not "a b"\.$/)],
    [() => measure('a', { table: 'app' }), expect.stringMatching(/there is no option `table`, but tables, region, separators, window, type_attribute\.$/)],
    [(own) => own.read('now'), 'hashrange: it is read(), and not with "now".'],
    [(own) => own.stop('now'), 'hashrange: it is stop(), and not with "now".'],
    [(own) => own.report('html'), expect.stringMatching(/^hashrange: it is report\(\), .*, and not with "html"\.$/)],
    [(own) => own.report({ type: 'html' }), expect.stringMatching(/there is no option `type`, but format, options, against\.$/)],
    [(own) => own.check(), `${CHECK} undefined.`],
    [(own) => own.check([]), `${CHECK} [].`],
    [(own) => own.check({}, 'names'), `${CHECK} "names".`],
    [(own) => own.compare(), `${COMPARE} undefined.`],
    [(own) => own.compare('a.json', true), `${COMPARE} true.`],
    [(own) => own.compare('a.json', { update: 1 }), `${COMPARE} 1.`],
  ])('%s', async (call, message) => {
    const measured = await measure('refused')
    const refusal = await (async () => call(measured))().catch((error) => error)
    expect(refusal).toBeInstanceOf(TypeError)
    expect(refusal.message).toEqual(message)
  })
})
