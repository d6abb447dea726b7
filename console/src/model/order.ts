// The order of values, as DynamoDB sorts keys of one type: numbers by their value, texts and binaries by
// their bytes. Values of other types stand by type. Pure functions.

import { typeOf, type AttributeValue } from '../api/values'
import { parseDecimal, type Decimal } from './decimal'

const kTypes = ['N', 'S', 'B', 'BOOL', 'NULL', 'NS', 'SS', 'BS', 'L', 'M']

/** Returns less than 0 when `a` comes before `b`, more than 0 when it comes after it, and 0 when they are equal. */
export function compareValues(a: AttributeValue, b: AttributeValue): number {
  const type = typeOf(a)
  if (type !== typeOf(b)) return kTypes.indexOf(type) - kTypes.indexOf(typeOf(b))
  const [left, right] = [Object.values(a)[0], Object.values(b)[0]]
  if (type === 'N') return compareNumbers(left as string, right as string)
  if (type === 'S') return compareTexts(left as string, right as string)
  if (type === 'B') return compareTexts(atob(left as string), atob(right as string))
  if (type === 'BOOL') return Number(left) - Number(right)
  return compareTexts(JSON.stringify(left), JSON.stringify(right))
}

/** Compares numbers of DynamoDB JSON, of up to 38 digits, by their value. */
export function compareNumbers(a: string, b: string): number {
  const [left, right] = [parseDecimal(a), parseDecimal(b)]
  if (!left || !right) return compareTexts(a, b)
  const sign = signOf(left)
  if (sign !== signOf(right)) return sign - signOf(right)
  return sign * (left.exponent - right.exponent || compareTexts(left.digits, right.digits))
}

function signOf({ digits, is_negative }: Decimal): number {
  return digits === '' ? 0 : is_negative ? -1 : 1
}

/** Compares texts by the bytes of their UTF-8, where JavaScript compares units of UTF-16. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; ++i) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (left !== right) return codeOrder(left) - codeOrder(right)
  }
  return a.length - b.length
}

// Halves of pairs stand for characters behind all that are one unit.
function codeOrder(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
