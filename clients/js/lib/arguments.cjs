// Checks the arguments of the functions for tests: an argument that would be ignored is refused with a sentence.

'use strict'

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

// Vitest calls a hook such as `beforeEach(fork)` with its context: a function, or an object that has the test or is the suite.
const isHookContext = (value) => (typeof value === 'function' || isObject(value)) && (isTask(value.task) || isTask(value))

const isTask = (value) =>
  isObject(value) && typeof value.id === 'string' && typeof value.name === 'string' && typeof value.mode === 'string' &&
  ['test', 'custom', 'suite'].includes(value.type)

/** Returns the arguments of a call, of which there are at most `most`. Throws a TypeError with `form`, which shows a correct call. */
function given(values, most, form) {
  const own = values.length === 1 && isHookContext(values[0]) ? [] : values
  if (own.length > most) throw refusal(form, own[most])
  return own
}

/** Throws a TypeError unless `value` is a text of at least one character. */
function text(value, form) {
  if (typeof value !== 'string' || value === '') throw refusal(form, value)
  return value
}

/** Throws a TypeError unless `value` is an object with only `known` members. Returns the members that are not undefined. */
function members(value, known, form) {
  if (!isObject(value)) throw refusal(form, value)
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) throw new TypeError(`hashrange: ${form}: there is no option \`${name}\`, but ${known.join(', ')}.`)
  }
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}

function refusal(form, value) {
  return new TypeError(`hashrange: it is ${form}, and not with ${shown(value)}.`)
}

function shown(value) {
  if (typeof value === 'function') return 'a function'
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return `a ${typeof value}`
  }
}

module.exports = { given, isObject, members, refusal, text }
