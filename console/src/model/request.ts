// The form of the view *query* → the input of Query or Scan, and the reason where it is a Scan. Pure functions.

import { parseJson } from './exact-json'
import { parsePath, Placeholders, printPath, valueAt } from './paths'
import { keyPlanOf, type KeyAttribute, type KeyPlan, type TablePlan } from './tables'
import type { SortOperator } from './templates'
import { typeOf, type AttributeValue, type Item } from '../api/values'
import { base64Problem, fromDynamoJson, numberProblem } from './values'

export type FilterOperator =
  | '=' | '<>' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'IN' | 'begins_with' | 'contains'
  | 'attribute_exists' | 'attribute_not_exists' | 'attribute_type' | 'size =' | 'size <' | 'size >'
export type ValueType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'JSON'

/** How many values an operator takes; IN takes any number, from one. */
export const kFilterOperators: Record<FilterOperator, number> = {
  '=': 1, '<>': 1, '<': 1, '<=': 1, '>': 1, '>=': 1, BETWEEN: 2, IN: Infinity, begins_with: 1, contains: 1,
  attribute_exists: 0, attribute_not_exists: 0, attribute_type: 1, 'size =': 1, 'size <': 1, 'size >': 1,
}
export const kSortOperators: Record<SortOperator, number> = { '=': 1, '<': 1, '<=': 1, '>': 1, '>=': 1, BETWEEN: 2, begins_with: 1 }
export const kValueTypes: Record<ValueType, string> = {
  S: 'string', N: 'number', B: 'binary', BOOL: 'boolean', NULL: 'null', JSON: 'DynamoDB JSON',
}

export interface Filter {
  path: string
  operator: FilterOperator
  type: ValueType
  values: string[]
  is_negated: boolean
}

export interface QueryForm {
  table: string
  /** "" for the table itself. */
  index: string
  /** The values of the HASH attributes; without all of them the request is a Scan. */
  hash: string[]
  /** The conditions on the RANGE attributes, in their order: `=` on each but the last one that has a condition. */
  range: { operator: SortOperator; values: string[] }[]
  filters: Filter[]
  joined_by: 'AND' | 'OR'
  /** Paths, separated by commas; "" for all attributes. */
  projection: string
  is_backward: boolean
  is_consistent: boolean
  counts_only: boolean
  limit: string
}

export function emptyForm(table: string): QueryForm {
  return {
    table, index: '', hash: [], range: [], filters: [], joined_by: 'AND', projection: '', is_backward: false, is_consistent: false,
    counts_only: false, limit: '50',
  }
}

export interface ReadInput {
  TableName: string
  IndexName?: string
  KeyConditionExpression?: string
  FilterExpression?: string
  ProjectionExpression?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, AttributeValue>
  ScanIndexForward?: boolean
  ConsistentRead?: boolean
  Select?: 'COUNT'
  Limit?: number
  ReturnConsumedCapacity?: 'INDEXES'
  ExclusiveStartKey?: Item
}

/** What is missing or wrong in a form; with a problem the request is not sent. */
export interface Problem {
  /** A sentence. */
  text: string
  /** The field that it is about: fieldName, or "projection". Undefined where it is about several. */
  field?: string
}

/** Returns the name of a field of the form: of a HASH or RANGE attribute, or of a filter, with the number of the value. */
export function fieldName(part: 'hash' | 'range' | 'filter', at: number, value: number | 'path' = 0): string {
  return `${part} ${at} ${value}`
}

export interface BuiltRequest {
  operation: 'Query' | 'Scan'
  input: ReadInput
  problems: Problem[]
}

/** Returns the value that the text of a field stands for. Throws an Error with a sentence. */
export function readValue(text: string, type: ValueType): AttributeValue {
  switch (type) {
    case 'S': return { S: text }
    case 'N': {
      const problem = numberProblem(text)
      if (problem) throw new Error(problem)
      return { N: text.trim() }
    }
    case 'B': {
      const problem = base64Problem(text)
      if (problem) throw new Error(problem)
      return { B: text }
    }
    case 'BOOL': return { BOOL: text === 'true' }
    case 'NULL': return { NULL: true }
    case 'JSON': return fromDynamoJson(parseJson(text))
  }
}

const kElementTypes: Partial<Record<string, ValueType>> = { S: 'S', N: 'N', B: 'B', BOOL: 'BOOL', NULL: 'NULL', SS: 'S', NS: 'N', BS: 'B' }

/** Returns the type that a path has in the first item that has it, of a set that of its elements; undefined where that is unknown. */
export function typeOfPath(text: string, items: readonly Item[]): ValueType | undefined {
  const path = parsePath(text.trim())
  const value = path && items.map((item) => valueAt(item, path)).find((each) => each !== undefined)
  return value && kElementTypes[typeOf(value)]
}

