// `hashrange mcp` as a process of a client of the Model Context Protocol, in both styles of the protocol.

import { expect } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client as StatelessClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as StatelessTransport } from '@modelcontextprotocol/client/stdio'
import { Client as HandshakeClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as HandshakeTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

// The program that the runner started; empty with --endpoint.
export const program = process.env.CONFORMANCE_SERVER ?? ''
export const endpoint = process.env.CONFORMANCE_ENDPOINT

const identity = { name: 'conformance', version: '1.0.0' }

// Each makes a client that has not connected, and the transport of a process with these arguments.
export const styles = {
  'the handshake of 2025': (parameters) => [new HandshakeClient(identity), new HandshakeTransport(parameters)],
  'the stateless revision of 2026': (parameters) => [
    new StatelessClient(identity, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    new StatelessTransport(parameters),
  ],
}

// Starts `hashrange mcp` with the arguments. Returns the client, a function that calls a tool and returns its result,
// and one that ends the process.
export async function agent(make, ...args) {
  const reports = mkdtempSync(join(tmpdir(), 'agents-'))
  const [client, transport] = make({
    command: program,
    args: ['mcp', '--reports', reports, '--log-level', 'error', ...args],
    stderr: 'inherit',
  })
  await client.connect(transport)
  return {
    client,
    reports,
    tool: (name, given = {}, ...more) => client.callTool({ name, arguments: given }, ...more),
    async end() {
      await client.close()
      rmSync(reports, { recursive: true, force: true })
    },
  }
}

// The result of a tool that answers with text alone.
export const text = (words, isError = false) => expect.objectContaining({ content: [{ type: 'text', text: words }], isError })

export const shop = {
  TableName: 'shop',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['PK', 'SK', 'GSI1PK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
  GlobalSecondaryIndexes: [
    { IndexName: 'GSI1', Projection: { ProjectionType: 'ALL' }, KeySchema: [{ AttributeName: 'GSI1PK', KeyType: 'HASH' }] },
  ],
}
