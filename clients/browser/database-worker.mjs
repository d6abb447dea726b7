// The worker of one database: see lib/worker-database.mjs.

import { ModuleDatabase } from './lib/module.mjs'
import { answerBy } from './lib/worker-answers.mjs'

let database

answerBy({
  open: async (settings, module) => {
    database = await ModuleDatabase.open(settings, module)
  },
  call: (operation, json, as) => database.call(operation, json, as),
  control: (method, path, json) => database.control(method, path, json),
}, (answer) => (answer ? [answer.body.buffer] : []))