/** Returns whether a condition on a RANGE attribute says anything: one of the values that its operator takes is filled in. */
export function isFilled({ operator, values }: QueryForm['range'][number]): boolean {
  return values.slice(0, kSortOperators[operator]).some((value) => value !== '')
}

/** Returns whether the form has the values of all HASH attributes. */
export function isQuery(form: QueryForm, plan: KeyPlan): boolean {
  return plan.hash.length > 0 && plan.hash.every((_, at) => (form.hash[at] ?? '') !== '')
}

export function buildRequest(form: QueryForm, table: TablePlan): BuiltRequest {
  const plan = keyPlanOf(table, form.index || undefined)
  const places = new Placeholders()
  const problems: Problem[] = []
  const refuse = (text: string, field?: string) => {
    problems.push({ text, ...(field !== undefined && { field }) })
    return ':a'
  }
  // Returns the placeholder of a value.
  const value = (text: string, type: ValueType, name: string, field: string) => {
    try {
      return places.value(readValue(text, type), name)
    } catch (error) {
      return refuse(`${name}: ${(error as Error).message}`, field)
    }
  }

  const is_query = isQuery(form, plan)
  const key_terms = is_query
    ? plan.hash.map(({ name, type }, at) => `${places.name(name)} = ${value(form.hash[at]!, type, name, fieldName('hash', at))}`)
    : []
  let is_ended = false
  plan.range.forEach((attribute, at) => {
    const condition = form.range[at]
    const { name, type } = attribute
    if (!condition || !isFilled(condition)) {
      if (condition && condition.operator !== '=') refuse(`${condition.operator} needs a value of ${name}. With = and no value, every ${name} fits.`, fieldName('range', at))
      is_ended = true
      return
    }
    if (!is_query) {
      const missing = plan.hash.findIndex((_, each) => (form.hash[each] ?? '') === '')
      refuse(`A condition on ${name} needs a value of ${missingHash(form, plan).join(' and ')}.`, fieldName('hash', missing))
    } else if (is_ended) {
      refuse(`A condition on ${name} needs = on the RANGE attributes before it.`, fieldName('range', at))
    } else {
      key_terms.push(sortTerm(condition, places.name(name), (text, place) =>
        text === '' ? refuse(`${condition.operator} needs both values of ${name}.`, fieldName('range', at, place)) : value(text, type, name, fieldName('range', at, place))))
    }
    if (condition.operator !== '=') is_ended = true
  })

  const filter_terms = form.filters.flatMap((filter, at) => {
    const path = parsePath(filter.path.trim())
    if (!path) {
      refuse(filter.path.trim() ? `${filter.path} is no path of an attribute.` : 'This filter has no attribute.', fieldName('filter', at, 'path'))
      return []
    }
    const hint = String(path.filter((step) => typeof step === 'string').at(-1))
    const term = filterTerm(filter, places.path(path), (text, place, type = filter.type) => {
      const field = fieldName('filter', at, filter.operator === 'IN' ? 0 : place)
      return text === '' && !kWithoutText.has(type) ? refuse(emptyText(filter, hint), field) : value(text, type, hint, field)
    })
    return [filter.is_negated ? `NOT ${term}` : term]
  })

  const projected = splitPaths(form.projection).map((text) => {
    const path = parsePath(text)
    if (!path) refuse(`${text} is no path of an attribute.`, 'projection')
    return path ? places.path(path) : ''
  })
  if (form.counts_only && projected.length > 0) refuse('A request that only counts has no projection.')
  if (form.index && plan.index !== form.index) refuse(`There is no index ${form.index}.`)
  if (form.is_consistent && form.index && !plan.is_local) refuse('A global index has no consistent reads.')
  const limit = form.limit.trim()
  if (limit !== '' && !/^[1-9]\d{0,8}$/.test(limit)) refuse('The limit is a whole number from 1.')

  return {
    operation: is_query ? 'Query' : 'Scan',
    problems,
    input: {
      TableName: form.table,
      ...(form.index && { IndexName: form.index }),
      ...(is_query && { KeyConditionExpression: key_terms.join(' AND ') }),
      ...(filter_terms.length > 0 && { FilterExpression: filter_terms.join(` ${form.joined_by} `) }),
      ...(projected.length > 0 && { ProjectionExpression: projected.join(', ') }),
      ...places.members(),
      ...(is_query && form.is_backward && { ScanIndexForward: false }),
      ...(form.is_consistent && { ConsistentRead: true }),
      ...(form.counts_only && { Select: 'COUNT' as const }),
      ...(limit !== '' && { Limit: Number(limit) }),
    },
  }
}

// Their values are chosen.
const kWithoutText: ReadonlySet<ValueType> = new Set(['BOOL', 'NULL'])

