// The list of requests, with which a test checks its access patterns; and the metrics of the same calls.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpoint } from '../support/endpoint.js'
import { call, clientsOf, control, hasControl, newAccount } from '../support/control.js'
import { createTable, definition } from '../support/tables.js'

describe.skipIf(!hasControl)('the request list', () => {
  const account = newAccount()
  const { db, doc } = clientsOf(account)
  const TableName = 'orders'
  const requests = async (filter = '') => (await control('GET', `requests?account=${account}${filter}`)).requests

  beforeAll(async () => {
    await createTable(db, { ...definition({ key: ['PK:S', 'SK:S'], gsi: { GSI1: ['GSI1PK:S', 'GSI1SK:S'] } }), TableName })
    for (const id of ['1', '2', '3']) {
      await doc.put({ TableName, Item: { PK: 'USER#ada', SK: `ORDER#${id}`, GSI1PK: 'OPEN', GSI1SK: id, total: Number(id) } })
    }
    await control('POST', 'requests', { enabled: true, limit: 1000 })
  })
  beforeEach(() => control('DELETE', `requests?account=${account}`))
  afterAll(async () => {
    await control('POST', 'requests', { enabled: false })
    await control('POST', 'reset', { account })
  })

  it('shows that the orders of a user are one Query and no Scan', async () => {
    await doc.query({
      TableName, KeyConditionExpression: 'PK = :user AND begins_with(SK, :order)',
      ExpressionAttributeValues: { ':user': 'USER#ada', ':order': 'ORDER#' },
    })
    const [query, ...more] = await requests()
    expect(more).toEqual([])
    expect(query).toMatchObject({ operation: 'Query', account, region: 'us-east-1', status: 200 })
    expect(query.accesses).toEqual([{
      table: TableName, kind: 'query', sort_key: 'begins_with', count: 1,
      units: 0.5, table_units: 0.5, examined: 3, returned: 3, written: 0,
    }])
    expect(await requests('&operation=Scan')).toEqual([])
  })

  it('shows what a filter reads in vain, and through which index', async () => {
    await doc.query({
      TableName, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :open', FilterExpression: '#total > :two',
      ExpressionAttributeNames: { '#total': 'total' },
      ExpressionAttributeValues: { ':open': 'OPEN', ':two': 2 },
    })
    expect((await requests())[0].accesses).toEqual([{
      table: TableName, index: 'GSI1', kind: 'query', sort_key: 'none', count: 1,
      units: 0.5, table_units: 0, index_units: { GSI1: 0.5 }, examined: 3, returned: 1, written: 0,
    }])
  })

  it('shows what a write costs in each index, and each member of a transaction', async () => {
    await doc.transactWrite({ TransactItems: [
      { Put: { TableName, Item: { PK: 'USER#ada', SK: 'ORDER#4', GSI1PK: 'OPEN', GSI1SK: '4' } } },
      { ConditionCheck: { TableName, Key: { PK: 'USER#ada', SK: 'ORDER#1' }, ConditionExpression: 'attribute_exists(PK)' } },
    ] })
    expect((await requests())[0].accesses).toEqual([
      { table: TableName, kind: 'write', count: 1, units: 3, table_units: 2, index_units: { GSI1: 1 }, examined: 0, returned: 0, written: 1 },
      { table: TableName, kind: 'condition_check', count: 1, units: 2, table_units: 2, examined: 1, returned: 0, written: 0 },
    ])
  })

  it('names the errors, of requests that reached no item too', async () => {
    await doc.put({ TableName, Item: { PK: 'USER#ada', SK: 'ORDER#1' }, ConditionExpression: 'attribute_not_exists(PK)' }).catch(() => {})
    await doc.get({ TableName, Key: { PK: 'USER#ada' } }).catch(() => {})
    expect((await requests()).map(({ operation, status, error }) => [operation, status, error])).toEqual([
      ['PutItem', 400, 'ConditionalCheckFailedException'], ['GetItem', 400, 'ValidationException'],
    ])
  })

  it('goes on from an id, and is emptied for one account', async () => {
    await doc.get({ TableName, Key: { PK: 'USER#ada', SK: 'ORDER#1' } })
    const [first] = await requests()
    await doc.scan({ TableName })
    expect((await requests(`&since=${first.id}`)).map((each) => each.operation)).toEqual(['Scan'])
    expect(await control('DELETE', `requests?account=${account}`)).toEqual({ requests: 2 })
    expect(await requests()).toEqual([])
  })

  it('refuses what it does not know', async () => {
    expect(await call('GET', 'requests?tables=a')).toEqual({ status: 400, body: { error:
      'The query has an unknown parameter "tables"; it may have "account", "region", "table", "operation" and "since".' } })
    expect((await call('POST', 'requests', { enable: true })).status).toBe(400)
    expect(await call('POST', 'requests', { limit: 0 })).toEqual({ status: 400, body: { error: '"limit" is from 1 to 100000.' } })
  })

  it('counts for Prometheus', async () => {
    const scrape = async () => {
      const answer = await fetch(`${endpoint}/_hashrange/metrics`)
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
      return Object.fromEntries((await answer.text()).split('\n').filter((line) => line && !line.startsWith('#'))
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
    }
    expect(await control('POST', 'metrics', { enabled: true })).toEqual({ enabled: true })
    const before = await scrape()
    await doc.query({ TableName, KeyConditionExpression: 'PK = :user', ExpressionAttributeValues: { ':user': 'USER#ada' } })
    const after = await scrape()
    const increase = (name) => after[name] - (before[name] ?? 0)
    const labels = `account="${account}",region="us-east-1",table="${TableName}"`
    expect(increase('hashrange_requests_total{operation="Query"}')).toBe(1)
    expect(increase('hashrange_request_duration_seconds_count{operation="Query"}')).toBe(1)
    expect(increase(`hashrange_consumed_capacity_units_total{${labels},index="",kind="read"}`)).toBe(0.5)
    expect(increase(`hashrange_items_returned_total{${labels},index=""}`)).toBe(4)
    expect(after[`hashrange_table_items{${labels}}`]).toBe(4)
  })
})
