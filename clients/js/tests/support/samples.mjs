// The samples of the documents, as files to compile: {path: text}.

import { readFileSync } from 'node:fs'

const REPOSITORY = new URL('../../../../', import.meta.url)
export const read = (path) => readFileSync(new URL(path, REPOSITORY), 'utf8')

const IMPORTS = 'account, clock, connection, control, faults, fork, hold, measure, pattern, requests, reset, restore, snapshot, start'
const HEAD = `import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { ${IMPORTS} } from '@hashrange/testing'
import { hashrange } from '@hashrange/testing/vitest'
import { beforeEach } from 'vitest'
import setup from './tables.mjs'
const key = { PK: { S: 'USER#1' } }
declare const measured: import('@hashrange/testing').Measured
`

const sectionOf = (document, heading) => heading ? read(document).split(/^## /m).find((part) => part.startsWith(heading)) : read(document)

/** Returns the JavaScript blocks of a document, or of its section with that heading, as files. A block without a file name in its first line gets the imports that readers have. */
export function blocksOf(document, heading) {
  const blocks = [...sectionOf(document, heading).matchAll(/^```js\n([^]*?)^```$/gm)].map(([, text]) => text)
  return Object.fromEntries(blocks.map((text, number) => {
    const [, name] = /^\/\/ ([\w.-]+\.[cm]?js)$/m.exec(text.split('\n')[0]) ?? []
    const isWhole = name || /^import /m.test(text)
    return [name ?? `block-${number}.mjs`, isWhole ? text : `import { DynamoDBClient } from '@aws-sdk/client-dynamodb'\n${text}`]
  }))
}

/** Returns a list of the JavaScript calls and options between backticks in a document. */
export function callsOf(document) {
  const spans = [...read(document).replaceAll(/^```[^]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span)
  const calls = spans.filter((span) => /^(?:const |import |new |[a-zA-Z.]+\()[^…]*$/.test(span) && !/^(?:hashrange|Config)\b|=[^> ]/.test(span))
  const options = spans.filter((span) => /^(?:setup|seed|fork): /.test(span)).map((span) => `hashrange({ ${span} })`)
  const clients = spans.filter((span) => /^maxAttempts: /.test(span)).map((span) => `new DynamoDBClient({ ${span} })`)
  return [...calls, ...options, ...clients]
}

/** Returns a module with such calls. */
export const moduleOf = (calls) => HEAD + calls.filter((call) => !/^(?:import |stop\()/.test(call)).map((call) => `async () => { ${call} }\n`).join('')

/** Returns the calls of the control API that a document makes with curl: {method, path, body, answer}; body and answer are texts or undefined. */
export function controlCallsOf(document) {
  const pairs = [...read(document).matchAll(/^```sh\n([^]*?)^```\n(?:```json\n([^]*?)^```)?/gm)]
  return pairs.flatMap(([, shell, answer]) =>
    [...shell.matchAll(/^curl -s (?:-X (\w+) )?'?localhost:8000\/_hashrange\/([^\s']*)'?(?: -d '([^']*)')?/gm)].map(
      ([, method, path, body]) => ({ method: method ?? (body ? 'POST' : 'GET'), path, body, answer })))
}

/** Returns a module that makes such calls, and compares the types of their answers with those in the document, in which `…` matches anything. */
export function moduleOfControlCalls(calls) {
  const lines = calls.map(({ method, path, body, answer }, number) => {
    const call = `control('${method}', '${path}'${body ? `, ${body.replaceAll('\n', ' ')}` : ''})`
    if (answer?.startsWith('{"error"')) return `// @ts-expect-error\nawait ${call}\n`
    return `const answer${number} = await ${call}\n${answer ? `printed(answer${number}, ${answer.replaceAll('"…"', 'anything')})\n` : ''}`
  })
  return `import { control } from '@hashrange/testing'
    declare const anything: any
    declare function printed<Answer>(answer: Answer, text: NoInfer<Answer>): void\n${lines.join('')}`
}
