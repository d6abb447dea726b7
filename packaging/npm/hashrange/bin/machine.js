// Finds out whether a file is a program of another machine: the system would let /bin/sh read such a file as a script.

'use strict'

const { closeSync, openSync, readFileSync, readSync, readdirSync } = require('node:fs')
const { machine } = require('node:os')
const { join } = require('node:path')

const ELF = '\x7fELF'
const NUMBERS = { aarch64: 183, x86_64: 62 } // in an ELF file, and by the names that the system gives machines
const NUMBER_AT = 18
const EMULATORS = '/proc/sys/fs/binfmt_misc'

function isForAnotherMachine(program) {
  const head = firstBytes(program)
  const isOther = head.toString('latin1', 0, ELF.length) === ELF ? isForAnother(head) : head.includes(0)
  return isOther && !isEmulated(head)
}

function isForAnother(head) {
  const own = NUMBERS[machine()]
  return own !== undefined && (head.length < NUMBER_AT + 2 || head.readUInt16LE(NUMBER_AT) !== own)
}

function firstBytes(path) {
  let file
  try {
    file = openSync(path, 'r')
    const bytes = Buffer.alloc(64)
    return bytes.subarray(0, readSync(file, bytes))
  } catch {
    return Buffer.alloc(0) // the start of the program tells why, or the program may be run and not read
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Returns whether the system has an emulator for files that begin like this one. */
function isEmulated(head) {
  const kind = new RegExp(`^enabled$[^]*^magic ${head.toString('hex', 0, 2)}`, 'm')
  return emulators().some((text) => kind.test(text))
}

function emulators() {
  try {
    const names = readdirSync(EMULATORS).filter((name) => name !== 'register') // which cannot be read
    return names.map((name) => readFileSync(join(EMULATORS, name), 'latin1'))
  } catch {
    return []
  }
}

module.exports = { isForAnotherMachine }
