// The server's warnings and errors, out of its log, where a runner shows them.

'use strict'

// A line of the log: "2026-01-31 12:00:00.000 warning table app not found for …".
const LINE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (warning|error|critical) (.*)$/

/** Reads the log of a server, a stream. Writes each of its warnings and errors once: "hashrange server warning: …". */
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
  log.setEncoding('utf8') // a part may end within a character
  log.on('data', (part) => {
    const lines = (rest + part).split('\n')
    rest = lines.pop()
    lines.forEach(read)
  })
  log.on('end', () => read(rest))
}

module.exports = { showWarnings }
