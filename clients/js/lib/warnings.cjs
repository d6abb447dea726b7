// Shows the warnings and errors in the server's log in the output of the test runner.

'use strict'

// Matches a line of the log: "2026-01-31 12:00:00.000 warning table app not found for …".
const LINE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (warning|error|critical) (.*)$/

/** Reads the log of a server from a stream. Writes each warning and error once: "hashrange server warning: …". */
function showWarnings(log, show = (line) => process.stderr.write(`${line}\n`)) {
  const shown = new Set()
  let rest = ''
  const read = (line) => {
    const [, level, message] = LINE.exec(line) ?? []
    const text = `hashrange server ${level}: ${message}`
    if (level === undefined || shown.has(text)) return
    shown.add(text)
    show(text)
  }
  log.setEncoding('utf8') // a chunk may end within a character
  log.on('data', (part) => {
    const lines = (rest + part).split('\n')
    rest = lines.pop()
    lines.forEach(read)
  })
  log.on('end', () => read(rest))
}

module.exports = { showWarnings }
