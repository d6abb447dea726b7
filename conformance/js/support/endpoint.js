// The endpoint of the suites, and clients for it.
//
//   CONFORMANCE_ENDPOINT   the endpoint's URL, set by conformance/run
//   CONFORMANCE_MODULE     hashrange.wasm is tested: 'served', or 'in process', and then nothing listens at the endpoint
//   AWS_REGION             the Region named in requests (us-east-1)

import { randomInt } from 'node:crypto'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams'
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb'

export const endpoint = process.env.CONFORMANCE_ENDPOINT
if (!endpoint) throw new Error('CONFORMANCE_ENDPOINT is not set: start the suites with conformance/run')

export const region = process.env.AWS_REGION ?? 'us-east-1'
export const isModule = process.env.CONFORMANCE_MODULE !== undefined
export const isInProcess = process.env.CONFORMANCE_MODULE === 'in process'
export const isAws = new URL(endpoint).hostname.endsWith('.amazonaws.com')

/**
 * Returns how to connect: on AWS with the credentials of the environment, on other servers as a random account.
 * No test may depend on that account being empty: only some endpoints separate accounts.
 */
export function connection() {
  if (isAws) return { endpoint, region }
  const accessKeyId = String(randomInt(1e11, 1e12))
  return { endpoint, region, credentials: { accessKeyId, secretAccessKey: 'secret' }, ...inProcess }
}

const inProcess = isInProcess ? { requestHandler: await openModule() } : {}

async function openModule() {
  const { openDatabase } = await import('../../../clients/js/module.cjs')
  return (await openDatabase()).requestHandler
}

/** Returns a low-level, a document and a streams client of one account. The clients do not retry, so errors are seen at once. */
export function connect() {
  const settings = { ...connection(), maxAttempts: isAws ? 3 : 1 }
  const db = new DynamoDB(settings)
  // AWS serves streams at another endpoint.
  const streams = new DynamoDBStreams(isAws ? { ...settings, endpoint: undefined } : settings)
  return { db, doc: DynamoDBDocument.from(db), streams }
}
