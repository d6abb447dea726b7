// A clock that the test controls: things that happen after some time happen when the test moves the clock.

import { afterAll, describe, expect, it } from 'vitest'
import { answer, failure, mismatch } from '../support/answers.js'
import { call, clientsOf, control, hasControl, newAccount } from '../support/control.js'
import { createStreamed, iterator, records } from '../support/streams.js'
import { definition } from '../support/tables.js'

describe.skipIf(!hasControl)('the clock', () => {
  const account = newAccount()
  const { db, doc, streams } = clientsOf(account)
  const table = definition({ key: ['PK:S'] })
  const freeze = (frozen) => control('POST', 'clock', { frozen })
  const advance = (by) => control('POST', 'clock', { advance: by })

  afterAll(async () => {
    await control('POST', 'clock', { mode: 'real' })
    await control('POST', 'reset', { account })
  })

  it('stands where it is put, and dates what is made', async () => {
    const noon = { mode: 'frozen', now: '2026-01-31T12:00:00.000Z', epoch_ms: 1769860800000, scale: 0 }
    expect(await freeze('2026-01-31T12:00:00Z')).toEqual(noon)
    await db.createTable({ ...table, TableName: 'dated' })
    expect((await db.describeTable({ TableName: 'dated' })).Table.CreationDateTime).toEqual(new Date(noon.epoch_ms))
    expect(await control('GET', 'clock')).toEqual(noon)
  })

  it('shows a consumer what expired, as soon as two days are over', async () => {
    await freeze('2026-03-01T00:00:00Z')
    const arn = await createStreamed({ db, streams }, { ...table, TableName: 'sessions' }, 'OLD_IMAGE')
    await db.updateTimeToLive({ TableName: 'sessions', TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' } })
    const at = (instant) => Date.parse(instant) / 1000
    const short = { PK: 'short', expires: at('2026-03-02T00:00:00Z') }
    const long = { PK: 'long', expires: at('2026-04-01T00:00:00Z') }
    for (const Item of [short, long]) await doc.put({ TableName: 'sessions', Item })
    expect(await records(streams, arn, 2)).toHaveLength(2)
    await advance('2d')
    expect(await answer(doc.scan({ TableName: 'sessions' }))).toEqual({ Items: [long], Count: 1, ScannedCount: 1 })
    const found = await records(streams, arn, 1) // the records of the items' creation are older than a day by now
    expect(found.map(({ eventName, userIdentity, dynamodb }) => ({ eventName, userIdentity, ...dynamodb.OldImage }))).toEqual([{
      eventName: 'REMOVE', userIdentity: { PrincipalId: 'dynamodb.amazonaws.com', Type: 'Service' },
      PK: { S: 'short' }, expires: { N: String(short.expires) } }])
    expect(found[0].dynamodb.ApproximateCreationDateTime).toEqual(new Date('2026-03-03T00:00:00Z'))
  })

  it('lets a request token be used again after ten minutes', async () => {
    await freeze('2026-05-01T00:00:00Z')
    await db.createTable({ ...table, TableName: 'tokens' })
    const write = (PK) => doc.transactWrite({ ClientRequestToken: 'token', TransactItems: [{ Put: { TableName: 'tokens', Item: { PK } } }] })
    await write('a')
    const { name } = mismatch('')
    expect((await failure(write('b'))).name).toBe(name)
    await advance('599s')
    expect((await failure(write('b'))).name).toBe(name)
    await advance('1s')
    expect(await answer(write('b'))).toEqual({})
  })

  it('lets an iterator expire after fifteen minutes', async () => {
    await freeze('2026-06-01T00:00:00Z')
    const arn = await createStreamed({ db, streams }, { ...table, TableName: 'read' }, 'KEYS_ONLY')
    const ShardIterator = await iterator(streams, arn, 'TRIM_HORIZON')
    await advance('15m')
    expect((await answer(streams.getRecords({ ShardIterator }))).Records).toEqual([])
    await advance('1ms')
    expect((await failure(streams.getRecords({ ShardIterator }))).name).toBe('ExpiredIteratorException')
  })

  it('runs faster than the machine’s', async () => {
    await freeze('2026-07-01T00:00:00Z')
    expect(await control('POST', 'clock', { scale: 3600 })).toMatchObject({ mode: 'scaled', scale: 3600 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await control('GET', 'clock')).epoch_ms).toBeGreaterThan(Date.parse('2026-07-01T00:02:00Z'))
  })

  it('says what it does not understand', async () => {
    expect(await call('POST', 'clock', { freeze: true })).toEqual({ status: 400, body: { error:
      '"freeze" is no member of the body, which may have "mode", "frozen", "scale" and "advance".' } })
    expect(await call('POST', 'clock', { advance: 'tomorrow' })).toEqual({ status: 400, body: { error:
      '"advance" in the body is not a time with its unit, such as "500ms", "3s", "5m", "2h" or "2d".' } })
  })
})
