'use strict'

const RUN = Symbol.for('hashrange.run')

module.exports = async function globalTeardown() {
  await globalThis[RUN]?.stop()
}
