// AttributeValues in three forms, and the ways between them. A number is a text everywhere: 38 digits do not fit into JavaScript's
// numbers. Pure functions.
//
//   DynamoDB JSON  {"PK":{"S":"USER#ada"},"age":{"N":"36"}}   what the API takes and gives
//   plain JSON     {"PK":"USER#ada","age":36}                 sets are lists, binary is Base64; types come from the item as it was
//   tree           nodes with ids, texts and children         what the editor changes; a node may be wrong for a while
//
// Names come from data: "__proto__" is one. Objects are made and read as api/values.ts says.

import { attributeOf, typeOf, type AttributeType, type AttributeValue, type Item } from '../api/values'
import { parseDecimal } from './decimal'
import { ExactNumber, isJsonObject, parseJson, printJson, type Json } from './exact-json'

export const kTypes: readonly AttributeType[] = ['S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M']
export const kTypeNames: Record<AttributeType, string> = {
  S: 'string', N: 'number', B: 'binary', BOOL: 'boolean', NULL: 'null', SS: 'string set', NS: 'number set', BS: 'binary set', L: 'list', M: 'map',
}
// Attributes and values are nested 32 levels deep at most (docs/service/02-types-and-sizes.md).
const kMaxDepth = 32

/** Returns the content of a value: a text, a list, … */
export function contentOf(value: AttributeValue): unknown {
  return Object.values(value)[0]
}

// --- Numbers and binary ---

/** Returns what is wrong with the text of a number, or undefined. */
export function numberProblem(text: string): string | undefined {
  const number = parseDecimal(text)
  if (!number) return 'This is not a number.'
  if (number.digits.length > 38) return `A number has at most 38 digits, this one has ${number.digits.length}.`
  if (number.digits !== '' && number.exponent > 125) return 'This number is too large: the limit is 9.9…e125.'
  if (number.digits !== '' && number.exponent < -130) return 'This number is too small: the limit is 1e-130.'
  return undefined
}

/** Returns the number as DynamoDB prints it: plain, without zeros that say nothing. A text that is no number is returned as it is. */
export function canonicalNumber(text: string): string {
  const number = parseDecimal(text)
  if (!number || numberProblem(text)) return text
  const { is_negative, digits, exponent } = number
  if (digits === '') return '0'
  const sign = is_negative ? '-' : ''
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const fraction = digits.slice(exponent + 1)
  return sign + whole + (fraction && `.${fraction}`)
}

/** Returns what is wrong with a Base64 text, or undefined. */
export function base64Problem(text: string): string | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return 'This is not Base64.'
  return btoa(atob(text)) === text ? undefined : 'The last character of this Base64 text stands for no whole byte.'
}

// --- Equality and order ---

function canonicalElements(elements: string[], type: AttributeType): string[] {
  return elements.map((element) => (type === 'NS' ? canonicalNumber(element) : element)).sort()
}

/** Returns whether two values are the same to DynamoDB: numbers by value, sets without order. */
export function areEqual(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  if (!a || !b) return a === b
  const type = typeOf(a)
  if (type !== typeOf(b)) return false
  const [left, right] = [contentOf(a), contentOf(b)]
  if (type === 'N') return canonicalNumber(left as string) === canonicalNumber(right as string)
  if (type === 'M') return areItemsEqual(left as Item, right as Item)
  if (!Array.isArray(left) || !Array.isArray(right)) return left === right
  if (left.length !== right.length) return false
  if (type === 'L') return left.every((element, at) => areEqual(element as AttributeValue, right[at] as AttributeValue))
  const [one, other] = [canonicalElements(left as string[], type), canonicalElements(right as string[], type)]
  return one.every((element, at) => element === other[at])
}

export function areItemsEqual(a: Item, b: Item): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => areEqual(attributeOf(a, name), attributeOf(b, name)))
}

// --- Plain JSON ---

export function toPlain(value: AttributeValue): Json {
  const content = contentOf(value)
  switch (typeOf(value)) {
    case 'N': return new ExactNumber(content as string)
    case 'NULL': return null
    case 'NS': return (content as string[]).map((element) => new ExactNumber(element))
    case 'L': return (content as AttributeValue[]).map(toPlain)
    case 'M': return itemToPlain(content as Item)
    default: return content as Json
  }
}

export function itemToPlain(item: Item): Json {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toPlain(value)]))
}

/** Throws an Error whose message says where in the item the mistake is. */
function refuse(place: string, sentence: string): never {
  throw new Error(place ? `${place}: ${sentence}` : sentence)
}

function checkDepth(place: string, depth: number) {
  if (depth > kMaxDepth) refuse(place, 'A value is nested at most 32 levels deep.')
}

/**
 * Returns the AttributeValue of plain JSON. `like` is the value that stood there before: it decides where plain JSON has one form
 * for several types (a list or a set, a string or binary). Throws an Error that names the place.
 */
