// Tables that exist while their test file runs.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'

export const uniqueName = (stem = 'table') => `conformance-${stem}-${randomUUID().slice(0, 13)}`

/** Creates a table before the file's tests, and deletes it after them. Returns its name at once. */
export function useTable(db, definition, fill = async () => {}) {
  const TableName = uniqueName()
  beforeAll(async () => {
    await createTable(db, { ...definition, TableName })
    await fill(TableName)
  })
  afterAll(() => db.deleteTable({ TableName }))
  return TableName
}

export async function createTable(db, definition) {
  const { TableDescription } = await db.createTable(definition)
  await untilActive(db, definition.TableName)
  return TableDescription
}

/** Waits until the table and its indexes are ACTIVE. Returns the table's description. */
export async function untilActive(db, TableName, timeoutMs = 120_000) {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const { Table } = await db.describeTable({ TableName })
    const indexes = [...(Table.GlobalSecondaryIndexes ?? []), ...(Table.VectorIndexes ?? [])]
    const states = [Table.TableStatus, ...indexes.map((index) => index.IndexStatus)]
    if (states.every((state) => state === 'ACTIVE')) return Table
    if (Date.now() > deadline) throw new Error(`${TableName} is still ${states}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/**
 * Returns a CreateTable input without a table name, from keys written as `name:type`:
 *
 *   definition({ key: ['PK:S', 'SK:S'], gsi: { GSI1: ['GSI1PK:S', 'GSI1SK:S'] }, lsi: { byAge: ['PK:S', 'age:N'] } })
 *
 * `projections` gives an index another Projection than ALL.
 */
export function definition({ key, gsi = {}, lsi = {}, projections = {} }) {
  const types = new Map([key, ...Object.values(gsi), ...Object.values(lsi)].flat().map((part) => part.split(':')))
  const index = ([IndexName, parts]) =>
    ({ IndexName, KeySchema: keySchema(parts), Projection: projections[IndexName] ?? { ProjectionType: 'ALL' } })
  const list = (indexes) => (Object.keys(indexes).length ? Object.entries(indexes).map(index) : undefined)
  return {
    AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    KeySchema: keySchema(key),
    GlobalSecondaryIndexes: list(gsi),
    LocalSecondaryIndexes: list(lsi),
    BillingMode: 'PAY_PER_REQUEST',
  }
}

const keySchema = (parts) =>
  parts.map((part, i) => ({ AttributeName: part.split(':')[0], KeyType: i === 0 ? 'HASH' : 'RANGE' }))

/** The table of a single-table design: generic keys, two overloaded sparse indexes, and the inverse of the table's key. */
export const singleTable = definition({
  key: ['PK:S', 'SK:S'],
  gsi: { GSI1: ['GSI1PK:S', 'GSI1SK:S'], GSI2: ['GSI2PK:S', 'GSI2SK:S'], inverse: ['SK:S', 'PK:S'] },
})
