// A call whose pages are several requests: each request continues one that was answered before, whatever came in between.

import { beforeAll, describe, expect, it } from 'vitest'
import { hasControl } from '../../support/control.js'
import { measure, useAccount } from '../../support/measurement.js'
import { createTable, definition } from '../../support/tables.js'

const TableName = 'pages'

describe.skipIf(!hasControl)('the pages of several calls, by turns', () => {
  const { account, db, doc } = useAccount()

  // Makes a Query with a limit of 2 for each partition key, page by page: all first pages, then all second pages, and so on. Each partition
  // has 5 items, which are 3 pages.
  const query = (keys) => async () => {
    let calls = keys.map((PK) => ({ PK }))
    while (calls.length) {
      const next = []
      for (const { PK, ExclusiveStartKey } of calls) {
        const { LastEvaluatedKey } = await doc.query({ TableName, Limit: 2, KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': PK }, ExclusiveStartKey })
        if (LastEvaluatedKey) next.push({ PK, ExclusiveStartKey: LastEvaluatedKey })
      }
      calls = next
    }
  }
  const figuresOf = ({ patterns: [{ calls, requests, pages_a_call, page, call }] }) =>
    ({ calls, requests, pages: pages_a_call.buckets, returnedByPage: page.items_returned.buckets, returnedByCall: call.items_returned.buckets })
  const expected = { calls: 3, requests: 9, pages: [[3, 3]], returnedByPage: [[1, 3], [2, 6]], returnedByCall: [[5, 3]] }

  beforeAll(async () => {
    await createTable(db, { ...definition({ key: ['PK:S', 'SK:N'] }), TableName })
    for (const PK of ['LIST#1', 'LIST#2', 'LIST#3']) {
      for (let SK = 0; SK < 5; ++SK) await doc.put({ TableName, Item: { PK, SK } })
    }
  })

  it('are linked when the calls read different keys', async () => {
    const { measurement } = await measure(account, query(['LIST#1', 'LIST#2', 'LIST#3']))
    expect(figuresOf(measurement)).toEqual(expected)
  })

  it('are linked when the calls read the same key', async () => {
    const { measurement } = await measure(account, query(['LIST#1', 'LIST#1', 'LIST#1']))
    expect(figuresOf(measurement)).toEqual(expected)
  })
})
