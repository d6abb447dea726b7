import { DynamoDB, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { measure, pattern } from '@hashrange/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { ada } from '../support/tables.cjs'

const db = new DynamoDB()
const read = (client = db) => client.getItem({ TableName: 'app', Key: ada })
const pause = () => new Promise((over) => setTimeout(over, Math.random() * 5))

let measured
beforeEach(async () => (measured = await measure('named')))

/** Returns how many calls have each name; calls without a name have ''. */
const named = async () => {
  const names = {}
  for (const { name, calls } of (await measured.read()).patterns) names[name] = (names[name] ?? 0) + calls
  return names
}

describe('pattern()', () => {
  test('names the calls within it, and returns their result', async () => {
    await read()
    expect((await pattern('a user', db, () => read())).Item.name).toEqual({ S: 'Ada' })
    expect(await pattern('a user', db, async () => [await read(), await db.send(new GetItemCommand({ TableName: 'app', Key: ada }))])).toHaveLength(2)
    await read()
    expect(await named()).toEqual({ '': 2, 'a user': 3 })
  })

  test('names the calls of each of several works at the same time', async () => {
    const work = async () => {
      for (let i = 0; i < 20; ++i) {
        await pause()
        await read()
      }
    }
    await Promise.all([pattern('one', db, work), work(), pattern('two', db, work), pattern('three', db, work)])
    expect(await named()).toEqual({ '': 20, one: 20, two: 20, three: 20 })
  })

  test('within another one has the inner name', async () => {
    await pattern('outer', db, async () => {
      await pattern('inner', db, () => read())
      await read()
    })
    expect(await named()).toEqual({ inner: 1, outer: 1 })
  })

  test('names the calls of this client only', async () => {
    await pattern('a user', db, () => read(new DynamoDB()))
    expect(await named()).toEqual({ '': 1 })
  })

  test('names the calls of a client that remembers its middleware', async () => {
    const client = new DynamoDB({ cacheMiddleware: true })
    await read(client)
    for (const name of ['one', 'two']) await pattern(name, client, () => read(client))
    await read(client)
    expect(await named()).toEqual({ '': 2, one: 1, two: 1 })
  })

  test('takes any text', async () => {
    await pattern('Käufe №1 ☂', db, () => read())
    expect(await named()).toEqual({ 'Käufe №1 ☂': 1 })
  })

  test('passes on an error', async () => {
    const fail = () => { throw new Error('no') }
    expect(await pattern('a user', db, fail).catch(({ message }) => message)).toBe('no')
    await read()
    expect(await named()).toEqual({ '': 1 })
  })

  test.each([
    [[], 'undefined'],
    [['a user', db], 'undefined'],
    [['a user', {}, read], '{}'],
    [['', db, read], '""'],
    [[7, db, read], '7'],
    [['a user', db, read, 7], '7'],
  ])('refuses %o', async (values, shown) => {
    const refusal = await pattern(...values).catch((error) => error)
    expect(refusal).toBeInstanceOf(TypeError)
    expect(refusal.message).toBe(
      `hashrange: it is pattern('orders of a customer', client, () => ordersOf('ada')), and not with ${shown}.`)
  })
})
