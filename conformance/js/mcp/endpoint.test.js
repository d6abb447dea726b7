// `hashrange mcp --endpoint`: the tools work on the tables of another server. And `--port`: other programs work on
// the tables of the tools.

import { createServer } from 'node:http'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { newAccount, clientsOf } from '../support/control.js'
import { agent, endpoint, program, shop, styles, text } from './agents.js'

const make = styles['the handshake of 2025']

describe.skipIf(!program)('the tools of an endpoint', () => {
  it('work on the tables of a running Hashrange', async () => {
    const account = newAccount()
    const { db } = clientsOf(account)
    await db.createTable(shop)
    await db.putItem({ TableName: 'shop', Item: { PK: { S: 'CUST#1' }, SK: { S: 'PROFILE' } } })
    const { tool, end } = await agent(make, '--endpoint', endpoint, '--account', account)
    expect(await tool('describe_tables', { table: 'shop' })).toEqual(text(
      'shop: key PK (S), SK range (S); on demand; 1 item, 17 B\n' +
      '  global index GSI1: key GSI1PK (S); projection ALL; 0 items, 0 B; on demand\n' +
      'entities (type: partition key / sort key, as templates):\n' +
      '- (no type): CUST#{digits} / PROFILE; 1 item, mean 17 B\n' +
      'item collections:\n' +
      '- table: 1; items of one: mean 1; largest: PK=CUST#1 17 B\n'))
    expect(await tool('explain_request', { operation: 'Scan', input: { TableName: 'shop' } })).toEqual(text(
      'Scan: 0.5 read units, 0 write units\n' +
      '- scan shop, all of it (a Scan: no key serves it): 0.5 read units\n  reads 1 item, 17 B\n' +
      'Computed by running it on a private copy of the tables as they are now; nothing was changed or counted.\n'))
    await tool('snapshot_take', { name: `s${account}` })
    expect(await tool('reset_tables')).toEqual(text('{"tables":1}\n'))
    expect((await db.listTables({})).TableNames).toEqual([])
    expect(await tool('snapshot_restore', { name: `s${account}` })).toEqual(text('{"tables":1}\n'))
    expect((await db.listTables({})).TableNames).toEqual(['shop'])
    await tool('reset_tables')
    await end()
  })

  it('say so where the endpoint is not Hashrange', async () => {
    const answers = []
    const other = createServer((request, response) => {
      answers.push(request.url)
      response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'application/x-amz-json-1.0' })
      response.end('{ "TableNames":\n ["theirs"] }')
    })
    await new Promise((listening) => other.listen(0, '127.0.0.1', listening))
    const url = `http://127.0.0.1:${other.address().port}`
    const { tool, end } = await agent(make, '--endpoint', url)
    expect(await tool('dynamodb_read', { operation: 'ListTables', input: {} })).toEqual(text('{"TableNames":["theirs"]}'))
    for (const name of ['explain_request', 'measurement_start']) {
      const given = name === 'explain_request' ? { operation: 'Scan', input: {} } : { name: 'm' }
      expect(await tool(name, given)).toEqual(text(
        `${url} is not Hashrange, and this needs Hashrange's control API; calls of the DynamoDB API and the lab go on`, true))
    }
    expect(answers).toEqual(['/', '/_hashrange/', '/_hashrange/'])
    await end()
    other.close()
  })

  it('say so where nobody answers', async () => {
    const { tool, end } = await agent(make, '--endpoint', 'http://127.0.0.1:1')
    expect((await tool('dynamodb_read', { operation: 'ListTables', input: {} })).isError).toBe(true)
    expect((await tool('server_status')).content[0].text).toContain('no server at http://127.0.0.1:1: ')
    await end()
  })
})

describe.skipIf(!program)('the tables of the tools', () => {
  it('are served to other programs at a port', async () => {
    const { client, tool, end } = await agent(make, '--port', '0')
    const url = /which programs reach at (http:\S+[0-9])/.exec(client.getInstructions())[1]
    await tool('measurement_start', { name: 'program' })
    const db = new DynamoDB({ endpoint: url, region: 'us-east-1', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } })
    await db.createTable(shop)
    await db.putItem({ TableName: 'shop', Item: { PK: { S: 'CUST#1' }, SK: { S: 'PROFILE' } } })
    const { content: [{ text: report }] } = await tool('measurement_stop', { name: 'program' })
    expect(report).toContain('PutItem shop where PK = CUST#{digits}')
    db.destroy()
    await end()
  })
})