export function fromPlain(json: Json, like?: AttributeValue, place = '', depth = 1): AttributeValue {
  checkDepth(place, depth)
  const old = like && typeOf(like)
  if (json === null) return { NULL: true }
  if (typeof json === 'boolean') return { BOOL: json }
  if (typeof json === 'string') return old === 'B' && base64Problem(json) === undefined ? { B: json } : { S: json }
  if (json instanceof ExactNumber) {
    const problem = numberProblem(json.text)
    return problem ? refuse(place, problem) : { N: json.text }
  }
  if (!Array.isArray(json)) return { M: itemFromPlain(json, like && 'M' in like ? like.M : {}, place, depth + 1) }
  const strings = json.filter((element): element is string => typeof element === 'string')
  const is_set = json.length > 0 && new Set(strings).size === strings.length
  if (is_set && old === 'SS' && strings.length === json.length) return { SS: strings }
  if (is_set && old === 'BS' && strings.length === json.length && strings.every((text) => !base64Problem(text))) return { BS: strings }
  if (old === 'NS' && json.length > 0 && json.every((element): element is ExactNumber => element instanceof ExactNumber)) {
    const numbers = json.map((element) => element.text)
    const has_problem = numbers.some((text) => numberProblem(text) !== undefined)
    if (!has_problem && new Set(numbers.map(canonicalNumber)).size === numbers.length) return { NS: numbers }
  }
  const before = like && 'L' in like ? like.L : []
  return { L: json.map((element, at) => fromPlain(element, before[at], `${place}[${at}]`, depth + 1)) }
}

export function itemFromPlain(json: Json, like: Item = {}, place = '', depth = 1): Item {
  if (!isJsonObject(json)) return refuse(place, 'An item is a JSON object.')
  return Object.fromEntries(Object.entries(json).map(([name, value]) =>
    [name, fromPlain(value, attributeOf(like, name), place ? `${place}.${name}` : name, depth)]))
}

// --- DynamoDB JSON ---

/** Returns the value that DynamoDB JSON stands for. Throws an Error that names the place of a mistake. */
export function fromDynamoJson(json: Json, place = '', depth = 1): AttributeValue {
  checkDepth(place, depth)
  if (!isJsonObject(json) || Object.keys(json).length !== 1) return refuse(place, 'A value is an object of one member, such as {"S": "text"}.')
  const [type, content] = Object.entries(json)[0]!
  const inner = `${place}.${type}`
  const text = (value: Json, problemOf: (text: string) => string | undefined): string => {
    // {"N": 36} is what people write, and it is as exact as {"N": "36"} here.
    const found = value instanceof ExactNumber && type.startsWith('N') ? value.text : value
    if (typeof found !== 'string') return refuse(inner, 'A string is missing here.')
    const problem = problemOf(found)
    return problem ? refuse(inner, problem) : found
  }
  const elements = (problemOf: (text: string) => string | undefined, same: (text: string) => string): string[] => {
    if (!Array.isArray(content) || content.length === 0) return refuse(inner, 'A set is a list with at least one element.')
    const found = content.map((element) => text(element, problemOf))
    return new Set(found.map(same)).size === found.length ? found : refuse(inner, 'A set has no element twice.')
  }
  const anything = () => undefined
  const itself = (element: string) => element
  switch (type) {
    case 'S': return { S: text(content!, anything) }
    case 'N': return { N: text(content!, numberProblem) }
    case 'B': return { B: text(content!, base64Problem) }
    case 'BOOL': return typeof content === 'boolean' ? { BOOL: content } : refuse(inner, 'true or false is missing here.')
    case 'NULL': return content === true ? { NULL: true } : refuse(inner, 'NULL is always true.')
    case 'SS': return { SS: elements(anything, itself) }
    case 'NS': return { NS: elements(numberProblem, canonicalNumber) }
    case 'BS': return { BS: elements(base64Problem, itself) }
    case 'L': return Array.isArray(content)
      ? { L: content.map((element, at) => fromDynamoJson(element, `${inner}[${at}]`, depth + 1)) }
      : refuse(inner, 'A list is missing here.')
    case 'M': return { M: itemFromDynamoJson(content!, inner, depth + 1) }
    default: return refuse(place, `The type ${JSON.stringify(type)} is not one of ${kTypes.join(', ')}.`)
  }
}

export function itemFromDynamoJson(json: Json, place = '', depth = 1): Item {
  if (!isJsonObject(json)) return refuse(place, 'A JSON object is missing here.')
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, fromDynamoJson(value, place ? `${place}.${name}` : name, depth)]))
}

// --- Texts of the editor ---

export type ItemFormat = 'dynamodb' | 'plain'

export function printItem(item: Item, format: ItemFormat, indent = 2): string {
  return printJson(format === 'plain' ? itemToPlain(item) : (item as Json), indent)
}

/** Returns the item of a text. `like` is the item as it was. Throws an Error with a sentence. */
export function parseItem(text: string, format: ItemFormat, like?: Item): Item {
  const json = parseJson(text)
  return format === 'plain' ? itemFromPlain(json, like) : itemFromDynamoJson(json)
}
