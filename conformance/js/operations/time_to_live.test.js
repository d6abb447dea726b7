// UpdateTimeToLive, DescribeTimeToLive, and items that have expired.

import { afterAll, describe, expect, it } from 'vitest'
import { connect, isAws } from '../support/endpoint.js'
import { answer, failure, notFound, validation } from '../support/answers.js'
import { createTable, definition, uniqueName, useTable } from '../support/tables.js'
import { N, S } from '../support/values.js'

const { db } = connect()
const specification = (Enabled, AttributeName) => ({ TimeToLiveSpecification: { Enabled, AttributeName } })
const enabled = (AttributeName) => ({ TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName } })
const disabled = { TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } }

describe('the time to live of a table', () => {
  const TableName = useTable(db, definition({ key: ['pk:S'] }))
  const update = (...members) => db.updateTimeToLive({ TableName, ...specification(...members) })
  const described = () => answer(db.describeTimeToLive({ TableName }))

  it('is disabled at first', async () => {
    expect(await described()).toEqual(disabled)
    expect(await failure(update(false, 'ttl'))).toEqual(validation('TimeToLive is already disabled'))
  })

  it('is enabled on one attribute, with the table ACTIVE', async () => {
    expect(await answer(update(true, 'ttl'))).toEqual(specification(true, 'ttl'))
    expect(await described()).toEqual(enabled('ttl'))
    expect((await db.describeTable({ TableName })).Table.TableStatus).toBe('ACTIVE')
  })

  it.each([
    [true, 'ttl', 'TimeToLive is already enabled'],
    [true, 'other', 'TimeToLive is active on a different AttributeName: current AttributeName is ttl'],
    [false, 'other', 'TimeToLive is active on a different AttributeName: current AttributeName is ttl'],
  ])('refuses Enabled %s on %s then', async (Enabled, attribute, message) => {
    expect(await failure(update(Enabled, attribute))).toEqual(validation(message))
  })

  it.skipIf(isAws)('is disabled, and enabled on a key attribute', async () => {
    expect(await answer(update(false, 'ttl'))).toEqual(specification(false, 'ttl'))
    expect(await described()).toEqual(disabled)
    expect(await answer(update(true, 'pk'))).toEqual(specification(true, 'pk'))
    expect(await described()).toEqual(enabled('pk'))
  })
})

describe('UpdateTimeToLive', () => {
  const null_ = (member) => `Value null at 'timeToLiveSpecification.${member}' failed to satisfy constraint: Member must not be null`
  it.each([
    ['without both members', {}, `2 validation errors detected: ${null_('attributeName')}; ${null_('enabled')}`],
    ['without an attribute', { Enabled: true }, `1 validation error detected: ${null_('attributeName')}`],
    ['without Enabled', { AttributeName: 'ttl' }, `1 validation error detected: ${null_('enabled')}`],
    ['with an empty attribute', { Enabled: true, AttributeName: '' },
      "1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1"],
    ['with an attribute of 256 characters', { Enabled: true, AttributeName: 'a'.repeat(256) },
      `1 validation error detected: Value '${'a'.repeat(256)}' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length less than or equal to 255`],
  ])('%s is refused', async (_, TimeToLiveSpecification, message) => {
    expect(await failure(db.updateTimeToLive({ TableName: uniqueName('none'), TimeToLiveSpecification }))).toEqual(validation(message))
  })

  it.each([['describeTimeToLive', {}], ['updateTimeToLive', specification(true, 'ttl')]])('finds no table that does not exist (%s)', async (operation, members) => {
    const TableName = uniqueName('none')
    expect(await failure(db[operation]({ TableName, ...members }))).toEqual(notFound(`Requested resource not found: Table: ${TableName} not found`))
  })
})

// The service needs minutes to days to delete expired items; a local server needs about a second.
describe.skipIf(isAws)('an item whose time has come', () => {
  const TableName = uniqueName('expiring')
  afterAll(() => db.deleteTable({ TableName }))
  const now = () => Date.now() / 1000
  const put = (pk, ttl) => db.putItem({ TableName, Item: { pk: S(pk), g: S('g'), ttl } })
  const keys = async (index) => (await db.scan({ TableName, ...index })).Items.map(({ pk }) => pk.S).sort()
  const untilGone = async (pk) => {
    const deadline = Date.now() + 20_000
    while ((await keys()).includes(pk)) {
      if (Date.now() > deadline) throw new Error(`${pk} is still there`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  it('goes from the table and its indexes, from before and after enabling', async () => {
    await createTable(db, { ...definition({ key: ['pk:S'], gsi: { byG: ['g:S'] } }), TableName })
    const kept = { text: S('1'), future: N(now() + 3600), ancient: N(now() - 6 * 365 * 86400), milliseconds: N(Date.now()) }
    for (const [pk, ttl] of Object.entries(kept)) await put(pk, ttl)
    await put('before', N(Math.floor(now()) - 10))
    expect(await keys()).toContain('before')
    await db.updateTimeToLive({ TableName, ...specification(true, 'ttl') })
    await untilGone('before')
    await put('after', N((now() - 0.5).toFixed(3)))
    await untilGone('after')
    expect(await keys()).toEqual(Object.keys(kept).sort())
    expect(await keys({ IndexName: 'byG' })).toEqual(Object.keys(kept).sort())
  })

  it('is rescued by an update of the attribute', async () => {
    await put('rescued', N(Math.floor(now()) + 1))
    await put('witness', N(Math.floor(now()) + 1))
    await db.updateItem({ TableName, Key: { pk: S('rescued') }, UpdateExpression: 'REMOVE #t', ExpressionAttributeNames: { '#t': 'ttl' } })
    await untilGone('witness')
    expect(await keys()).toContain('rescued')
  })
})
