// A page without a bundler: its server has the files of the package.

import * as hashrange from '/package/index.mjs'

Object.assign(globalThis, hashrange)
document.title = 'ready'
