// The database and the lab in a page, without a server. See index.d.ts.

import { openAccounts } from './lib/open-accounts.mjs'
import { WorkerDatabase } from './lib/worker-database.mjs'
import { labOfPage } from './lib/worker-lab.mjs'

export { Account } from './lib/account.mjs'
export { ControlError } from './lib/control-answer.mjs'

const OPTIONS = {
  files: [(value) => typeof value === 'string' || value instanceof URL, "the URL of a folder: '/hashrange/'"],
}

export const openDatabase = (options = {}) => openAccounts(options, WorkerDatabase.open, OPTIONS)

export const { LabError, checkLab, explainLab, labSchema, labStarter, runLab } = labOfPage()
