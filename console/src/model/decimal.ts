// Decimal numbers as texts, of any number of digits. Pure functions.

const kNumberText = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/** What a number is made of: 0.0123 has the digits "123" and the exponent -2 of its first digit. Zero has no digits. */
export interface Decimal {
  is_negative: boolean
  digits: string
  exponent: number
}

/** Returns undefined for a text that is no number. */
export function parseDecimal(text: string): Decimal | undefined {
  const found = kNumberText.exec(text.trim())
  if (!found) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = found
  if (whole === '' && fraction === '') return undefined
  const all = whole + fraction
  const zeros = /^0*/.exec(all)![0].length
  const digits = all.slice(zeros).replace(/0+$/, '')
  return { is_negative: sign === '-' && digits !== '', digits, exponent: digits === '' ? 0 : whole.length - 1 - zeros + Number(exponent) }
}
