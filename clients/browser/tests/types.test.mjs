// The types of the package, for a project with a bundler and for one that follows Node.js.

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'

const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc')

const ACCEPTED = `
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { type Account, checkLab, ControlError, explainLab, LabError, labStarter, type LabRunResult, openDatabase, runLab } from '@hashrange/browser'

const db = await openDatabase({ setup: (seed) => seed.reset(), region: 'eu-west-1', transitionMs: 50, files: new URL('https://example.com/') })
await new DynamoDB(db.connection()).listTables({})
await db.clock.advance('2d')
const other: Omit<Account, 'connection'> = db.account('111122223333')
const { rules } = await other.control('POST', 'faults', { rules: [{ match: { operation: 'Query' }, do: { status: 503 } }] })
const result: LabRunResult = await runLab('lab: 1', { html: true, onProgress: (done) => done.toFixed(), signal: AbortSignal.timeout(5), files: '/lab/' })
export const texts: (string | undefined)[] = [result.html, (await explainLab('', { layout: 'one' })).text, await labStarter({ files: '/lab/' })]
export const holds: boolean = (await checkLab('')).holds
export const problems = [new LabError('wrong').message, new ControlError('refused').status, rules.length]
await db.close()
`
const REFUSED = `
import { openDatabase, runLab } from '@hashrange/browser'
// @ts-expect-error
openDatabase({ persist: true })
// @ts-expect-error
openDatabase({ files: 7 })
// @ts-expect-error
runLab({ lab: 1 })
// @ts-expect-error
runLab('lab: 1', { file: '/lab/' })
`

test.each([['bundler', 'es2022'], ['nodenext', 'nodenext']])('moduleResolution %s', async (moduleResolution, module) => {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-types-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'node_modules/@hashrange'), { recursive: true })
  symlinkSync(inject('package'), join(folder, 'node_modules/@hashrange/browser'))
  symlinkSync(fileURLToPath(new URL('../node_modules/@aws-sdk', import.meta.url)), join(folder, 'node_modules/@aws-sdk'))
  const compilerOptions = { strict: true, noEmit: true, target: 'es2022', module, moduleResolution, lib: ['es2022', 'dom'], types: [], skipLibCheck: false,
    exactOptionalPropertyTypes: true }
  const files = { 'package.json': '{"type":"module"}', 'tsconfig.json': JSON.stringify({ compilerOptions }), 'accepted.ts': ACCEPTED, 'refused.ts': REFUSED }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const done = await promisify(execFile)(process.execPath, [TSC, '--project', folder]).catch((error) => error)
  // The types of the SDK need those of Node.js.
  expect(done.stdout.split('\n').filter((line) => line && !/node_modules\/@(?:aws-sdk|smithy)\//.test(line))).toEqual([])
})
