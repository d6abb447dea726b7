// Units → US$ for a million calls. The figures are those of kBuiltInPrices in src/measure/cost/price_list.cc. Pure functions.

/** What prices are of, in the words of the page. */
export const kPriceBasis = 'on demand, us-east-1 prices'

interface Prices {
  read_unit: number
  write_unit: number
}

// US$ for a million units.
const kStandard: Prices = { read_unit: 0.125, write_unit: 0.625 }
const kInfrequentAccess: Prices = { read_unit: 0.155, write_unit: 0.78 }

/** The units that one place took: the table itself ("") or an index. */
export interface UnitRow {
  index: string
  read_units: number
  write_units: number
}

interface Capacity {
  CapacityUnits?: number
  ReadCapacityUnits?: number
  WriteCapacityUnits?: number
}

/** ConsumedCapacity of an answer. */
export interface ConsumedCapacity extends Capacity {
  TableName?: string
  Table?: Capacity
  GlobalSecondaryIndexes?: Record<string, Capacity>
  LocalSecondaryIndexes?: Record<string, Capacity>
}

/** Returns a row for the table and one for each index that took units. `kind` says what units are that are only called units. */
export function unitRows(consumed: ConsumedCapacity, kind: 'read' | 'write'): UnitRow[] {
  const row = (index: string, capacity: Capacity): UnitRow => {
    const is_split = capacity.ReadCapacityUnits !== undefined || capacity.WriteCapacityUnits !== undefined
    const units = capacity.CapacityUnits ?? 0
    return {
      index,
      read_units: is_split ? capacity.ReadCapacityUnits ?? 0 : kind === 'read' ? units : 0,
      write_units: is_split ? capacity.WriteCapacityUnits ?? 0 : kind === 'write' ? units : 0,
    }
  }
  const indexes = { ...consumed.GlobalSecondaryIndexes, ...consumed.LocalSecondaryIndexes }
  const rows = [row('', consumed.Table ?? consumed), ...Object.entries(indexes).map(([index, capacity]) => row(index, capacity))]
  return rows.filter(({ read_units, write_units }) => read_units + write_units > 0)
}

/** Returns the rows of several answers as one: sums by place, in the order in which places come. */
export function addRows(a: readonly UnitRow[], b: readonly UnitRow[]): UnitRow[] {
  const sums = new Map<string, UnitRow>()
  for (const row of [...a, ...b]) {
    const sum = sums.get(row.index)
    sums.set(row.index, sum ? { index: row.index, read_units: sum.read_units + row.read_units, write_units: sum.write_units + row.write_units } : row)
  }
  return [...sums.values()]
}

/** What a read takes when it is read to its end, in pages as large as the service makes them. */
export interface Whole {
  pages: number
  read_units: number
  write_units: number
  /** Whether the figures are measured, inferred from the first page, or of the first page only. */
  told_by: 'all' | 'estimate' | 'first page'
}

/**
 * Returns what a read takes, as its first page without a limit tells. `items`: how many items the whole read examines; undefined where
 * that is not known. The last page of an estimate rounds up, too.
 */
export function wholeOf(page: { read_units: number; write_units: number; examined: number; has_more: boolean }, items: number | undefined): Whole {
  const { read_units, write_units, examined } = page
  if (!page.has_more) return { pages: 1, read_units, write_units, told_by: 'all' }
  if (items === undefined || items <= examined || examined === 0) return { pages: 1, read_units, write_units, told_by: 'first page' }
  const pages = items / examined
  const full = Math.floor(pages)
  return {
    pages: Math.ceil(pages), write_units, told_by: 'estimate',
    read_units: full * read_units + Math.ceil((pages - full) * read_units * 2) / 2,
  }
}

/** Returns the US$ of a million calls that each take these units. */
export function usdPerMillion(rows: readonly { read_units: number; write_units: number }[], has_infrequent_access: boolean): number {
  const prices = has_infrequent_access ? kInfrequentAccess : kStandard
  return rows.reduce((sum, row) => sum + row.read_units * prices.read_unit + row.write_units * prices.write_unit, 0)
}

/** Returns a price as a text: "$0.0625", "$1.25", "$1,250". */
export function usdText(usd: number): string {
  if (usd === 0) return '$0'
  if (usd < 0.1) return `$${usd.toLocaleString('en-US', { maximumSignificantDigits: 3 })}`
  const digits = usd >= 1000 ? 0 : 2
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: usd < 1 ? 4 : digits })}`
}

/** Returns units with their noun: "0.5 units", "1 unit". */
export function unitsPhrase(units: number, kind = ''): string {
  return `${unitsText(units)}${kind && ` ${kind}`} unit${units === 1 ? '' : 's'}`
}

/** Returns units as a text: "0.5", "1", "12.5", "1,024". */
export function unitsText(units: number): string {
  return units.toLocaleString('en-US', { maximumFractionDigits: 2 })
}
