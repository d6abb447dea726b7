// The SDK's own retries: a program that is throttled continues when the server's clock goes on.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientsOf, control, hasControl } from '../../support/control.js'
import { advance, mapOf, model, SMALL, untilThrottled, useStoppedClock } from '../../support/partitions.js'
import { definition } from '../../support/tables.js'

const TableName = 'retries'
const Item = (n) => ({ PK: 'ORDERS', SK: `ORDER#${n}` })

describe.skipIf(!hasControl)('the retries of the SDK', () => {
  const { account, doc, db } = useStoppedClock()
  /** Returns a client that makes up to 10 attempts, and calls `before` with the number of each attempt. */
  const retrying = (before) => {
    const clients = clientsOf(account, 10)
    let attempt = 0
    const countAttempts = (next) => async (request) => {
      await before(++attempt)
      return next(request)
    }
    // Retries call again what comes after them.
    clients.doc.middlewareStack.addRelativeTo(countAttempts, { relation: 'after', toMiddleware: 'retryMiddleware' })
    return clients.doc
  }
  const saturate = () => untilThrottled((n) => doc.put({ TableName, Item: Item(n) }))
  const stored = async () => (await doc.query({ TableName, KeyConditionExpression: 'PK = :orders', ExpressionAttributeValues: { ':orders': 'ORDERS' },
    Select: 'COUNT' })).Count

  beforeAll(async () => {
    await db.createTable({ ...definition({ key: ['PK:S', 'SK:S'] }), TableName })
    await model(account, 'enforce')
  })
  afterAll(() => control('POST', 'clock', { mode: 'real' }))

  it('succeed as soon as the partition has saved units', async () => {
    expect((await saturate()).served).toBe(5)
    const attempts = []
    const patient = retrying(async (attempt) => {
      attempts.push(attempt)
      if (attempt === 3) await advance('100ms')
    })
    const { $metadata } = await patient.put({ TableName, Item: Item('retried') })
    expect([attempts, $metadata.attempts]).toEqual([[1, 2, 3], 3])
    expect(await stored()).toBe(6)
    expect((await mapOf(account, TableName)).throttles).toEqual([{ reason: 'TableWriteKeyRangeThroughputExceeded', count: 3 }])
  })

  it('give up while the clock stands still', async () => {
    const attempts = []
    const { doc: hasty } = clientsOf(account, 2)
    hasty.middlewareStack.addRelativeTo((next) => (request) => next(request, attempts.push(0)), { relation: 'after', toMiddleware: 'retryMiddleware' })
    const failed = await hasty.put({ TableName, Item: Item('never') }).catch((error) => error)
    expect([failed.name, failed.$metadata.attempts, attempts.length]).toEqual(['ThrottlingException', 2, 2])
    expect(await stored()).toBe(6)
  })

  it('bring all of many writers through, on the clock of the machine', async () => {
    await control('POST', 'clock', { mode: 'real' })
    await model(account, 'enforce', { ...SMALL, write_units: 20 })
    let attempts = 0
    const patient = retrying(() => { ++attempts })
    const writers = Array.from({ length: 30 }, (_, n) => patient.put({ TableName, Item: Item(`writer#${n}`) }))
    const answers = await Promise.all(writers)
    const made = answers.reduce((sum, { $metadata }) => sum + $metadata.attempts, 0)
    expect(made).toBe(attempts)
    expect(attempts).toBeGreaterThan(30) // 10 writes of half a second are served at once
    expect(await stored()).toBe(36)
    const { throttles } = await mapOf(account, TableName)
    expect(throttles).toEqual([{ reason: 'TableWriteKeyRangeThroughputExceeded', count: attempts - 30 }])
  })
})
