// Items as CSV that a seed reads again (docs/seed-and-dump.md): a column for each attribute, with its type.

import { typeOf, type AttributeValue, type Item } from '../../api/values'

/**
 * Returns the CSV of the items in `lines`, DynamoDB JSON with one item per line; the columns of `first` stand leftmost.
 * A problem is a sentence: CSV has one type for a column, and neither empty strings nor all types within documents.
 */
export function csvOf(lines: string, first: readonly string[]): string | { problem: string } {
  const types = new Map<string, string>(first.map((name) => [name, '']))
  const items: Item[] = []
  for (const line of lines.split('\n')) {
    if (line === '') continue
    const parsed = JSON.parse(line) as Item | { Item: Item }
    const item = isWrapped(parsed) ? parsed.Item : parsed
    for (const [name, value] of Object.entries(item)) {
      const type = typeOf(value)
      const known = types.get(name) || type
      if (known !== type) return { problem: `CSV has one type for a column, and the attribute ${name} has values of the types ${known} and ${type}.` }
      types.set(name, type)
    }
    items.push(item)
  }
  const records = [[...types].map(([name, type]) => `${name}:${type || 'S'}`)]
  for (const item of items) {
    const cells: string[] = []
    for (const name of types.keys()) {
      const cell = Object.hasOwn(item, name) ? cellText(item[name]!) : ''
      if (cell === null || (cell === '' && Object.hasOwn(item, name))) {
        return { problem: `CSV cannot have the value of the attribute ${name} of an item: an empty string, or a set or binary value within a document.` }
      }
      cells.push(cell)
    }
    records.push(cells)
  }
  return records.map((cells) => cells.map(quoted).join(',') + '\n').join('')
}

// A dump has {"Item":{…}} in each line; an attribute "Item" of an item has one of the types as its member.
function isWrapped(parsed: Item | { Item: Item }): parsed is { Item: Item } {
  return Object.keys(parsed).length === 1 && 'Item' in parsed && Object.values(parsed.Item).every((value) => typeof value === 'object')
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

function cellText(value: AttributeValue): string | null {
  if ('S' in value) return value.S
  if ('N' in value) return value.N
  if ('B' in value) return value.B
  if ('BOOL' in value) return String(value.BOOL)
  if ('NULL' in value) return 'null'
  if ('SS' in value) return JSON.stringify(value.SS)
  if ('NS' in value) return `[${value.NS.join(',')}]`
  if ('BS' in value) return JSON.stringify(value.BS)
  return plainJson(value)
}

// Null for what plain JSON does not have. Numbers keep all their digits, so their text is put in as it is.
function plainJson(value: AttributeValue): string | null {
  if ('S' in value) return JSON.stringify(value.S)
  if ('N' in value) return value.N
  if ('BOOL' in value) return String(value.BOOL)
  if ('NULL' in value) return 'null'
  if ('L' in value) {
    const members = value.L.map(plainJson)
    return members.includes(null) ? null : `[${members.join(',')}]`
  }
  if (!('M' in value)) return null
  const members: string[] = []
  for (const [name, each] of Object.entries(value.M)) {
    const text = plainJson(each)
    if (text === null) return null
    members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}
