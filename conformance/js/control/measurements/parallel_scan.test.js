// A Scan by segments: each segment reads its part of the hashes of keys, and no other.

import { beforeAll, describe, expect, it } from 'vitest'
import { hasControl } from '../../support/control.js'
import { measure, patternsOf, times, useAccount } from '../../support/measurement.js'
import { createTable, definition } from '../../support/tables.js'

const TableName = 'app'
const SEGMENTS = 4

describe.skipIf(!hasControl)('a Scan by four segments', () => {
  const { account, db, doc } = useAccount()
  let measurement

  beforeAll(async () => {
    await createTable(db, { ...definition({ key: ['PK:S'] }), TableName });
    ({ measurement } = await measure(account, () => times(SEGMENTS, (Segment) => doc.scan({ TableName, Segment, TotalSegments: SEGMENTS }))))
  })

  it('takes at least half a unit for each segment', () => {
    expect(patternsOf(measurement)).toEqual([{ text: 'Scan app', calls: 4, read: { table: 2 }, readP99: 0.5, empty: 4 }])
  })

  it('reads each part of the table once', () => {
    const ranges = measurement.resources[0].heat.flatMap(({ first, last, read_units }) =>
      Array.from({ length: last - first + 1 }, (_, at) => ({ range: first + at, read_units })))
    const parts = Array.from({ length: SEGMENTS }, (_, part) => ranges.filter(({ range }) => Math.floor(range / (4096 / SEGMENTS)) === part)
      .reduce((sum, { read_units }) => sum + read_units, 0))
    expect(parts).toEqual([0.5, 0.5, 0.5, 0.5].map((units) => expect.closeTo(units, 6)))
  })
})
