import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { account, clock, connection, control, faults, fork, hold, requests, reset, restore, snapshot } from '@hashrange/testing'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADA, ada } from '../support/tables.cjs'

const db = new DynamoDB({ maxAttempts: 1 })
const tables = async () => (await db.listTables()).TableNames
const count = async () => (await db.scan({ TableName: 'app', ConsistentRead: true })).Count

// Vitest calls these functions with the arguments of its hooks.
beforeAll(fork)
beforeEach(fork)
beforeEach(faults.clear)

const RESET = "hashrange: it is reset(), reset('app') or reset({ table: 'app' }), and not with"
const HOLD = "hashrange: it is hold(table, key), hold(table, key, '5s') or hold(table, key, { timeout: '5s' }), and not with"
const LIST = "hashrange: requests.list() or requests.list({ table: 'app', operation: 'Query', region: 'us-east-1', since: 7 })"
const ADD = "hashrange: it is faults.add({ match: { operation: 'PutItem' }, do: { status: 503 } }), with one or more rules, and not with"
const ADVANCE = 'hashrange: it is clock.advance("2d"), with a unit: ms, s, m, h or d, and not with'
const rule = { do: { status: 503 } }

describe('a function refuses', () => {
  test.each([
    [() => reset({ tabel: 'app' }), "hashrange: reset(), reset('app') or reset({ table: 'app' }): there is no option `tabel`, but table."],
    [() => reset({ table: undefined }), `${RESET} undefined.`],
    [() => reset({}), `${RESET} undefined.`],
    [() => reset({ task: 'x' }), "hashrange: reset(), reset('app') or reset({ table: 'app' }): there is no option `task`, but table."],
    [() => reset({ type: 'suite' }), "hashrange: reset(), reset('app') or reset({ table: 'app' }): there is no option `type`, but table."],
    [() => reset(''), `${RESET} "".`],
    [() => reset(undefined), `${RESET} undefined.`],
    [() => reset('app', 'more'), `${RESET} "more".`],
    [() => reset(['app']), `${RESET} ["app"].`],
    [() => fork('app'), 'hashrange: it is fork(), and not with "app".'],
    [() => connection({ region: 'eu-west-1' }), 'hashrange: it is connection(), and not with {"region":"eu-west-1"}.'],
    [() => snapshot({ name: 'a' }), 'hashrange: it is snapshot(name), and not with {"name":"a"}.'],
    [() => restore(), 'hashrange: it is restore(name), and not with undefined.'],
    [() => hold('app', 'USER#ada'), `${HOLD} "USER#ada".`],
    [() => hold({ table: 'app', key: ada }), `${HOLD} undefined.`],
    [() => hold('app', ada, { until: '5s' }), expect.stringMatching(/^hashrange: hold\(table, key\), .*: there is no option `until`, but timeout\.$/)],
    [() => hold('app', ada, { timeout: null }), `${HOLD} null.`],
    [() => hold('app', ada, true), `${HOLD} true.`],
    [() => hold('app', ada, 5000), `${HOLD} 5000.`],
    [() => hold('app', ada, { timeout: 5000 }), `${HOLD} 5000.`],
    [() => hold('app', ada, '5s', '6s'), `${HOLD} "6s".`],
    [() => faults.add(), `${ADD} undefined.`],
    [() => faults.add('GetItem'), `${ADD} "GetItem".`],
    [() => faults.add({ ...rule, match: 'GetItem' }), `${ADD} "GetItem".`],
    [() => faults.add({ ...rule, operation: 'GetItem' }),
      expect.stringMatching(/^hashrange: faults\.add\(.*\), with one or more rules: there is no option `operation`, but name, match, do\.$/)],
    [() => faults.add({ ...rule, match: { account: '111122223333' } }),
      expect.stringMatching(/^hashrange: faults\.add\(\) is about account \d{12}; /)],
    [() => faults.list('app'), 'hashrange: it is faults.list(), and not with "app".'],
    [() => faults.clear(7), 'hashrange: it is faults.clear(), and not with 7.'],
    [() => requests.list('GetItem'), `${LIST.replace('hashrange: ', 'hashrange: it is ')}, and not with "GetItem".`],
    [() => requests.list({ name: 'GetItem' }), `${LIST}: there is no option \`name\`, but table, operation, region, since.`],
    [() => requests.record('10'), 'hashrange: it is requests.record() or requests.record({ limit: 1000 }), and not with "10".'],
    [() => requests.record({ last: 10 }), 'hashrange: requests.record() or requests.record({ limit: 1000 }): there is no option `last`, but limit.'],
    [() => requests.stop(true), 'hashrange: it is requests.stop(), and not with true.'],
    [() => requests.clear('app'), 'hashrange: it is requests.clear(), and not with "app".'],
    [() => clock.advance(), `${ADVANCE} undefined.`],
    [() => clock.advance(5000), `${ADVANCE} 5000.`],
    [() => clock.advance({ time: '2d' }), `${ADVANCE} {"time":"2d"}.`],
    [() => clock.freeze({ at: 0 }),
      'hashrange: it is clock.freeze() or clock.freeze(at), a Date, "2026-01-31T12:00:00Z" or epoch seconds, and not with {"at":0}.'],
    [() => clock.scale('2'), 'hashrange: it is clock.scale(factor), a number, and not with "2".'],
    [() => clock.real('now'), 'hashrange: it is clock.real(), and not with "now".'],
    [() => clock.now(1), 'hashrange: it is clock.now(), and not with 1.'],
    [() => control('throughput', { enforce: true }), 'hashrange: it is control(method, path, body), and not with "throughput".'],
    [() => control('POST', 'reset', 'app'), 'hashrange: it is control(method, path, body), and not with "app".'],
  ])('%s', async (call, message) => {
    const refusal = await (async () => call())().catch((error) => error)
    expect(refusal).toBeInstanceOf(TypeError)
    expect(refusal.message).toEqual(message)
    expect(await tables()).toEqual(['app'])
    expect(await count()).toBe(1)
  })
})

describe('a function takes', () => {
  test("reset('app') as reset({ table: 'app' })", async () => {
    await reset('app')
    expect([await tables(), await count()]).toEqual([['app'], 0])
  })

  // This time is longer than the time by which the file that runs beside this one moves the clock.
  test.each(['9d', { timeout: '9d' }])('hold(table, key, %o)', async (timeout) => {
    const { id } = await hold('app', ada, timeout)
    const { holds } = await control('GET', 'holds')
    expect(holds.find((each) => each.id === id)).toMatchObject({ account: account().id, until: expect.any(String) })
  })

  test.each([[], [undefined], [{}], [{ timeout: undefined }]])('hold(table, key, %o) as for ever', async (...last) => {
    const { id } = await hold('app', ada, ...last)
    const { holds } = await control('GET', 'holds')
    expect(holds.find((each) => each.id === id)).not.toHaveProperty('until')
  })

  test('rules one by one, and in a list', async () => {
    expect((await faults.add(rule, [{ ...rule, name: 'second' }])).map(({ name }) => name)).toEqual([undefined, 'second'])
  })

  test('what requests are listed, without those that are undefined', async () => {
    await requests.record(100_000)
    await db.putItem({ TableName: 'app', Item: ADA })
    const [{ id }] = await requests.list({ table: 'app', operation: undefined, region: 'us-east-1' })
    await db.putItem({ TableName: 'app', Item: ADA })
    expect((await requests.list({ since: id })).length).toBe(1)
    expect(await requests.list({ table: 'other' })).toEqual([])
  })
})
