// The lab of layouts without the program: `const { text } = await runLab(file)`. See lab.d.ts.

'use strict'

const { labFunctions } = require('./lib/lab-calls.cjs')
const { perform } = require('./lib/lab-perform.cjs')

module.exports = labFunctions(perform)
