// The two files of a pair do this at the same time, in different workers, with the same item.

'use strict'

const { DynamoDB } = require('@aws-sdk/client-dynamodb')
const { connection } = require('@hashrange/testing')
const { meetings } = require('./meet.cjs')
const { ADA, ada } = require('./tables.cjs')

/** Returns {before, after}: the item as this file finds it, and as it is after both files have written. */
async function writeBeside(own, other) {
  const db = new DynamoDB(connection())
  const { open, arrive, meet } = meetings(connection())
  const read = async () => (await db.getItem({ TableName: 'app', Key: ada, ConsistentRead: true })).Item
  const both = async (point) => {
    await arrive(own, point)
    await meet(other, point)
  }
  await open()
  await both('started')
  const before = await read()
  await both('read')
  await db.putItem({ TableName: 'app', Item: { ...ADA, by: { S: own } } })
  await both('written')
  return { before, after: await read() }
}

module.exports = { writeBeside }
