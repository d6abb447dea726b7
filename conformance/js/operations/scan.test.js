// Scan: segments that divide a table, counts, and refusals.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, failure, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { N, S } from '../support/values.js'

const { db } = connect()

const items = Array.from({ length: 60 }, (_, n) => ({ pk: S(`p${n % 20}`), sk: N(n), even: N(n % 2) }))
const TableName = useTable(db, definition({ key: ['pk:S', 'sk:N'] }), async (created) => {
  for (let first = 0; first < items.length; first += 25) {
    await db.batchWriteItem({ RequestItems: { [created]: items.slice(first, first + 25).map((Item) => ({ PutRequest: { Item } })) } })
  }
})

const scan = (request) => db.scan({ TableName, ConsistentRead: true, ...request })
const byNumber = (list) => list.toSorted((a, b) => a.sk.N - b.sk.N)

async function everything(request) {
  const found = []
  let ExclusiveStartKey
  do {
    const read = await scan({ ...request, ExclusiveStartKey })
    found.push(...read.Items)
    ExclusiveStartKey = read.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return found
}

describe('a scan', () => {
  it('reads every item once', async () => {
    const { Items, ...counts } = await answer(scan())
    expect(byNumber(Items)).toEqual(items)
    expect(counts).toEqual({ Count: 60, ScannedCount: 60 })
  })

  it('reads the items of one partition key together and in order', async () => {
    const { Items } = await scan()
    const runs = Items.filter((each, n) => n === 0 || Items[n - 1].pk.S !== each.pk.S).map(({ pk }) => pk.S)
    expect(new Set(runs).size).toBe(runs.length)
    for (const partition of runs) {
      expect(Items.filter(({ pk }) => pk.S === partition)).toEqual(items.filter(({ pk }) => pk.S === partition))
    }
  })

  it.each([1, 2, 3, 7, 50])('is shared out by %i segments', async (TotalSegments) => {
    const segments = await Promise.all(Array.from({ length: TotalSegments }, (_, Segment) => everything({ Segment, TotalSegments, Limit: 4 })))
    expect(byNumber(segments.flat())).toEqual(items)
    const partitions = segments.map((each) => [...new Set(each.map(({ pk }) => pk.S))])
    expect(new Set(partitions.flat()).size).toBe(partitions.flat().length)
  })

  it('filters and projects what it read', async () => {
    const { Items, ...counts } = await answer(scan({ FilterExpression: 'even = :one AND sk < :ten', ProjectionExpression: 'sk',
      ExpressionAttributeValues: { ':one': N(1), ':ten': N(10) } }))
    expect(byNumber(Items)).toEqual([1, 3, 5, 7, 9].map((n) => ({ sk: N(n) })))
    expect(counts).toEqual({ Count: 5, ScannedCount: 60 })
  })

  it('counts without items', async () => {
    expect(await answer(scan({ Select: 'COUNT' }))).toEqual({ Count: 60, ScannedCount: 60 })
  })
})

describe('refusals', () => {
  const bound = (path, value, rule) => `1 validation error detected: Value '${value}' at '${path}' failed to satisfy constraint: Member must have value ${rule}`
  it.each([
    ['Segment without TotalSegments', { Segment: 0 },
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present'],
    ['TotalSegments without Segment', { TotalSegments: 2 },
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present'],
    ['a segment past the last', { Segment: 5, TotalSegments: 5 },
      'The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 is not less than TotalSegments: 5'],
    ['no segments', { Segment: 0, TotalSegments: 0 }, bound('totalSegments', 0, 'greater than or equal to 1')],
    ['a negative segment', { Segment: -1, TotalSegments: 2 }, bound('segment', -1, 'greater than or equal to 0')],
    ['Limit 0', { Limit: 0 }, bound('limit', 0, 'greater than or equal to 1')],
    ['a value without an expression', { ExpressionAttributeValues: { ':v': N(1) } },
      'ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null'],
    ['a bad number in a value', { FilterExpression: 'a = :v', ExpressionAttributeValues: { ':v': N('abc') } },
      'ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: abc for key :v'],
    ['SPECIFIC_ATTRIBUTES without a projection', { Select: 'SPECIFIC_ATTRIBUTES' },
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES'],
    ['an unknown index', { IndexName: 'nope', ConsistentRead: false }, 'The table does not have the specified index: nope'],
  ])('%s', async (_, request, message) => {
    expect(await failure(scan(request))).toEqual(validation(message))
  })
})
