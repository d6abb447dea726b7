// A thread that makes one call of the lab: `lab.cjs` starts it.

'use strict'

const { parentPort, workerData } = require('node:worker_threads')
const { performLabCall } = require('./lab-module.cjs')

const { module: compiled, call } = workerData
performLabCall(compiled, call, (done) => parentPort.postMessage({ done })).then((answer) => parentPort.postMessage({ answer }))
