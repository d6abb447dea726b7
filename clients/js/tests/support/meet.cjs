// Lets test files that run at the same time wait for each other, with an account that neither of them tests.

'use strict'

const { DynamoDB } = require('@aws-sdk/client-dynamodb')

const LIMIT_MS = 600_000 // the other file may wait until a long one has ended, on a slow machine
const PAUSE_MS = 20
const TableName = 'meetings'

const credentials = { accessKeyId: '555555555555', secretAccessKey: 'x' }
const definition = { TableName, BillingMode: 'PAY_PER_REQUEST', KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }] }

/** `arrive('one', 'written')` says that file one has reached that point; `meet('two', 'written')` waits until file two has. */
function meetings(connection) {
  const db = new DynamoDB({ ...connection, credentials })
  const key = (who, point) => ({ PK: { S: `${who} ${point}` } })
  const isThere = async (who, point) => 'Item' in (await db.getItem({ TableName, Key: key(who, point), ConsistentRead: true }))
  return {
    open: () => db.createTable(definition).catch(({ name }) => {
      if (name !== 'ResourceInUseException') throw new Error(name)
    }),
    arrive: (who, point) => db.putItem({ TableName, Item: key(who, point) }),
    meet: async (who, point) => {
      const deadline = Date.now() + LIMIT_MS
      while (!(await isThere(who, point))) {
        if (Date.now() > deadline) throw new Error(`${who} has not ${point} within ${LIMIT_MS / 1000} s`)
        await new Promise((over) => setTimeout(over, PAUSE_MS))
      }
    },
  }
}

module.exports = { meetings }
