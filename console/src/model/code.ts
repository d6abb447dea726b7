// A request as code: SDK for JavaScript v3, boto3, AWS CLI. Every text is quoted by the rules of its language, because names and
// values come from data. Pure functions.

import { printJson, type Json } from './exact-json'
import { typeOf, type AttributeValue } from '../api/values'
import { canonicalNumber, contentOf } from './values'

export interface CodeRequest {
  /** "Query", "Scan", "PutItem", … */
  operation: string
  input: object
}

export interface CodePlace {
  endpoint: string
  account: string
  region: string
}

export type Language = 'javascript' | 'python' | 'cli'

export function codeOf(language: Language, request: CodeRequest, place: CodePlace): string {
  return { javascript, python, cli }[language](request, place)
}

// These members hold AttributeValues, so binary has a form of its own in them.
const kValueMembers = new Set(['ExpressionAttributeValues', 'ExclusiveStartKey', 'Key', 'Item', 'Parameters'])

/** How a language writes what requests are made of. */
interface Writer {
  text(text: string): string
  name(name: string): string
  boolean(value: boolean): string
  binary(base64: string): string
  last_comma: string
}

const kJavaScript: Writer = {
  text: quoteJavaScript,
  // A member "__proto__" would set the prototype; a computed name does not.
  name: (name) => (name === '__proto__' ? `['${name}']` : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoteJavaScript(name)),
  boolean: String,
  binary: (base64) => `Buffer.from(${quoteJavaScript(base64)}, 'base64')`,
  last_comma: ',',
}

const kPython: Writer = {
  text: (text) => JSON.stringify(text),
  name: (name) => JSON.stringify(name),
  boolean: (value) => (value ? 'True' : 'False'),
  binary: (base64) => `base64.b64decode(${JSON.stringify(base64)})`,
  last_comma: ',',
}

function quoteJavaScript(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

const kWidth = 100

/** Returns the parts between brackets, on one line when they fit. */
function group(open: string, close: string, parts: string[], blanks: string, writer: Writer, space: string): string {
  if (parts.length === 0) return open + close
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (line.length + blanks.length <= kWidth && !line.includes('\n')) return line
  const inner = blanks + '  '
  return `${open}\n${parts.map((part) => inner + part + writer.last_comma).join('\n')}\n${blanks}${close}`
}

function writeJson(value: unknown, writer: Writer, blanks: string, is_value: boolean): string {
  const inner = blanks + '  '
  if (typeof value === 'string') return writer.text(value)
  if (typeof value === 'boolean') return writer.boolean(value)
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) {
    return group('[', ']', value.map((element) => (is_value ? writeValue(element, writer, inner) : writeJson(element, writer, inner, false))), blanks, writer, '')
  }
  const space = writer === kJavaScript ? ' ' : ''
  return group('{', '}', Object.entries(value as object).map(([name, member]) =>
    `${writer.name(name)}: ${is_value ? writeValue(member, writer, inner) : writeJson(member, writer, inner, kValueMembers.has(name))}`), blanks, writer, space)
}

function writeValue(value: AttributeValue, writer: Writer, blanks: string): string {
  const type = typeOf(value)
  const content = contentOf(value)
  const written = type === 'B' ? writer.binary(content as string)
    : type === 'BS' ? `[${(content as string[]).map((element) => writer.binary(element)).join(', ')}]`
    : writeJson(content, writer, blanks, type === 'L' || type === 'M')
  const space = writer === kJavaScript ? ' ' : ''
  return `{${space}${writer.name(type)}: ${written}${space}}`
}

/** Returns the name of an operation as boto3 and the CLI write it: TransactWriteItems → transact_write_items. */
function splitName(operation: string, sign: string): string {
  return operation.replace(/(?<=[a-z])[A-Z]/g, (letter) => sign + letter).toLowerCase()
}

function javascript({ operation, input }: CodeRequest, place: CodePlace): string {
  const client = writeJson(
    { endpoint: place.endpoint, region: place.region, credentials: { accessKeyId: place.account, secretAccessKey: 'hashrange' } }, kJavaScript, '', false)
  return `import { DynamoDBClient, ${operation}Command } from '@aws-sdk/client-dynamodb'

const client = new DynamoDBClient(${client})
const answer = await client.send(new ${operation}Command(${writeJson(input, kJavaScript, '', false)}))
console.log(answer)
`
}

function python({ operation, input }: CodeRequest, place: CodePlace): string {
  const settings = { endpoint_url: place.endpoint, region_name: place.region, aws_access_key_id: place.account, aws_secret_access_key: 'hashrange' }
  const call = (name: string, parts: string[]) => `${name}(\n${parts.map((part) => `    ${part},\n`).join('')})`
  const members = Object.entries(input).map(([name, value]) => `${name}=${writeJson(value, kPython, '    ', kValueMembers.has(name))}`)
  const written = call(`client.${splitName(operation, '_')}`, members)
  return `${written.includes('base64.b64decode(') ? 'import base64\n\n' : ''}import boto3

client = ${call('boto3.client', ['"dynamodb"', ...Object.entries(settings).map(([name, value]) => `${name}=${JSON.stringify(value)}`)])}
answer = ${written}
print(answer)
`
}

/** Returns a word of a shell: as it is where it is harmless, else in single quotes. */
function quoteShell(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function cli({ operation, input }: CodeRequest, place: CodePlace): string {
  const options = Object.entries(input).map(([name, value]) => {
    const option = `--${splitName(name, '-')}`
    if (value === true) return option
    if (value === false) return option.replace('--', '--no-')
    return `${option} ${quoteShell(typeof value === 'string' ? value : printJson(value as Json))}`
  })
  const lines = [`aws dynamodb ${splitName(operation, '-')}`, ...options, `--endpoint-url ${quoteShell(place.endpoint)}`, `--region ${quoteShell(place.region)}`]
  return `export AWS_ACCESS_KEY_ID=${quoteShell(place.account)} AWS_SECRET_ACCESS_KEY=hashrange\n${lines.join(' \\\n  ')}\n`
}

// --- PartiQL ---

export function quotePartiqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Returns a value as a PartiQL literal. Binary has no literal: `parameter` is called with it and returns what stands for it. */
export function partiqlLiteral(value: AttributeValue, parameter: (value: AttributeValue) => string): string {
  const string = (text: string) => `'${text.replaceAll("'", "''")}'`
  const content = contentOf(value)
  switch (typeOf(value)) {
    case 'S': return string(content as string)
    case 'N': return canonicalNumber(content as string)
    case 'BOOL': return String(content)
    case 'NULL': return 'NULL'
    case 'SS': return `<<${(content as string[]).map(string).join(', ')}>>`
    case 'NS': return `<<${(content as string[]).map(canonicalNumber).join(', ')}>>`
    case 'L': return `[${(content as AttributeValue[]).map((element) => partiqlLiteral(element, parameter)).join(', ')}]`
    case 'M': return `{${Object.entries(content as object).map(([name, member]) => `${string(name)}: ${partiqlLiteral(member as AttributeValue, parameter)}`).join(', ')}}`
    default: return parameter(value)
  }
}
