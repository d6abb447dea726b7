// Key templates with blanks, as the control call `collections` gives them ("USER#{…}", "ORDER#{date}#{…}"), and the key conditions
// that follow when blanks are filled. Pure functions.
//
//   USER#{…}            filled "ada"                  =            USER#ada
//   ORDER#{date}#{…}    nothing filled                begins_with  ORDER#
//   ORDER#{date}#{…}    date "2026-01-31"             begins_with  ORDER#2026-01-31#
//   ORDER#{date}#{…}    date from "2026-01" to "…-03" BETWEEN      ORDER#2026-01  AND  ORDER#2026-03~

import type { Equalities } from './request'
import type { KeyPlan, KeyType } from './tables'

export interface TemplatePart {
  /** The literal text, or the name of the blank ("…", "date", "digits"). */
  text: string
  is_blank: boolean
}

/** What a person has written into a blank: a text, or the bounds of a range. */
export interface Filling {
  text?: string
  from?: string
  to?: string
}

export type SortOperator = '=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'begins_with'
export interface KeyCondition {
  operator: SortOperator
  values: string[]
}

/** Returns the parts of a template. A brace that does not close is literal text. */
export function parseTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  for (const found of template.matchAll(/\{([^{}]*)\}|[^{]+|\{/g)) {
    const is_blank = found[1] !== undefined
    const text = found[1] ?? found[0]
    const last = parts[parts.length - 1]
    if (!is_blank && last && !last.is_blank) last.text += text
    else parts.push({ text, is_blank })
  }
  return parts
}

/** Returns how many blanks a template has. */
export function countBlanks(template: string): number {
  return parseTemplate(template).filter((part) => part.is_blank).length
}

/**
 * Returns what the blanks of a template hold in a text, the other way round of `fillWhole`; undefined when the text does not fit.
 * A blank ends where the text behind it begins.
 */
export function readFillings(template: string, text: string): Filling[] | undefined {
  const parts = parseTemplate(template)
  const fillings: Filling[] = []
  let at = 0
  for (const [i, part] of parts.entries()) {
    if (!part.is_blank) {
      if (!text.startsWith(part.text, at)) return undefined
      at += part.text.length
      continue
    }
    const next = parts[i + 1]
    if (next?.is_blank) return undefined
    const end = next ? text.indexOf(next.text, at) : text.length
    if (end <= at) return undefined
    fillings.push({ text: text.slice(at, end) })
    at = end
  }
  return at === text.length ? fillings : undefined
}

/**
 * Returns what blanks hold when a person has written or pasted `text` into the blank `at`, of a template with the blanks from `first`
 * on: by the numbers of the blanks. A label that the text repeats stands in the template already ("USER#ada" in the blank of USER#{…}),
 * and a whole key that is pasted fills every blank.
 */
export function readWritten(template: string, first: number, at: number, text: string, is_pasted: boolean): Map<number, string> {
  const literals = parseTemplate(template).filter((part) => !part.is_blank).map((part) => part.text)
  const whole = is_pasted && literals.some((literal) => kWord.test(literal) && kSign.test(literal)) ? readFillings(template, text) : undefined
  if (whole) return new Map(whole.map((filling, blank) => [first + blank, filling.text ?? '']))
  const label = at === first && !parseTemplate(template)[0]!.is_blank ? literals[0]! : ''
  // Letters without a sign behind them may be the beginning of what a person means.
  const is_repeated = kWord.test(label) && kSign.test(label.at(-1)!) && text.startsWith(label)
  return new Map([[at, is_repeated ? text.slice(label.length) : text]])
}

const kWord = /[\p{L}\p{N}]/u
const kSign = /[^\p{L}\p{N}]/u

/**
 * Returns a sentence for each blank that would change what is asked for in a way that nobody means: an empty one before one that is
 * filled, and one that is filled behind bounds. By the numbers of the blanks.
 */
export function blankProblems(templates: readonly string[], fillings: readonly Filling[]): Map<number, string> {
  const problems = new Map<number, string>()
  const isFilled = ({ text, from, to }: Filling = {}) => Boolean(text || from || to)
  const last = fillings.findLastIndex(isFilled)
  let blank = 0
  for (const template of templates) {
    let has_bounds = false
    for (const part of parseTemplate(template)) {
      if (!part.is_blank) continue
      const filling = fillings[blank] ?? {}
      if (has_bounds && isFilled(filling)) problems.set(blank, 'Nothing is asked for behind a range: leave this blank empty.')
      if (!has_bounds && !isFilled(filling) && blank < last) problems.set(blank, `Fill in ${blankTitle(part)}: without it, the blanks behind it say nothing.`)
      has_bounds ||= Boolean(filling.from || filling.to)
      blank += 1
    }
  }
  return problems
}

/** Returns what a blank is called: "date", "text". */
export function blankTitle({ text }: TemplatePart): string {
  return text === '…' ? 'text' : text
}

/** Returns the text of a HASH key, which must be whole; undefined while a blank is empty. */
export function fillWhole(template: string, fillings: readonly Filling[]): string | undefined {
  let blank = 0
  let whole = ''
  for (const part of parseTemplate(template)) {
    const text = part.is_blank ? fillings[blank++]?.text : part.text
    if (!text) return undefined
    whole += text
  }
  return whole
}

/**
 * Returns the condition on a sort key. Blanks count up to the first empty one, or to the first one with bounds; what stands behind
 * it is open. Undefined: the template has no text before its first empty blank, so every sort key is possible.
 */
export function sortCondition(template: string, fillings: readonly Filling[], type: KeyType = 'S'): KeyCondition | undefined {
  const parts = parseTemplate(template)
  let blank = 0
  let prefix = ''
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at]!
    if (!part.is_blank) {
      prefix += part.text
      continue
    }
    const { text, from, to } = fillings[blank++] ?? {}
    if (from || to) return rangeCondition(prefix, part.text, parts.slice(at + 1), from, to, type)
    if (!text) return prefix === '' || type === 'N' ? undefined : { operator: 'begins_with', values: [prefix] }
    prefix += text
  }
  return prefix === '' ? undefined : { operator: '=', values: [prefix] }
}

