// Reads a command line by rows: an option -> {form, to, check, many, leftOut, takesNext, needs, ignored, refused}.
//
//   form       what its value is called in messages; none: the option has no value, and sets true
//   to         the member that gets the value
//   check      takes the text of the value and returns what it means, or throws a LineError
//   many       the option may be repeated, and the member is a list
//   leftOut    returns the value of an option without one; takesNext: the next word is its value, unless it is an option
//   needs      the option without which this one is an error
//   ignored    the option has no effect: why, for a warning
//   refused    the option is an error: why

'use strict'

/** A command line that is wrong: a sentence without a full stop. */
class LineError extends Error {
  command = 'hashrange' // whose --help helps
}

/** What cannot be done, however it is written. */
class AbsentError extends Error {}

const NEEDS_PROGRAM = 'needs the program, which is for Linux: run it in a container (docs/install.md)'

/** Returns {values, names, rest, warnings}: the members, the options that were given, the other words, and sentences. */
function readLine(words, rows) {
  const line = { values: {}, names: new Set(), rest: [], warnings: [] }
  const left = [...words]
  while (left.length > 0) {
    const word = left.shift()
    const [, name, , joined] = /^(--[^=]+)(=(.*))?$/s.exec(word) ?? []
    const row = rows[name]
    if (row) take(name, row, valueOf(name, row, joined, left), line)
    else if (word.startsWith('-') && word !== '-') throw new LineError(`unknown argument: ${name ?? word}`)
    else line.rest.push(word)
  }
  for (const name of line.names) {
    const { needs } = rows[name]
    if (needs && !line.names.has(needs)) throw new LineError(`${name} requires ${needs}`)
  }
  return line
}

function valueOf(name, { form, leftOut, takesNext }, joined, left) {
  if (form === undefined) return true
  if (joined !== undefined) return joined
  const hasNext = left.length > 0 && !(leftOut && (!takesNext || /^--./.test(left[0])))
  if (hasNext) return left.shift()
  if (!leftOut) throw new LineError(`${name}: 1 required ${form} missing`)
  return undefined
}

function take(name, { to, check, many, leftOut, ignored, refused }, value, { values, names, warnings }) {
  if (names.has(name) && !many) throw new LineError(`${name}: given more than once`)
  names.add(name)
  const read = named(name, () => (value === undefined ? leftOut() : check ? check(value) : value))
  if (refused) throw new LineError(`${name}: ${refused}`)
  if (ignored) warnings.push(`${name}: ${ignored}`)
  else values[to] = many ? [...(values[to] ?? []), read].flat() : read
}

function named(name, work) {
  try {
    return work()
  } catch (error) {
    if (error instanceof LineError) throw new LineError(`${name}: ${error.message}`)
    throw error
  }
}

module.exports = { AbsentError, LineError, NEEDS_PROGRAM, readLine }