/** Returns why a filter without a value is not sent. */
function emptyText({ operator, type }: Filter, name: string): string {
  const needed = operator === 'BETWEEN' ? `both values of ${name}` : operator === 'IN' ? `a value of ${name} in each line` : `a value of ${name}`
  const is_text = type === 'S' && !operator.startsWith('size')
  return `${operator} needs ${needed}.${is_text ? ' For the empty string, choose DynamoDB JSON: {"S": ""}' : ''}`
}

/** `value` is given a text and its number among the values. */
function sortTerm(
  { operator, values }: { operator: SortOperator; values: string[] }, name: string, value: (text: string, place: number) => string,
): string {
  const [first, second] = Array.from({ length: kSortOperators[operator] }, (_, at) => value(values[at] ?? '', at))
  if (operator === 'BETWEEN') return `${name} BETWEEN ${first} AND ${second}`
  if (operator === 'begins_with') return `begins_with(${name}, ${first})`
  return `${name} ${operator} ${first}`
}

function filterTerm({ operator, values }: Filter, path: string, value: (text: string, place: number, type?: ValueType) => string): string {
  const at = (place: number, type?: ValueType) => value(values[place] ?? '', place, type)
  switch (operator) {
    case 'BETWEEN': return `${path} BETWEEN ${at(0)} AND ${at(1)}`
    case 'IN': return `${path} IN (${(values.length > 0 ? values : ['']).map((text, place) => value(text, place)).join(', ')})`
    case 'begins_with':
    case 'contains': return `${operator}(${path}, ${at(0)})`
    case 'attribute_exists':
    case 'attribute_not_exists': return `${operator}(${path})`
    case 'attribute_type': return `attribute_type(${path}, ${at(0, 'S')})`
    case 'size =':
    case 'size <':
    case 'size >': return `size(${path}) ${operator.slice(5)} ${at(0, 'N')}`
    default: return `${path} ${operator} ${at(0)}`
  }
}

/** Returns the paths of a list that is separated by commas; a comma in double quotes is part of a name. */
export function splitPaths(text: string): string[] {
  return (text.match(/(?:"(?:[^"]|"")*"|[^,"])+/g) ?? []).map((path) => path.trim()).filter((path) => path !== '')
}

/** Returns the attributes that the filters and the projection of a form name, and that the chosen index does not have. */
export function unprojectedNames(form: QueryForm, table: TablePlan): string[] {
  const plan = keyPlanOf(table, form.index || undefined)
  if (plan.index === undefined || plan.projection === 'ALL') return []
  const projected = new Set([...plan.included, ...[plan, table.table].flatMap((each) => [...each.hash, ...each.range]).map(({ name }) => name)])
  const named = [...form.filters.map(({ path }) => path.trim()), ...splitPaths(form.projection)].map((text) => parsePath(text)?.[0])
  return [...new Set(named)].filter((name): name is string => typeof name === 'string' && !projected.has(name))
}

// --- Why a request is a Scan ---

function missingHash(form: QueryForm, plan: KeyPlan): string[] {
  return plan.hash.filter((_, at) => (form.hash[at] ?? '') === '').map(({ name }) => name)
}

/** Attributes for which a request asks equality, with the texts and the types of the values. */
export type Equalities = ReadonlyMap<string, { text: string; type: ValueType }>

/** Returns what the filters of a form ask equality for. */
export function equalitiesOf(form: QueryForm): Equalities {
  if (form.joined_by === 'OR' && form.filters.length > 1) return new Map()
  return new Map(form.filters.filter(({ operator, is_negated }) => operator === '=' && !is_negated).flatMap((filter) => {
    const path = parsePath(filter.path.trim())
    const text = filter.values[0] ?? ''
    return path?.length === 1 && text !== '' ? [[String(path[0]), { text, type: filter.type }] as const] : []
  }))
}

export interface ScanReason {
  /** Why it is a Scan. */
  reason: string
  /** What would serve it instead; undefined where nothing that exists does. */
  remedy?: string
  /** The form of that Query. */
  better?: QueryForm
}

