import { expect, it } from 'vitest'
import { isSelect, noteOwnRequest, own_requests, ownIds } from '../../src/state/own-requests'

const kOwner = { account: '000000000000', region: 'us-east-1' }
const kTime = Date.parse('2026-01-31T12:00:00.000Z')

it('keeps reads and writes of items, and those that failed', () => {
  own_requests.value = []
  noteOwnRequest(kOwner, 'DescribeTable', { TableName: 'app' }, kTime, { ok: true, value: {} })
  noteOwnRequest(kOwner, 'Query', { TableName: 'ä' }, kTime, { ok: true, value: { ConsumedCapacity: { CapacityUnits: 2 } } })
  noteOwnRequest(kOwner, 'PutItem', {}, kTime, { ok: false, error: { type: 'ValidationException', message: 'No.', status: 400 } })
  expect(own_requests.value.map(({ operation, bytes, units, error }) => ({ operation, bytes, units, error }))).toEqual([
    { operation: 'PutItem', bytes: 2, units: [], error: 'ValidationException: No.' },
    { operation: 'Query', bytes: 18, units: [{ index: '', read_units: 2, write_units: 0 }], error: undefined }
  ])
})

it('knows its calls in the list of the server by operation, size and time, each once', () => {
  const own = { id: 1, epoch_ms: kTime, answered_epoch_ms: kTime + 5, owner: kOwner, operation: 'Query', input: {}, bytes: 10, units: [] }
  const listed = { time: '2026-01-31T12:00:00.003Z', operation: 'Query', request_bytes: 10, ...kOwner }
  const ids = (...calls: object[]) => [...ownIds(calls.map((call, at) => ({ ...listed, id: at, ...call })), [own])]
  expect(ids({}, {})).toEqual([0])
  expect(ids({ operation: 'Scan' }, { request_bytes: 11 }, { region: 'eu-west-1' }, { time: '2026-01-31T12:00:02.000Z' })).toEqual([])
})

it('tells statements that only read', () => {
  expect(['-- why\n select * from a', 'UPDATE a SET x = 1', '-- select\nDELETE FROM a'].map((Statement) => isSelect({ Statement }))).toEqual([true, false, false])
})
