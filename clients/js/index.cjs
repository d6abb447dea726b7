// The functions that a test file imports: those of its worker's account, and `start` for other servers.

'use strict'

const { Account } = require('./lib/account.cjs')
const { ControlError } = require('./lib/control-answer.cjs')
const { pattern } = require('./lib/pattern.cjs')
const { start } = require('./lib/run.cjs')
const { current, root } = require('./lib/worker.cjs')

// The methods of the worker's account. The account is found when a method is called.
const call = (name) => (...values) => current()[name](...values)
const group = (name, methods) =>
  Object.fromEntries(methods.map((method) => [method, (...values) => current()[name][method](...values)]))

module.exports = {
  Account,
  ControlError,
  start: (options) => start(options, root()),
  account: () => current(),
  clock: group('clock', ['advance', 'freeze', 'now', 'real', 'scale']),
  connection: call('connection'),
  control: call('control'),
  faults: group('faults', ['add', 'clear', 'list']),
  fork: call('fork'),
  hold: call('hold'),
  measure: call('measure'),
  pattern,
  requests: group('requests', ['clear', 'list', 'record', 'stop']),
  reset: call('reset'),
  restore: call('restore'),
  snapshot: call('snapshot'),
}
