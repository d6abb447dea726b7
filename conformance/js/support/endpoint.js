// Where the suites speak to, and clients for it.
//
//   CONFORMANCE_ENDPOINT   the endpoint's URL, set by conformance/run
//   AWS_REGION             the Region named in requests (us-east-1)

import { randomInt } from 'node:crypto'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb'

export const endpoint = process.env.CONFORMANCE_ENDPOINT
if (!endpoint) throw new Error('CONFORMANCE_ENDPOINT is not set: start the suites with conformance/run')

export const region = process.env.AWS_REGION ?? 'us-east-1'
export const isAws = new URL(endpoint).hostname.endsWith('.amazonaws.com')

/**
 * How to connect: on AWS with the credentials of the environment, elsewhere as a random account of its own.
 * Nothing may depend on that account being empty: only some endpoints keep accounts apart.
 */
export function connection() {
  if (isAws) return { endpoint, region }
  const accessKeyId = String(randomInt(1e11, 1e12))
  return { endpoint, region, credentials: { accessKeyId, secretAccessKey: 'secret' } }
}

/** A low-level client and a document client of one account. An error is seen at once: nothing is retried. */
export function connect() {
  const db = new DynamoDB({ ...connection(), maxAttempts: isAws ? 3 : 1 })
  return { db, doc: DynamoDBDocument.from(db) }
}
