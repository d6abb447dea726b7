// The tools of `hashrange mcp`, called by the clients of the protocol's own SDKs over stdin and stdout.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agent, program, shop, styles, text } from './agents.js'

const order = (number) => ({
  PK: { S: `CUST#${number % 2}` }, SK: { S: `ORDER#${number}` }, GSI1PK: { S: 'OPEN' }, type: { S: 'Order' },
})
const computed = 'Computed by running it on a private copy of the tables as they are now; nothing was changed or counted.\n'

describe.skipIf(!program).each(Object.entries(styles))('an agent, by %s,', (_, make) => {
  let it_
  beforeAll(async () => {
    it_ = await agent(make)
  })
  afterAll(() => it_.end())
  const tool = (...given) => it_.tool(...given)

  it('knows the server and its tools', async () => {
    expect(it_.client.getServerVersion()).toMatchObject({ name: 'hashrange', title: 'Hashrange' })
    expect(it_.client.getInstructions()).toContain('a Hashrange database in this process, which no program shares.')
    const { tools } = await it_.client.listTools()
    expect(tools.map(({ name, annotations: { readOnlyHint } }) => [name, readOnlyHint])).toEqual([
      ['dynamodb_read', true], ['dynamodb_call', false], ['explain_request', true], ['describe_tables', true],
      ['lab_import', true], ['lab_start', true], ['lab_validate', true], ['lab_propose', true], ['lab_explain', true], ['lab_run', true],
      ['measurement_start', false], ['measurement_read', true], ['measurement_stop', false],
      ['server_status', true], ['seed_tables', false], ['snapshot_take', false], ['snapshot_restore', false], ['reset_tables', false],
    ])
  })

  it('reads what the language of lab files is', async () => {
    const { resources } = await it_.client.listResources()
    expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['hashrange://lab/reference', 'text/markdown'], ['hashrange://lab/schema', 'application/schema+json'],
    ])
    const [reference, schema] = await Promise.all(resources.map(({ uri }) => it_.client.readResource({ uri })))
    expect(reference.contents[0].text).toEqual(readFileSync(new URL('../../../docs/lab-reference.md', import.meta.url), 'utf8'))
    expect(JSON.parse(schema.contents[0].text).properties).toHaveProperty('access_patterns')
    await expect(it_.client.readResource({ uri: 'hashrange://lab/none' })).rejects.toThrow('there is no resource "hashrange://lab/none"')
  })

  it('makes tables and items, and sees the units', async () => {
    const made = await tool('dynamodb_call', { operation: 'CreateTable', input: shop })
    expect(made.isError).toBe(false)
    for (let number = 1; number <= 4; ++number) {
      expect(await tool('dynamodb_call', { operation: 'PutItem', input: { TableName: 'shop', Item: order(number) } }))
        .toEqual(text('2 write units (shop: table 1, GSI1 1)\n{}'))
    }
    expect(await tool('describe_tables', { table: 'shop' })).toEqual(text(
      'shop: key PK (S), SK range (S); on demand; 4 items, 144 B\n' +
      '  global index GSI1: key GSI1PK (S); projection ALL; 4 items, 144 B; on demand\n' +
      'entities (type: partition key / sort key, as templates):\n' +
      '- Order: CUST#{digits} / ORDER#{digits}; 4 items, mean 36 B\n' +
      '    GSI1: OPEN; 4 entries, 144 B\n' +
      'item collections:\n' +
      '- table: 2; items of one: mean 2; largest: PK=CUST#0 72 B, PK=CUST#1 72 B\n' +
      '- GSI1: 1; items of one: mean 4; largest: GSI1PK=OPEN 144 B\n'))
  })

  it('is told what a request would take, and the request is not made', async () => {
    const input = { TableName: 'shop', Key: { PK: { S: 'CUST#1' }, SK: { S: 'ORDER#1' } } }
    const explained = await tool('explain_request', { operation: 'DeleteItem', input })
    expect(explained).toEqual(text(
      'DeleteItem: 0 read units, 2 write units\n' +
      '- delete shop: 2 write units\n' +
      '  removes an item of 36 B; GSI1: entry removed, 1 unit\n' +
      '  PK=CUST#1, SK=ORDER#1\n' + computed))
    expect(explained.structuredContent).toEqual({
      operation: 'DeleteItem', status: 200, read_units: 0, write_units: 2, answer_bytes: 2,
      accesses: [{
        kind: 'delete', table: 'shop', key: 'PK=CUST#1, SK=ORDER#1', units: 2, index_units: { GSI1: 1 },
        bytes_before: 36, bytes_after: 0,
        indexes: [{ index: 'GSI1', entry: 'removed', units: 1, bytes_before: 36, bytes_after: 0 }],
      }],
    })
    expect(await tool('dynamodb_read', { operation: 'GetItem', input }))
      .toEqual(text(`0.5 read units (shop: table 0.5)\n${JSON.stringify({ Item: sorted(order(1)) })}`))
  })

  it('reads an error as one', async () => {
    expect(await tool('dynamodb_read', { operation: 'GetItem', input: { TableName: 'none', Key: { PK: { S: '1' } } } }))
      .toEqual(text('ResourceNotFoundException: Requested resource not found', true))
    expect(await tool('dynamodb_read', { operation: 'DeleteTable', input: { TableName: 'shop' } })).toEqual(text(
      'DeleteTable is no operation that only reads, such as GetItem, Query or DescribeTable; dynamodb_call, unless the server is read-only, makes any call', true))
    await expect(tool('no_tool')).rejects.toMatchObject({ code: -32602 })
  })

  it('finds layouts for a lab file, which can then be run', async () => {
    const started = await tool('lab_start')
    const lab = started.content[0].text.replace(/JSON Schema of lab files: .*\n/, '')
    const found = await tool('lab_propose', { lab, max_indexes: 2, headroom: 5, tables: '1..3' })
    expect(found.isError).toBe(false)
    const { proposal } = found.structuredContent
    expect(proposal).toMatchObject({ is_best_within_space: true, was_stopped: false })
    expect(proposal.layouts[0]).toMatchObject({ name: 'cheapest', month_usd: expect.any(Number), yaml: expect.stringMatching(/^ {2}cheapest:\n/) })
    expect(proposal.layouts[0].why.length).toBeGreaterThan(0)
    const path = /lab file with these layouts: (.*)\n/.exec(found.content[0].text)[1]
    expect(path.startsWith(it_.reports)).toBe(true)
    expect(await tool('lab_validate', { path })).toMatchObject({ isError: false })
  })

  it('runs the layouts of a lab file, with progress, and can cancel', async () => {
    const started = await tool('lab_start')
    const lab = started.content[0].text.replace(/JSON Schema of lab files: .*\n/, '')
    const seen = []
    const run = await tool('lab_run', { lab }, ...options(make, { onprogress: ({ progress, total }) => seen.push([progress, total]) }))
    expect(run.isError).toBe(false)
    expect(run.structuredContent).toMatchObject({ was_stopped: false, verdict: expect.stringMatching(/^Take "/) })
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).toEqual([...seen].sort(([a], [b]) => a - b))
    const page = /page: (.*)\n/.exec(run.content[0].text)[1]
    expect(page.startsWith(it_.reports)).toBe(true)
    expect(readFileSync(page, 'utf8')).toMatch(/^<!DOCTYPE html>/i)
    const cancelling = new AbortController()
    const cancelled = tool('lab_run', { lab, thin: 1 }, ...options(make, { signal: cancelling.signal }))
    cancelling.abort()
    await expect(cancelled).rejects.toThrow()
    expect(await tool('lab_validate', { lab: 'entities: 7' })).toMatchObject({ isError: true })
  })
})

// The client of the handshake takes the form of the result before the options.
const options = (make, given) => (make === styles['the handshake of 2025'] ? [undefined, given] : [given])
const sorted = (item) => {
  const { PK, SK, ...others } = item
  return { PK, SK, ...Object.fromEntries(Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1))) }
}

describe.skipIf(!program)('an agent that may only read', () => {
  it('is not offered what changes anything', async () => {
    const reader = await agent(styles['the stateless revision of 2026'], '--read-only')
    const { tools } = await reader.client.listTools()
    expect(tools.filter(({ annotations }) => !annotations.readOnlyHint)).toEqual([])
    await expect(reader.tool('reset_tables')).rejects.toMatchObject({ code: -32602 })
    await reader.end()
  })
})
