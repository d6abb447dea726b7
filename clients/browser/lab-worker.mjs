// The worker of one call of the lab: see lib/worker-lab.mjs.

import { performLabCall } from './lib/lab-module.mjs'
import { answerBy } from './lib/worker-answers.mjs'

answerBy({ perform: (module, call) => performLabCall(module, call, (done) => postMessage({ news: done })) })
