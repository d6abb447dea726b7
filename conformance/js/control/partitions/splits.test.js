// Partitions that are cut, and those that are not. The model decides when: its thresholds and times are parameters.

import { describe, expect, it } from 'vitest'
import { clientsOf, control, hasControl, newAccount } from '../../support/control.js'
import { advance, mapOf, model, present, SOON_CUT, throttlingOf, useStoppedClock, writtenOf } from '../../support/partitions.js'
import { randomNumbers } from '../../support/random_numbers.js'
import { definition } from '../../support/tables.js'

const KEYS = definition({ key: ['PK:S', 'SK:S'] })
const padded = (n) => String(n).padStart(9, '0')
const cuts = ({ partitions }) => partitions.filter(({ cause }) => cause === 'heat')

describe.skipIf(!hasControl)('partitions', () => {
  const { account, db, doc } = useStoppedClock()
  const create = (TableName, more) => db.createTable({ ...KEYS, ...more, TableName })

  /**
   * Writes 20 items each half second, 40 a second in all. `itemOf` returns the item with a number. Returns how many were written in each second.
   */
  async function write(TableName, seconds, itemOf, { documents = doc, first = 0 } = {}) {
    const written = []
    for (let second = 0, n = first; second < seconds; ++second) {
      written.push(0)
      for (let half = 0; half < 2; ++half) {
        written[second] += await writtenOf(documents, TableName, Array.from({ length: 20 }, () => itemOf(n++)))
        await advance('500ms')
      }
    }
    return written
  }
  const inOrders = (sortKey) => (n) => ({ PK: 'ORDERS', SK: sortKey(n) })
  const anywhere = (seed) => {
    const below = randomNumbers(seed)
    return inOrders(() => `ORDER#${padded(below(1e9))}`)
  }

  it('are cut at a sort key when an item collection is hot, and serve 10 units a second more for each cut', async () => {
    await create('hot')
    await model(account, 'enforce', SOON_CUT, { table: 'hot' })
    const written = await write('hot', 120, anywhere(1))
    const map = await mapOf(account, 'hot')
    const [first] = cuts(map)
    const secondOf = (epochMs) => Math.ceil((epochMs - map.began_epoch_ms) / 1000)
    expect(secondOf(first.began_epoch_ms)).toBeGreaterThanOrEqual(20)
    expect(secondOf(first.began_epoch_ms)).toBeLessThan(40)
    expect(written.slice(0, secondOf(first.began_epoch_ms) - 1)).toEqual(Array(secondOf(first.began_epoch_ms) - 1).fill(10))
    // Each cut ends a partition and begins two, which share its range.
    const ended = map.partitions.filter(({ ended_epoch_ms }) => ended_epoch_ms > 0)
    for (const { number, ended_epoch_ms, first_hash, last_hash, first_key, last_key } of ended) {
      const [low, high] = map.partitions.filter(({ parent }) => parent === number)
      expect([low.began_epoch_ms, high.began_epoch_ms]).toEqual([ended_epoch_ms, ended_epoch_ms])
      expect(low).toMatchObject({ first_hash, first_key, last_key: high.first_key })
      expect(high).toMatchObject({ last_hash, last_key, first_key: expect.stringMatching(/^PK=ORDERS, SK=ORDER#\d{9}$/) })
    }
    // All of the demand is served in the end.
    expect(ended.length).toBeGreaterThanOrEqual(3)
    const began = ended.map(({ ended_epoch_ms }) => secondOf(ended_epoch_ms))
    const served = (from, to) => written.slice(from, to).reduce((sum, each) => sum + each, 0) / (to - from)
    expect(served(began[0] + 1, began[1] - 1)).toBeGreaterThan(18)
    expect(served(began[0] + 1, began[1] - 1)).toBeLessThanOrEqual(20)
    expect(served(110, 120)).toBeGreaterThan(35)
    expect(map.partitions.map(({ uncut }) => uncut).join('')).toBe('')
  })

  it('stay cut', async () => {
    const before = present(await mapOf(account, 'hot')).map(({ number, first_key }) => [number, first_key])
    await advance('30d')
    expect(present(await mapOf(account, 'hot')).map(({ number, first_key }) => [number, first_key])).toEqual(before)
    expect((await write('hot', 10, anywhere(2))).slice(1).every((each) => each > 30)).toBe(true)
  })

  it.each([
    ['sort keys rise', 'order', inOrders((n) => `ORDER#${padded(n)}`)],
    ['sort keys fall', 'order', inOrders((n) => `ORDER#${padded(1e8 - n)}`)],
  ])('are not cut while %s', async (text, uncut, itemOf) => {
    const TableName = text.replaceAll(' ', '-')
    await create(TableName)
    await model(account, 'enforce', SOON_CUT, { table: TableName })
    expect(await write(TableName, 120, itemOf)).toEqual(Array(120).fill(10))
    const map = await mapOf(account, TableName)
    expect(cuts(map)).toEqual([])
    expect(map.partitions.map((each) => each.uncut).filter(Boolean)).toEqual([uncut])
  })

  it('are not cut for one item', async () => {
    await create('one-item')
    await model(account, 'enforce', SOON_CUT, { table: 'one-item' })
    const Key = { PK: 'COUNTER', SK: 'TOTAL' }
    for (let n = 0; n < 675; ++n) {
      await throttlingOf(doc.update({ TableName: 'one-item', Key, UpdateExpression: 'ADD #total :one', ExpressionAttributeNames: { '#total': 'total' }, ExpressionAttributeValues: { ':one': 1 } }))
      if (n % 15 === 14) await advance('1s')
    }
    const map = await mapOf(account, 'one-item')
    expect([cuts(map), map.partitions.map((each) => each.uncut).filter(Boolean)]).toEqual([[], ['item']])
  })

  it('are not cut inside an item collection with a local index, nor inside one without a sort key', async () => {
    await create('local', definition({ key: ['PK:S', 'SK:S'], lsi: { byDate: ['PK:S', 'date:S'] } }))
    await create('index', definition({ key: ['PK:S', 'SK:S'], gsi: { byState: ['state:S'] } }))
    await model(account, 'enforce', SOON_CUT, { table: 'local' })
    await model(account, 'enforce', SOON_CUT, { table: 'index' })
    await write('local', 60, anywhere(3))
    await write('index', 60, (n) => ({ PK: `ITEM#${n}`, SK: 'x', state: 'open' }))
    const uncut = ({ partitions }) => partitions.map((each) => each.uncut).filter(Boolean)
    const [local, index] = [await mapOf(account, 'local'), await mapOf(account, 'index', 'byState')]
    expect([cuts(local), uncut(local)]).toEqual([[], ['local index']])
    expect([cuts(index), uncut(index)]).toEqual([[], ['sort key']])
  })

  it('are cut between partition keys', async () => {
    await create('keys')
    await model(account, 'enforce', { ...SOON_CUT, new_table_write_units: 10, new_table_read_units: 10, growth_after: '1h' }, { table: 'keys' })
    const below = randomNumbers(4)
    await write('keys', 60, () => ({ PK: `USER#${below(1e6)}`, SK: 'PROFILE' }))
    const map = await mapOf(account, 'keys')
    expect(map.partitions[0]).toMatchObject({ number: 1, cause: 'beginning' })
    expect(cuts(map).length).toBeGreaterThanOrEqual(2)
    expect(cuts(map).map(({ first_key, last_key }) => first_key + last_key).join('')).toBe('')
  })

  it('are cut for reads', async () => {
    await create('read')
    const below = randomNumbers(5)
    for (let n = 0; n < 200; n += 25) {
      await writtenOf(doc, 'read', Array.from({ length: 25 }, (_, i) => ({ PK: 'ORDERS', SK: `ORDER#${padded(n + i)}` })))
    }
    await model(account, 'watch', SOON_CUT, { table: 'read' })
    for (let second = 0; second < 60; ++second) {
      const Keys = new Set(Array.from({ length: 30 }, () => below(200)))
      await doc.batchGet({ RequestItems: { read: { ConsistentRead: true, Keys: [...Keys].map((n) => ({ PK: 'ORDERS', SK: `ORDER#${padded(n)}` })) } } })
      await advance('1s')
    }
    const map = await mapOf(account, 'read')
    expect(cuts(map).length).toBeGreaterThanOrEqual(2)
    const middle = Number(/^PK=ORDERS, SK=ORDER#(\d{9})$/.exec(cuts(map)[1].first_key)[1])
    expect([middle > 60, middle < 140]).toEqual([true, true])
  })

  it('are the same for the same traffic and seed, and others for another seed', async () => {
    const maps = []
    for (const seed of [7, 7, 8]) {
      const other = newAccount()
      const { db: own, doc: documents } = clientsOf(other)
      await control('POST', 'clock', { frozen: '2026-02-14T12:00:00Z' })
      await own.createTable({ ...KEYS, TableName: 'repeated' })
      await model(other, 'enforce', SOON_CUT, { seed })
      await write('repeated', 60, anywhere(6), { documents })
      maps.push(await mapOf(other, 'repeated'))
      await control('DELETE', 'partitions', { account: other })
      await control('POST', 'reset', { account: other })
    }
    expect(cuts(maps[0]).length).toBeGreaterThanOrEqual(2)
    expect(maps[1]).toEqual(maps[0])
    expect(maps[2]).not.toEqual(maps[0])
  })
})
