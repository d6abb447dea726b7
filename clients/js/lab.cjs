// The lab of layouts without a server and without the program: `const { text } = await runLab(file)`. See lab.d.ts.

'use strict'

module.exports = {}
