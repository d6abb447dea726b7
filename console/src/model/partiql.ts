// PartiQL as text in an editor: tokens for the highlighter, completion of tables, indexes, attributes and keywords, and what a
// statement is about. Pure functions.

import { quotePartiqlName } from './code'
import type { Equalities, ValueType } from './request'

export type TokenKind = 'keyword' | 'function' | 'name' | 'string' | 'number' | 'parameter' | 'comment' | 'sign' | 'space' | 'wrong'
export interface Token {
  kind: TokenKind
  text: string
}

const kKeywords = new Set((
  'ALL AND AS ASC BETWEEN BOOL BY DELETE DESC EXISTS FALSE FROM IN INSERT INTO IS MISSING MODIFIED NEW NOT NULL OLD OR ORDER REMOVE '
  + 'RETURNING SELECT SET STRING TRUE UPDATE VALUE WHERE').split(' '))
const kFunctions = ['attribute_exists', 'attribute_not_exists', 'attribute_type', 'begins_with', 'contains', 'size',
  'if_not_exists', 'list_append', 'set_add', 'set_delete']

// Each alternative has its kind; what none of them takes is one wrong character. What is not closed goes to the end of the text.
const kToken = /(?<space>\s+)|(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>'(?:[^']|'')*(?:'|$))|(?<name>"(?:[^"]|"")*(?:"|$))|(?<number>-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<word>[A-Za-z_$][\w$]*)|(?<parameter>\?)|(?<sign><<|>>|<>|!=|<=|>=|[=<>,.*()[\]{}:;+-])|(?<wrong>[\s\S])/gy

/** Returns the tokens of a text; their texts one behind the other are the text. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(kToken)].map((found) => {
    const [kind] = Object.entries(found.groups!).find(([, part]) => part !== undefined)!
    if (kind !== 'word') return { kind: kind as TokenKind, text: found[0] }
    if (kKeywords.has(found[0].toUpperCase())) return { kind: 'keyword', text: found[0] }
    return { kind: kFunctions.includes(found[0].toLowerCase()) ? 'function' : 'name', text: found[0] }
  })
}

function isMeant({ kind }: Token): boolean {
  return kind !== 'space' && kind !== 'comment'
}

function nameOf({ text }: Token): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text
}

function isKeyword(token: Token | undefined, ...words: string[]): boolean {
  return token?.kind === 'keyword' && words.includes(token.text.toUpperCase())
}

// --- What a statement is about ---

export interface StatementSubject {
  /** "SELECT", "INSERT", … in capitals; "" for an empty text. Another word is a mistake. */
  verb: string
  is_write: boolean
  table?: string
  index?: string
  /** What the statement asks equality for, outside of every OR and NOT. */
  equalities: Equalities
}

const kLiteralTypes: Partial<Record<TokenKind, ValueType>> = { string: 'S', number: 'N' }

export function subjectOf(text: string): StatementSubject {
  const tokens = tokensOf(text).filter(isMeant)
  const verb = (tokens[0]?.text ?? '').toUpperCase()
  const at = tokens.findIndex((token) => isKeyword(token, 'FROM', 'INTO', 'UPDATE'))
  const [table, dot, index] = at < 0 ? [] : tokens.slice(at + 1, at + 4)
  const where = tokens.findIndex((token) => isKeyword(token, 'WHERE'))
  const terms = where < 0 ? [] : tokens.slice(where + 1)
  const equalities = new Map<string, { text: string; type: ValueType }>()
  if (!terms.some((token) => isKeyword(token, 'OR', 'NOT'))) {
    terms.forEach((token, place) => {
      const value = terms[place + 2]
      const type = value && kLiteralTypes[value.kind]
      if (token.kind !== 'name' || terms[place - 1]?.text === '.' || terms[place + 1]?.text !== '=' || !type) return
      equalities.set(nameOf(token), { text: type === 'S' ? value.text.slice(1, -1).replaceAll("''", "'") : value.text, type })
    })
  }
  return {
    verb,
    is_write: verb === 'INSERT' || verb === 'UPDATE' || verb === 'DELETE',
    ...(table?.kind === 'name' && { table: nameOf(table) }),
    ...(dot?.text === '.' && index?.kind === 'name' && { index: nameOf(index) }),
    equalities,
  }
}

// --- Completion ---

export interface Known {
  tables: readonly string[]
  /** The indexes of a table. */
  indexes: (table: string) => readonly string[]
  /** The attributes of a table. */
  attributes: (table: string | undefined) => readonly string[]
}

export interface Completion {
  /** What an accepted option replaces: from here to the cursor. */
  from: number
  options: { text: string; kind: 'table' | 'index' | 'attribute' | 'keyword' }[]
}

const kMaxOptions = 8

