// The capacity units that a client has seen in ConsumedCapacity, summed up by table and index, reads and writes apart. The sums are whole
// numbers of half units, so that no rounding hides a difference.

export const halves = (units) => {
  if (!Number.isInteger(units * 2)) throw new Error(`${units} is no number of half units`)
  return units * 2
}

export class ConsumedUnits {
  sums = {}

  /** Adds the units of an answer, which are 'read' or 'written' units unless the answer itself tells. */
  add({ ConsumedCapacity = [] }, direction) {
    for (const table of [ConsumedCapacity].flat()) this.#addTable(table, direction)
  }

  // What a batch consumed for statements that failed is in the total, and in no part of it: it is the table's.
  #addTable(capacity, direction) {
    const { TableName, CapacityUnits, GlobalSecondaryIndexes, LocalSecondaryIndexes } = capacity
    const told = [['read', 'ReadCapacityUnits'], ['written', 'WriteCapacityUnits']].find(([, member]) => member in capacity)
    let ofTable = halves(CapacityUnits)
    for (const [index, part] of Object.entries({ ...GlobalSecondaryIndexes, ...LocalSecondaryIndexes })) {
      this.#count(`${TableName}/${index}`, told?.[0] ?? direction, halves(part.CapacityUnits))
      ofTable -= halves(part.CapacityUnits)
    }
    this.#count(TableName, told?.[0] ?? direction, ofTable)
  }

  #count(resource, direction, count) {
    this.sums[resource] ??= { read: 0, written: 0 }
    this.sums[resource][direction] += count
  }
}
