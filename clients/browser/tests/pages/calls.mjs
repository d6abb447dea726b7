// What the tests call in a page: the package, clients of the AWS SDK, and a table `app` with an item.

import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams'
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb'
import * as hashrange from '@hashrange/browser'

const ADA = { PK: { S: 'USER#ada' }, SK: { S: 'PROFILE' }, name: { S: 'Ada' } }
const ada = { PK: ADA.PK, SK: ADA.SK }
const definition = {
  TableName: 'app', BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
}

const settings = (own) => ({ ...own.connection(), maxAttempts: 1 })

async function setup(seed) {
  const client = new DynamoDB(settings(seed))
  await client.createTable(definition)
  await client.putItem({ TableName: 'app', Item: ADA })
}

/** Opens a database in which the table has the item. Returns it, and clients. */
async function open(options = {}) {
  const db = await hashrange.openDatabase({ setup, ...options })
  return { db, client: new DynamoDB(settings(db)), streams: new DynamoDBStreams(settings(db)), documents: DynamoDBDocument.from(new DynamoDB(settings(db))) }
}

/** Resolves to what is plain of an error; to 'no error' if there is none. */
const failureOf = (work) => work.then(() => 'no error', ({ name, message, code, status, CancellationReasons, violations }) =>
  JSON.parse(JSON.stringify({ name, message, code, status, CancellationReasons, violations })))

Object.assign(globalThis, { ...hashrange, DynamoDB, ADA, ada, definition, settings, open, failureOf })
document.title = 'ready'
