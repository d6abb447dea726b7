// Says what to do on a machine for which no installed package has the program.

'use strict'

const { carrier } = require('../index.js')
const { optionalDependencies: carriers, version } = require('../package.json')

const INSTEAD = `Run the container image (docker run --rm -p 127.0.0.1:8000:8000 hashrange/hashrange:${version}), ` +
  'or put the path of a program that you have built into the variable HASHRANGE_BINARY.'

function sentence() {
  if (carrier in carriers) {
    return `the package ${carrier}, which has the program, is not installed. ` +
      'Install hashrange with its optional packages (without --omit=optional and --no-optional); if a package-lock.json of another ' +
      `platform left the program out, remove it and node_modules, and install again. ${INSTEAD}`
  }
  const names = Object.keys(carriers).map((name) => name.replace('@hashrange/', '')).join(' and ')
  return `there is no program for ${process.platform}-${process.arch}, only for ${names}. ${INSTEAD}`
}

module.exports = { sentence }
