// Every test file begins with this state: a table `app` with one item.

'use strict'

const { DynamoDB } = require('@aws-sdk/client-dynamodb')

const ADA = { PK: { S: 'USER#ada' }, SK: { S: 'PROFILE' }, name: { S: 'Ada' } }
const ada = { PK: ADA.PK, SK: ADA.SK }

const definition = {
  TableName: 'app',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
}

// The client gets the seed account from the environment only.
module.exports = async function setup() {
  const db = new DynamoDB()
  await db.createTable(definition)
  await db.putItem({ TableName: 'app', Item: ADA })
}

Object.assign(module.exports, { ADA, ada, definition })
