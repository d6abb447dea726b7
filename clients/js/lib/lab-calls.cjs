// The functions of the lab (lab.d.ts), for any system: who has threads passes what makes a call in one.

'use strict'

const { members } = require('./arguments.cjs')

const COMMON = ['name', 'layout', 'columns', 'json', 'maxMemoryBytes', 'signal']
const OF_RUNS = [...COMMON, 'scale', 'thin', 'html', 'onProgress']

// command -> its options
const OPTIONS = {
  run: [...OF_RUNS, 'vary', 'noConfirm', 'seconds'],
  check: OF_RUNS,
  explain: [...COMMON, 'vary'],
}

/** The lab file or an option is wrong, or the work was not possible. */
class LabError extends Error {
  name = 'LabError'
}

const listOf = (value) => (value === undefined || Array.isArray(value) ? value : [value])

/**
 * Returns the functions. `perform(call, {onProgress, signal})` makes a call in a thread of its own, and resolves to the answer (lab-module.cjs).
 */
function labFunctions(perform) {
  async function answerOf(call, handlers = {}) {
    handlers.signal?.throwIfAborted()
    const { outcome, ...answer } = await perform(call, handlers)
    if (outcome === 'wrong' || outcome === 'failed') throw new LabError(answer.messages.join('\n'))
    return { outcome, answer }
  }

  function fileCall(command, text, options = {}) {
    if (typeof text !== 'string' && !(text instanceof Uint8Array)) {
      throw new TypeError(`hashrange: it is ${command}Lab(text, options), with the text of a lab file.`)
    }
    const { onProgress, signal, seconds, layout, scale, vary, noConfirm, maxMemoryBytes, ...rest } =
      members(options, OPTIONS[command], `${command}Lab(text, options)`)
    const request = { command, ...rest, layout: listOf(layout), scale: listOf(scale), vary: listOf(vary),
      no_confirm: noConfirm, max_memory_bytes: maxMemoryBytes }
    return answerOf({ request, text, seconds }, { onProgress, signal })
  }

  const textOf = async (command) => (await answerOf({ request: { command } })).answer.text

  return {
    LabError,
    async runLab(text, options) {
      const { outcome, answer } = await fileCall('run', text, options)
      return { ...answer, stopped: outcome === 'interrupted' }
    },
    async checkLab(text, options) {
      const { outcome, answer } = await fileCall('check', text, options)
      return { ...answer, holds: outcome === 'done' }
    },
    async explainLab(text, options) {
      return (await fileCall('explain', text, options)).answer
    },
    labSchema: () => textOf('schema'),
    labStarter: () => textOf('init'),
  }
}

module.exports = { labFunctions }
