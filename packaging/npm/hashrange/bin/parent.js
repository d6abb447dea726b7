// Says whether a server is to end with the parent of the launcher, and whether that parent is still there.

'use strict'

const { readFileSync, readlinkSync } = require('node:fs')

const INIT = 1
const FIRST_NAMESPACE = 'pid:[4026531836]' // of processes: outside of all containers

function isServer(words) {
  const serves = words.length === 0 || words[0] === 'serve' || words[0].startsWith('-')
  return serves && !words.some((word) => /^(-h|--help|--version)$/.test(word))
}

/**
 * Returns whether a server ends with the parent of this process, too. A caller who wrote --exit-with-parent means that. npx
 * passes a SIGTERM on only to the shell between npx and this process, and that shell ends without telling.
 */
function isForParent(words) {
  if (!isServer(words) || words.some((word) => word.startsWith('--exit-with-parent='))) return false
  return words.includes('--exit-with-parent') || isOfNpx()
}

// A program that npx has started, such as a test runner, leaves npm's variables to those that it starts itself.
const isOfNpx = () => process.env.npm_lifecycle_event === 'npx' && /\bhashrange\b/.test(process.env.npm_lifecycle_script)

/**
 * Returns whether a process can be the one that has started this one. When the parent of a process ends, another process, often
 * the first of the machine, becomes its parent.
 */
function hasStarted(parent) {
  if (!isOfNpx()) return parent !== INIT || !isInFirstNamespace()
  try {
    // The parent is npm, which names itself so, or a process with the variables that npm has set.
    return /^npm\b/.test(readFileSync(`/proc/${parent}/cmdline`, 'latin1')) ||
      readFileSync(`/proc/${parent}/environ`, 'latin1').split('\0').includes('npm_lifecycle_event=npx')
  } catch {
    return parent !== INIT
  }
}

function isInFirstNamespace() {
  try {
    return readlinkSync('/proc/self/ns/pid') === FIRST_NAMESPACE
  } catch {
    return false
  }
}

module.exports = { hasStarted, isForParent, isServer }
