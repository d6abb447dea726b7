// A database inside this process, without a server: `const db = await openDatabase()`. See module.d.ts.

'use strict'

const { ModuleDatabase } = require('./lib/module.cjs')
const { openAccounts } = require('./lib/open-accounts.cjs')

const openDatabase = (options = {}) => openAccounts(options, (settings) => ModuleDatabase.open(settings))

module.exports = { openDatabase }
