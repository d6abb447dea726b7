// Says when the version of a server does not fit the version of this package.

'use strict'

const { control } = require('./control.cjs')
const { name, version: own } = require('../package.json')

/**
 * Returns whether two versions fit each other: from 1.0 on, versions with the same first number; before, versions whose first
 * two numbers are the same. A text that is no version fits none.
 */
function fits(one, other) {
  const [first, second] = [one, other].map((version) => /^(?:0\.\d+|[1-9]\d*)(?=\.)/.exec(version)?.[0])
  return first !== undefined && first === second
}

/**
 * Warns, in one sentence on stderr, if the server has a version that does not fit. No answer, or one without a version, is
 * left to the calls that follow, whose errors say more.
 */
async function checkVersion(server, show = (line) => process.stderr.write(`${line}\n`)) {
  const version = (await control(server, 'GET', '').catch(() => undefined))?.version
  if (typeof version !== 'string' || version === '' || fits(own, version)) return
  show(`hashrange: the server has version ${version}, and the npm package ${name} ${own}: install the same version of both, or some calls may fail.`)
}

module.exports = { checkVersion, fits }
