// What the functions of a test are called with: anything that they would not obey is refused with a sentence.

'use strict'

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

// Vitest calls a hook with its context, `beforeEach(fork)`: a function or an object that has the test or is the suite.
const isHookContext = (value) => (typeof value === 'function' || isObject(value)) && (isTask(value.task) || isTask(value))

const isTask = (value) =>
  isObject(value) && typeof value.id === 'string' && typeof value.name === 'string' && typeof value.mode === 'string' &&
  ['test', 'custom', 'suite'].includes(value.type)

/** The arguments of a call, at most `most` of them. Throws a TypeError with `form`, how the function is called. */
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

/** Throws a TypeError unless `value` is an object that has none but `known` members. Returns those that are not undefined. */
function members(value, known, form) {
  if (!isObject(value)) throw refusal(form, value)
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) throw new TypeError(`hashrange: ${form}: there is no option \`${name}\`, but ${known.join(', ')}.`)
  }
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}

/** "2d": a number and its unit. */
function time(value, form) {
  if (typeof value !== 'string') throw refusal(form, value)
  return value
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

module.exports = { given, isObject, members, refusal, text, time }
