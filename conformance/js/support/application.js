// One of the five applications: its table, its first items, and their names for expected answers.

import { readFileSync } from 'node:fs'
import { useTable } from './tables.js'

const load = (name) => JSON.parse(readFileSync(new URL(`../../apps/${name}.json`, import.meta.url)))

/**
 * Creates the application's table, and fills it with batches of 25. `at('USER#1 PROFILE', …)` returns its items as first stored, in the
 * order of the names; `key('USER#1 PROFILE', 'GSI1')` returns the paging key of such an item in the table or an index.
 */
export function useApplication(name, { db, doc }) {
  const { table, items } = load(name)
  const TableName = useTable(db, table, (created) => migrate(doc, created, items))
  const item = (address) => {
    const found = items.find(({ PK, SK }) => `${PK} ${SK}` === address)
    if (!found) throw new Error(`apps/${name}.json holds no ${address}`)
    return found
  }
  const indexKeys = (index) => table.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index)?.KeySchema ?? []
  const key = (address, index) => Object.fromEntries(
    ['PK', 'SK', ...indexKeys(index).map(({ AttributeName }) => AttributeName)].map((part) => [part, item(address)[part]]))
  return { TableName, items, key, at: (...addresses) => addresses.map(item) }
}

export async function migrate(doc, TableName, items) {
  for (let first = 0; first < items.length; first += 25) {
    const requests = items.slice(first, first + 25).map((Item) => ({ PutRequest: { Item } }))
    const { UnprocessedItems } = await doc.batchWrite({ RequestItems: { [TableName]: requests } })
    if (Object.keys(UnprocessedItems).length) throw new Error(`unprocessed: ${JSON.stringify(UnprocessedItems)}`)
  }
}
