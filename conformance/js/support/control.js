// The control API of a Hashrange server (docs/control-api.md), and clients of an account that the test chooses.

import { randomInt } from 'node:crypto'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams'
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb'
import { endpoint, isAws, region } from './endpoint.js'

/** Makes a call. Returns the answer: `{ status, body }`. */
export async function call(method, path, body) {
  const answer = await fetch(`${endpoint}/_hashrange/${path}`, { method, body: body && JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}

/** Makes a call that must succeed. Returns the body of the answer. */
export async function control(method, path, body) {
  const answer = await call(method, path, body)
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const serves = async () => {
  try {
    return (await call('GET', '')).status === 200
  } catch {
    return false
  }
}

/** Whether the endpoint has a control API: if not, its tests are skipped. */
export const hasControl = !isAws && await serves()

export const newAccount = () => String(randomInt(1e11, 1e12))

/** Returns clients that make so many attempts: with 1, errors are seen at once. */
export function clientsOf(accessKeyId, maxAttempts = 1) {
  const settings = { endpoint, region, credentials: { accessKeyId, secretAccessKey: 'secret' }, maxAttempts, retryMode: 'standard' }
  const db = new DynamoDB(settings)
  return { db, doc: DynamoDBDocument.from(db), streams: new DynamoDBStreams(settings) }
}