/** Returns what can stand at the cursor. Without a begun word there are options only behind FROM, INTO, UPDATE and a dot. */
export function completionAt(text: string, cursor: number, known: Known): Completion {
  const last = tokensOf(text.slice(0, cursor)).at(-1)
  if (!last || last.kind === 'comment' || last.kind === 'string') return { from: cursor, options: [] }
  const is_word = ['name', 'keyword', 'function'].includes(last.kind) && !isClosed(last.text)
  const is_quoted = is_word && last.text.startsWith('"')
  const from = is_word ? cursor - last.text.length : cursor
  const word = text.slice(from, cursor).replace(/^"/, '').toLowerCase()
  const meant = tokensOf(text.slice(0, from)).filter(isMeant)
  const [before_table, table, dot] = meant.slice(-3)
  const quoted = (names: readonly string[], kind: 'table' | 'index' | 'attribute') =>
    names.map((name) => ({ text: quotePartiqlName(name), name, kind }))

  let options: { text: string; name: string; kind: Completion['options'][number]['kind'] }[]
  if (isKeyword(meant.at(-1), 'FROM', 'INTO', 'UPDATE')) {
    options = quoted(known.tables, 'table')
  } else if (dot?.text === '.' && isKeyword(before_table, 'FROM') && table) {
    options = quoted(known.indexes(nameOf(table)), 'index')
  } else {
    if (word === '' && !is_quoted) return { from, options: [] }
    const keywords = is_quoted ? [] : [...kKeywords, ...kFunctions].map((keyword) => ({ text: keyword, name: keyword, kind: 'keyword' as const }))
    options = [...quoted(known.attributes(subjectOf(text.slice(0, from) + text.slice(cursor)).table), 'attribute'), ...keywords]
  }
  const isBeginning = ({ name }: { name: string }) => name.toLowerCase().startsWith(word)
  // Of keywords, only those that begin with the word are meant.
  const found = options.filter((option) => option.name !== text.slice(from, cursor)
    && (isBeginning(option) || (option.kind !== 'keyword' && option.name.toLowerCase().includes(word))))
  const sorted = [...found.filter(isBeginning), ...found.filter((option) => !isBeginning(option))]
  return { from, options: sorted.slice(0, kMaxOptions).map(({ text: option, kind }) => ({ text: option, kind })) }
}

/** Returns whether a token is a name in double quotes that has its second one. */
function isClosed(text: string): boolean {
  return /^"(?:[^"]|"")*"$/.test(text)
}

// --- Where a mistake is ---

/** A place in a text: from a character to the one behind the last. */
export interface TextRange {
  from: number
  to: number
}

/**
 * Returns the place that the message of an error names: as "at 1:8:4" (the line, the column and the length, in characters), or as an
 * operator or a function that the statement has once. Undefined where it names none.
 */
export function mistakeOf(text: string, message: string): TextRange | undefined {
  const [, line, column, length] = /\bat (\d+):(\d+):(\d+)$/.exec(message) ?? []
  if (line !== undefined) {
    const lines = text.split('\n')
    const characters = [...(lines[Number(line) - 1] ?? '')]
    const begin = lines.slice(0, Number(line) - 1).reduce((sum, each) => sum + each.length + 1, 0)
    const lengthOf = (count: number) => characters.slice(0, count).join('').length
    const from = begin + lengthOf(Number(column) - 1)
    const to = begin + lengthOf(Number(column) - 1 + Number(length))
    return to > from ? { from, to } : undefined
  }
  const named = /operator or function: ([^,]+)/.exec(message)?.[1]?.toLowerCase()
  let at = 0
  const found: TextRange[] = []
  for (const token of tokensOf(text)) {
    if (token.kind !== 'string' && token.text.toLowerCase() === named) found.push({ from: at, to: at + token.text.length })
    at += token.text.length
  }
  return found.length === 1 ? found[0] : undefined
}

/** Returns where a place begins: "line 1, column 8". */
export function placeText(text: string, { from }: TextRange): string {
  const before = text.slice(0, from).split('\n')
  return `line ${before.length}, column ${[...before.at(-1)!].length + 1}`
}

/** Returns the tokens of a text, those that are in `mark` marked; the ones at its edges are cut. */
export function markedTokens(text: string, mark: TextRange | undefined): (Token & { is_marked: boolean })[] {
  let at = 0
  return tokensOf(text).flatMap((token) => {
    const begin = at
    at += token.text.length
    if (!mark || mark.to <= begin || mark.from >= at) return [{ ...token, is_marked: false }]
    const [from, to] = [Math.max(0, mark.from - begin), mark.to - begin]
    const parts = [token.text.slice(0, from), token.text.slice(from, to), token.text.slice(to)]
    return parts.flatMap((part, i) => (part === '' ? [] : [{ kind: token.kind, text: part, is_marked: i === 1 }]))
  })
}
