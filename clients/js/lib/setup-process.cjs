// A process that runs the module of `setup` for a test of Jest, and then ends.

'use strict'

const { runModuleHere } = require('./run.cjs')

process.once('disconnect', () => process.exit()) // the process that waits for the result has ended

process.once('message', async (task) => {
  const answer = await runModuleHere(task).then(() => ({}), (error) => ({ problem: plain(error) }))
  process.send(answer, () => process.exit())
})

function plain(error) {
  const { name, message, stack, status } = error instanceof Error ? error : new Error(String(error))
  return { name, message, stack, ...(status !== undefined && { status }) }
}
