// JSON in which a number is kept as the text that it was written with, so that 38 digits survive: JavaScript's own parser rounds to
// about 16. The reader says where a text is wrong, refuses repeated names, and limits the depth. Pure functions.

/** A number as it was written. */
export class ExactNumber {
  constructor(readonly text: string) {}
}

export type Json = null | boolean | string | ExactNumber | Json[] | { [name: string]: Json }

// A value of DynamoDB is nested 32 levels deep at most, and each level takes two in DynamoDB JSON.
const kMaxDepth = 80
const kNumber = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const kString = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const kBlank = /[ \t\n\r]*/y

/** Returns the value of a JSON text. Throws an Error whose message has the line and the column of the mistake, both from 1. */
export function parseJson(text: string): Json {
  let at = 0

  const fail = (sentence: string, where = at): never => {
    const before = text.slice(0, where).split('\n')
    throw new Error(`${sentence} (line ${before.length}, column ${before[before.length - 1]!.length + 1})`)
  }
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  const takeSign = (sign: string) => {
    take(kBlank)
    if (text[at] !== sign) return false
    at += 1
    return true
  }
  const takeString = (what: string): string => {
    take(kBlank)
    const found = take(kString) ?? fail(text[at] === '"' ? 'This string does not end, or has a character that needs a backslash.' : `${what} is missing here.`)
    return JSON.parse(found) as string
  }
  const takeWord = (word: string) => {
    if (!text.startsWith(word, at)) return false
    at += word.length
    return true
  }

  const takeValue = (depth: number): Json => {
    take(kBlank)
    if (depth > kMaxDepth) fail('This value is nested too deeply.')
    if (takeSign('{')) {
      const members = new Map<string, Json>()
      if (takeSign('}')) return {}
      do {
        take(kBlank)
        const where = at
        const name = takeString('A name in double quotes')
        if (members.has(name)) fail(`The name ${JSON.stringify(name)} is repeated.`, where)
        if (!takeSign(':')) fail('A colon is missing here.')
        members.set(name, takeValue(depth + 1))
      } while (takeSign(','))
      if (!takeSign('}')) fail('A comma or } is missing here.')
      return Object.fromEntries(members)
    }
    if (takeSign('[')) {
      const elements: Json[] = []
      if (takeSign(']')) return elements
      do elements.push(takeValue(depth + 1))
      while (takeSign(','))
      if (!takeSign(']')) fail('A comma or ] is missing here.')
      return elements
    }
    if (text[at] === '"') return takeString('A string')
    if (takeWord('true')) return true
    if (takeWord('false')) return false
    if (takeWord('null')) return null
    const number = take(kNumber)
    return number === undefined ? fail(at < text.length ? 'A value is missing here.' : 'The text ends before its value does.') : new ExactNumber(number)
  }

  const value = takeValue(0)
  take(kBlank)
  if (at < text.length) fail('Something follows the value.')
  return value
}

export function isJsonObject(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
}

/** Returns the JSON text of a value: with line breaks and `indent` blanks a level, or on one line without `indent`. */
export function printJson(value: Json, indent = 0, depth = 0): string {
  if (value instanceof ExactNumber) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Array.isArray(value)
    ? value.map((element) => printJson(element, indent, depth + 1))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${indent ? ' ' : ''}${printJson(member, indent, depth + 1)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (parts.length === 0) return `${open}${close}`
  if (!indent) return `${open}${parts.join(',')}${close}`
  // What is short stays on one line: {"S": "USER#ada"}.
  const line = `${open}${parts.join(', ')}${close}`
  if (line.length <= 72 && !line.includes('\n') && depth > 0) return line
  const blanks = ' '.repeat(indent * (depth + 1))
  return `${open}\n${parts.map((part) => blanks + part).join(',\n')}\n${' '.repeat(indent * depth)}${close}`
}