/** Returns why the request of the form is a Scan, and what would serve it. */
export function scanReason(form: QueryForm, table: TablePlan): ScanReason {
  const plan = keyPlanOf(table, form.index || undefined)
  const missing = missingHash(form, plan)
  const place = placeName(plan)
  const reason = `It reads all of ${place}, because there is no value of its HASH key ${missing.join(' and ')}. `
    + 'A filter drops items after they are read: every item that is read is charged.'
  const equalities = equalitiesOf(form)
  const better = servingPlan(table, equalities)
  if (!better) {
    const names = [...equalities.keys()]
    return { reason, remedy: names.length > 0
      ? `No key of the table or of an index begins with ${names.join(' or ')}: an index with ${names[0]} as its HASH key would serve it.`
      : `Give ${missing.join(' and ')} a value, or choose an index whose HASH key you know.` }
  }
  const used = new Set(better.hash.map(({ name }) => name))
  const sort = better.range[0]
  const sort_filter = sort && form.filters.find((filter) => filter.path.trim() === printPath([sort.name]) && !filter.is_negated
    && filter.type === sort.type && Object.hasOwn(kSortOperators, filter.operator))
  if (sort_filter) used.add(sort.name)
  const name = placeName(better)
  return {
    reason,
    remedy: `${name.replace(/^./, (letter) => letter.toUpperCase())} has ${[...used].join(' and ')} in its key: a Query of ${name} serves it.`,
    better: {
      ...form,
      index: better.index ?? '',
      hash: better.hash.map((attribute) => equalities.get(attribute.name)!.text),
      range: sort_filter ? [{ operator: sort_filter.operator as SortOperator, values: sort_filter.values }] : [],
      filters: form.filters.filter((filter) => !used.has(filter.path.trim()) || (filter !== sort_filter && filter.operator !== '=')),
      is_consistent: form.is_consistent && (better.index === undefined || better.is_local),
    },
  }
}

function placeName(plan: KeyPlan): string {
  return plan.index === undefined ? 'the table' : `index ${plan.index}`
}

/** Returns the table or the index whose HASH attributes all have an equality: the one with most key attributes among them. */
export function servingPlan(table: TablePlan, equalities: Equalities): KeyPlan | undefined {
  const isGiven = ({ name, type }: KeyAttribute) => equalities.get(name)?.type === type
  const weight = (plan: KeyPlan) => plan.hash.length + plan.range.filter(isGiven).length
  return [table.table, ...table.indexes].filter((plan) => plan.hash.length > 0 && plan.hash.every(isGiven))
    .sort((a, b) => weight(b) - weight(a))[0]
}

/** Returns the form of a key: all items of one collection, or one item. */
export function formOfKey(table: TablePlan, index: string | undefined, key: Item): QueryForm {
  const plan = keyPlanOf(table, index)
  const text = (name: string) => (Object.hasOwn(key, name) ? String(Object.values(key[name]!)[0]) : '')
  return {
    ...emptyForm(table.name),
    index: plan.index ?? '',
    hash: plan.hash.map(({ name }) => text(name)),
    range: plan.range.filter(({ name }) => text(name) !== '').map(({ name }) => ({ operator: '=' as const, values: [text(name)] })),
  }
}

// --- A form that was kept ---

const kMaxKept = 100

/** Returns the form of a value that comes from a URL or from the browser's storage, where anything may stand. */
export function restoreForm(kept: unknown, table: string): QueryForm {
  const usual = emptyForm(table)
  const from = isObject(kept) ? kept : {}
  const conditionOf = (each: unknown) => {
    const { operator, values } = isObject(each) ? each : {}
    return { operator: oneOf(Object.keys(kSortOperators) as SortOperator[], operator, '='), values: texts(values) }
  }
  const filterOf = (each: unknown): Filter => {
    const { path, operator, type, values, is_negated } = isObject(each) ? each : {}
    return {
      path: textOr(path, ''), operator: oneOf(Object.keys(kFilterOperators) as FilterOperator[], operator, '='),
      type: oneOf(Object.keys(kValueTypes) as ValueType[], type, 'S'), values: texts(values), is_negated: is_negated === true
    }
  }
  return {
    table,
    index: textOr(from['index'], usual.index),
    hash: texts(from['hash']),
    range: listOf(from['range']).map(conditionOf),
    filters: listOf(from['filters']).map(filterOf),
    joined_by: oneOf(['AND', 'OR'], from['joined_by'], 'AND'),
    projection: textOr(from['projection'], ''),
    is_backward: from['is_backward'] === true,
    is_consistent: from['is_consistent'] === true,
    counts_only: from['counts_only'] === true,
    limit: textOr(from['limit'], usual.limit)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, kMaxKept) : []
}

function texts(value: unknown): string[] {
  return listOf(value).map((each) => textOr(each, ''))
}

function textOr(value: unknown, usual: string): string {
  return typeof value === 'string' ? value : usual
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown, usual: Value): Value {
  return values.includes(value as Value) ? (value as Value) : usual
}

/** Returns a form in one line: "GSI1 · STATUS#open · begins_with ORDER# · total > 5". */
export function formText(form: QueryForm): string {
  const conditions = form.range.filter(isFilled).map(({ operator, values }) => `${operator} ${values.filter((value) => value !== '').join(' and ')}`)
  const filters = form.filters.map(({ path, operator, values, is_negated }) =>
    `${is_negated ? 'not ' : ''}${path} ${operator} ${values.slice(0, 3).join(', ')}`.trim())
  const parts = [form.index || 'table', ...form.hash.filter((value) => value !== ''), ...conditions, ...filters, form.is_backward ? 'backward' : '']
  return parts.filter((part) => part !== '').join(' · ')
}
