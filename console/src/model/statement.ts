// The form of the view *query* → a PartiQL statement that reads the same. Pure functions.

import { partiqlLiteral, quotePartiqlName } from './code'
import { parsePath, type Path } from './paths'
import { isFilled, isQuery, readValue, splitPaths, type Filter, type QueryForm, type ValueType } from './request'
import { keyPlanOf, type TablePlan } from './tables'
import type { AttributeValue } from '../api/values'

export interface Statement {
  Statement: string
  Parameters?: AttributeValue[]
  Limit?: number
  ConsistentRead?: boolean
}

export interface BuiltStatement {
  input: Statement
  /** Sentences about what the statement does not say. */
  notes: string[]
}

function partiqlPath(path: Path): string {
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : (at === 0 ? '' : '.') + quotePartiqlName(step))).join('')
}

/** Returns the statement of a form whose request has no problems. Throws an Error where a value is wrong. */
export function statementOf(form: QueryForm, table: TablePlan): BuiltStatement {
  const plan = keyPlanOf(table, form.index || undefined)
  const parameters: AttributeValue[] = []
  const literal = (text: string, type: ValueType) => partiqlLiteral(readValue(text, type), (value) => {
    parameters.push(value)
    return '?'
  })
  const is_query = isQuery(form, plan)
  // Parameters are numbered by their places, so the terms are made in the order in which they stand in the statement.
  const terms = is_query ? plan.hash.map(({ name, type }, at) => `${quotePartiqlName(name)} = ${literal(form.hash[at]!, type)}`) : []
  if (is_query) {
    plan.range.forEach(({ name, type }, at) => {
      const condition = form.range[at]
      if (!condition || !isFilled(condition)) return
      terms.push(termOf({ path: quotePartiqlName(name), operator: condition.operator, values: condition.values, type, is_negated: false }, quotePartiqlName(name), literal))
    })
  }
  const filters = form.filters.map((filter) => {
    const path = parsePath(filter.path.trim())
    if (!path) throw new Error(`${filter.path} is no path of an attribute.`)
    const term = termOf(filter, partiqlPath(path), literal)
    return filter.is_negated ? `NOT (${term})` : term
  })
  const filter = filters.join(` ${form.joined_by} `)
  if (filter !== '') terms.push(form.joined_by === 'OR' && filters.length > 1 && terms.length > 0 ? `(${filter})` : filter)

  const paths = splitPaths(form.projection).map((text) => partiqlPath(parsePath(text) ?? [text]))
  const from = [form.table, ...(form.index ? [form.index] : [])].map(quotePartiqlName).join('.')
  const order = is_query && form.is_backward && plan.range.length > 0 ? `\nORDER BY ${quotePartiqlName(plan.range[0]!.name)} DESC` : ''
  const limit = form.limit.trim()
  const notes = [
    ...(form.counts_only ? ['PartiQL cannot count only: the statement gives the items.'] : []),
    ...(limit ? ['The limit stands beside the statement, as the member Limit.'] : []),
    ...(plan.hash.length > 1 || plan.range.length > 1 ? ['PartiQL cannot read an index whose key has several HASH or RANGE attributes.'] : []),
  ]
  return {
    notes,
    input: {
      Statement: `SELECT ${paths.join(', ') || '*'}\nFROM ${from}${terms.length > 0 ? `\nWHERE ${terms.join('\n  AND ')}` : ''}${order}`,
      ...(parameters.length > 0 && { Parameters: parameters }),
      ...(form.is_consistent && { ConsistentRead: true }),
      ...(limit && { Limit: Number(limit) }),
    },
  }
}

function termOf({ operator, values, type }: Filter, path: string, literal: (text: string, type: ValueType) => string): string {
  const at = (place: number) => literal(values[place] ?? '', type)
  switch (operator) {
    case 'BETWEEN': return `${path} BETWEEN ${at(0)} AND ${at(1)}`
    case 'IN': return `${path} IN [${(values.length > 0 ? values : ['']).map((value) => literal(value, type)).join(', ')}]`
    case 'begins_with':
    case 'contains': return `${operator}(${path}, ${at(0)})`
    case 'attribute_exists': return `${path} IS NOT MISSING`
    case 'attribute_not_exists': return `${path} IS MISSING`
    case 'attribute_type': return `attribute_type(${path}, ${literal(values[0] ?? '', 'S')})`
    case 'size =':
    case 'size <':
    case 'size >': return `size(${path}) ${operator.slice(5)} ${literal(values[0] ?? '', 'N')}`
    default: return `${path} ${operator} ${at(0)}`
  }
}