function rangeCondition(
  prefix: string, blank: string, behind: readonly TemplatePart[], from: string | undefined, to: string | undefined, type: KeyType,
): KeyCondition {
  if (type === 'N' || (prefix === '' && (!from || !to))) {
    if (from && to) return { operator: 'BETWEEN', values: [from, to] }
    return from ? { operator: '>=', values: [from] } : { operator: '<=', values: [to!] }
  }
  const follows = behind[0] && !behind[0].is_blank ? behind[0].text : ''
  if (blank === 'date') {
    // A date is a beginning: "2026-01" means all of January, and "2026-01-31" all times of that day.
    if (from && from === to) return { operator: 'begins_with', values: [prefix + from] }
    const whole = prefix + (to ?? '')
    return { operator: 'BETWEEN', values: [prefix + (from ?? ''), follows < kBehindDates ? whole + kBehindDates : behindAll(whole)] }
  }
  // Any other blank means itself: 10 is not 100, so the text that follows the blank belongs to the bound.
  const last = !to ? behindAll(prefix) : behind.length > 0 ? behindAll(prefix + to + follows) : prefix + to
  return { operator: 'BETWEEN', values: [prefix + (from ?? ''), last] }
}

// Stands behind all that a date has, and behind the signs that usually follow one.
const kBehindDates = '~'

/** Returns a text behind all texts that begin with `prefix`: its last character is the next one, as $ is behind #. */
function behindAll(prefix: string): string {
  const last = [...prefix].at(-1)!
  const before = prefix.slice(0, -last.length)
  const next = last.codePointAt(0)! + 1
  if (next > 0x10ffff) return before === '' ? last : behindAll(before)
  // Behind ~, the next character that can be seen is ¡; halves of characters are none.
  return before + String.fromCodePoint(next === 0x7f ? 0xa1 : next === 0xd800 ? 0xe000 : next)
}

/** A key of a collection that a value fits. */
export interface OfferedKey {
  /** "" for the table. */
  index: string
  /** The attribute that the value was asked for. */
  attribute: string
  /** The value of the HASH attribute. */
  value: string
  /** What the sort key begins with; "" for the whole collection. */
  begins_with: string
}

const kMaxOffered = 6

/**
 * Returns the keys that templates make of the values that are asked for, the whole collection before its parts: the value itself where
 * the template fits it ("USER#u1" and USER#{…}), else the template with the value in its blank ("u1"). Nothing says that they exist.
 */
export function offeredKeys(plan: KeyPlan, templates: readonly Record<string, string>[], asked: Equalities): OfferedKey[] {
  const [hash, ...others] = plan.hash
  if (!hash || others.length > 0 || hash.type !== 'S') return []
  const found = new Map<string, OfferedKey>()
  for (const [attribute, { text, type }] of asked) {
    for (const template of templates) {
      const parts = parseTemplate(template[hash.name] ?? '')
      if (type !== 'S' || parts.filter((part) => part.is_blank).length !== 1) continue
      const [before, after] = [parts[0]!.is_blank ? '' : parts[0]!.text, parts.length > 1 && !parts.at(-1)!.is_blank ? parts.at(-1)!.text : '']
      const is_whole = text.startsWith(before) && text.endsWith(after) && text.length > before.length + after.length
      const value = is_whole ? text : before + text + after
      const sort = plan.range[0] && sortCondition(template[plan.range[0].name] ?? '', [], plan.range[0].type)
      const parts_of_it = sort?.operator === 'begins_with' ? sort.values[0]! : ''
      for (const begins_with of ['', parts_of_it]) found.set(JSON.stringify([attribute, value, begins_with]), { index: plan.index ?? '', attribute, value, begins_with })
    }
  }
  return [...found.values()].slice(0, kMaxOffered)
}
