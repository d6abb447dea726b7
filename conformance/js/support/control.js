// The control API of a Hashrange server (docs/control-api.md), and clients of an account that the test chooses.

import { randomInt } from 'node:crypto'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams'
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb'
import { endpoint, isAws, region } from './endpoint.js'

/** What a call answers: `{ status, body }`. */
export async function call(method, path, body) {
  const answer = await fetch(`${endpoint}/_hashrange/${path}`, { method, body: body && JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}

/** The body of a call that has to succeed. */
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

/** Whether there is a control API: the tests of it are skipped where there is none. */
export const hasControl = !isAws && await serves()

export const newAccount = () => String(randomInt(1e11, 1e12))

export function clientsOf(accessKeyId) {
  const settings = { endpoint, region, credentials: { accessKeyId, secretAccessKey: 'secret' }, maxAttempts: 1 }
  const db = new DynamoDB(settings)
  return { db, doc: DynamoDBDocument.from(db), streams: new DynamoDBStreams(settings) }
}
