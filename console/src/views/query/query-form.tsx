// The form of a Query or Scan: key templates with blanks, key condition, filters, and what comes back.

import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import type { Item } from '../../api/values'
import type { Place } from '../../frame/routes'
import { keyTemplatesOf, templateOfForm } from '../../model/template-choice'
import {
  fieldName, kFilterOperators, kSortOperators, kValueTypes, isQuery, typeOfPath, type Filter, type FilterOperator, type QueryForm, type ValueType
} from '../../model/request'
import { keyPlanOf, type KeyPlan, type TablePlan } from '../../model/tables'
import { blankProblems, blankTitle, countBlanks, fillWhole, parseTemplate, readWritten, sortCondition, type Filling, type SortOperator } from '../../model/templates'
import { kTypes } from '../../model/values'
import { useReturn } from '../../state/connection'
import { Button } from '../../ui/button'
import { CheckField, SelectField, TextField } from '../../ui/field'
import { countOf } from '../../ui/figures'
import { DataText } from '../../ui/item-value'
import { keyTemplates, needKeyTemplates, needSample, sampleOf } from './key-templates'

/** A link asks for the template of its form, or for the one with this name. */
export interface AskedTemplate {
  /** As JSON. */
  form: string
  name: string | undefined
}

/** What is wrong with the blanks of a key template, while the form has the key that they made. */
export interface BlankProblems {
  /** keyOfForm. */
  of: string
  problems: ReadonlyMap<number, string>
}

/** Returns the key conditions of a form as a text. */
export function keyOfForm({ hash, range }: Pick<QueryForm, 'hash' | 'range'>): string {
  return JSON.stringify([hash, range])
}

export interface QueryFormProps {
  place: Place
  table: TablePlan
  form: QueryForm
  asked: AskedTemplate | null
  onChange: (form: QueryForm) => void
  onBlanks: (problems: BlankProblems) => void
  /** The sentences that are shown beside fields (fieldName), and beside the blanks of the key template. */
  errors: ReadonlyMap<string, string>
  blank_errors: ReadonlyMap<number, string>
  /** Attributes that are known, for completion. */
  attributes: readonly string[]
  /** Items of the answer, which know the types of attributes. */
  items: readonly Item[]
}

export function QueryFields({ place, table, form, asked, onChange, onBlanks, errors, blank_errors, attributes, items }: QueryFormProps) {
  const plan = keyPlanOf(table, form.index || undefined)
  const change = (members: Partial<QueryForm>) => onChange({ ...form, ...members })
  return (
    <>
      <SelectField
        label="Read from"
        value={form.index}
        onChange={(index) => onChange({ ...form, index, hash: [], range: [], is_consistent: false })}
        options={[table.table, ...table.indexes].map((each) => ({ value: each.index ?? '', title: planText(table, each) }))}
      />
      <Templates
        key={form.index} place={place} plan={plan} form={form} asked={asked} errors={blank_errors}
        onFill={(key, problems) => {
          change(key)
          onBlanks({ of: keyOfForm(key), problems })
        }}
      />
      <KeyFields plan={plan} form={form} onChange={change} errors={errors} />
      <Filters place={place} form={form} onChange={change} errors={errors} attributes={attributes} items={items} />
      <TextField
        label="Attributes that come back" is_mono value={form.projection} placeholder="all" suggestions={attributes} error={errors.get('projection')}
        hint="Paths, with commas between them. What is left out is charged as well."
        onInput={(projection) => change({ projection })}
      />
      <div class="query-switches">
        <div class="query-limit"><TextField label="Limit of a page" value={form.limit} placeholder="1 MB" onInput={(limit) => change({ limit })} /></div>
        {isQuery(form, plan) && <CheckField label="Backward" checked={form.is_backward} onChange={(is_backward) => change({ is_backward })} />}
        {(!plan.index || plan.is_local) && (
          <CheckField label="Consistent" checked={form.is_consistent} onChange={(is_consistent) => change({ is_consistent })} />
        )}
        <CheckField label="Only count" checked={form.counts_only} onChange={(counts_only) => change({ counts_only })} />
      </div>
    </>
  )
}

function planText(table: TablePlan, plan: KeyPlan): string {
  const key = [...plan.hash, ...plan.range].map(({ name }) => name).join(', ')
  return `${plan.index ?? table.name} (${key})`
}

// --- Templates ---

interface TemplatesProps {
  place: Place
  plan: KeyPlan
  form: QueryForm
  asked: AskedTemplate | null
  errors: ReadonlyMap<number, string>
  onFill: (key: Pick<QueryForm, 'hash' | 'range'>, problems: ReadonlyMap<number, string>) => void
}

function Templates({ place, plan, form, asked, errors, onFill }: TemplatesProps) {
  const { index } = form
  const { entities, problem, is_loading } = keyTemplates(place, index)
  const [chosen, setChosen] = useState(-1)
  const [fillings, setFillings] = useState<Filling[]>([])
  useEffect(() => void needKeyTemplates(place, index), [place, index])
  useReturn(() => void needKeyTemplates(place, index, true))
  const usable = useMemo(() => keyTemplatesOf(plan, entities), [plan, entities])
  useEffect(() => {
    // What the reader has changed meanwhile stays.
    if (!asked || asked.form !== JSON.stringify(form)) return
    const found = templateOfForm(usable, plan, form, asked.name)
    if (found) fill(usable.indexOf(found.template), found.fillings)
  }, [asked, usable])
  const fill = (at: number, filled: Filling[]) => {
    setChosen(at)
    setFillings(filled)
    const { hash, range } = usable[at]!
    let from = 0
    const take = (template: string) => {
      from += countBlanks(template)
      return filled.slice(from - countBlanks(template), from)
    }
    onFill({
      hash: hash.map((template) => fillWhole(template, take(template)) ?? ''),
      range: range.map((template, at_range) => {
        const condition = sortCondition(template, take(template), plan.range[at_range]!.type)
        return condition ?? { operator: '=' as const, values: [] }
      })
    }, blankProblems([...hash, ...range], filled))
  }
  return (
    <fieldset class="query-part">
      <legend class="field-label">Key template</legend>
      {is_loading && <p class="muted">Reading the keys…</p>}
      {problem && <p class="field-note">No key templates: {problem}</p>}
      {!is_loading && !problem && usable.length === 0 && <p class="field-note">There are no items, so there are no key templates.</p>}
      {usable.length > 0 && (
        <ul class="templates">
          {usable.map(({ hash, range, items }, at) => (
            <li key={at}>
              <button type="button" class="template" aria-pressed={at === chosen} onClick={() => fill(at, [])}>
                <span class="template-key">
                  {[...hash, ...range].map((template) => <TemplateText text={template} />)}
                  {range.length < plan.range.length && <span class="muted">whole collection</span>}
                </span>
                <span class="muted">{countOf(items, 'item')}</span>
              </button>
              {at === chosen && (
                <Blanks
                  plan={plan} hash={hash} range={range} fillings={fillings} errors={errors}
                  onFill={(written) => {
                    const length = Math.max(fillings.length, ...[...written.keys()].map((blank) => blank + 1))
                    fill(at, Array.from({ length }, (_, blank) => written.get(blank) ?? fillings[blank] ?? {}))
                  }}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}

function TemplateText({ text }: { text: string }) {
  return (
    <span class="template-text">
      {parseTemplate(text).map((part) => (part.is_blank ? <span class="blank"><DataText text={part.text} /></span> : <DataText text={part.text} />))}
    </span>
  )
}

interface BlanksProps {
  plan: KeyPlan
  hash: string[]
  range: string[]
  fillings: Filling[]
  errors: ReadonlyMap<number, string>
  /** By the numbers of the blanks. */
  onFill: (written: ReadonlyMap<number, Filling>) => void
}

function Blanks({ plan, hash, range, fillings, errors, onFill }: BlanksProps) {
  const id = useId()
  let blank = 0
  const row = (name: string, template: string, is_hash: boolean) => {
    const first = blank
    const fields = parseTemplate(template).map((part) => {
      if (!part.is_blank) return <DataText text={part.text} />
      const at = blank++
      const { text = '', from, to = '' } = fillings[at] ?? {}
      const title = blankTitle(part)
      const field = (label: string, value: string, placeholder: string, set: (written: Map<number, string>) => void) => (
        <input
          class="input mono blank-input" aria-label={`${name}: ${label}`} value={value} placeholder={placeholder} spellcheck={false} autocomplete="off"
          aria-invalid={errors.has(at) || undefined} aria-describedby={errors.has(at) ? `${id}-${at}` : undefined}
          onInput={({ currentTarget, inputType }) => set(readWritten(template, first, at, currentTarget.value, /^insertFrom(Paste|Drop)/.test(inputType)))}
        />
      )
      const texts = (written: Map<number, string>) => [...written].map(([each, filled]): [number, Filling] => [each, { text: filled }])
      // Ids have no order that means something: only dates, numbers and the like are asked for by a range.
      if (is_hash || part.text === '…') return field(title, text, title, (written) => onFill(new Map(texts(written))))
      const start = to ? from ?? '' : text
      const range_of = (from_text: string, to_text: string): Filling => (to_text ? { from: from_text, to: to_text } : { text: from_text })
      return (
        <>
          {field(title, start, title, (written) => onFill(new Map([...texts(written), [at, range_of(written.get(at)!, to)]])))}
          <span class="muted">–</span>
          {field(`${title}, up to`, to, 'up to', (written) => onFill(new Map([[at, range_of(start, written.get(at)!)]])))}
        </>
      )
    })
    return (
      <div class="blanks-row" key={name}>
        <span class="blanks-name"><DataText text={name} /></span>
        <div>
          <span class="blanks-fields">{fields}</span>
          {[...errors].filter(([at]) => at >= first && at < blank).map(([at, error]) => <p key={at} id={`${id}-${at}`} class="field-note field-error">{error}</p>)}
        </div>
      </div>
    )
  }
  return (
    <div class="blanks">
      {hash.map((template, at) => row(plan.hash[at]!.name, template, true))}
      {range.map((template, at) => row(plan.range[at]!.name, template, false))}
    </div>
  )
}

// --- The key condition ---

interface PartProps {
  form: QueryForm
  onChange: (members: Partial<QueryForm>) => void
  errors: ReadonlyMap<string, string>
}

function replaced<Value>(list: readonly Value[], at: number, value: Value, filler: Value): Value[] {
  return Array.from({ length: Math.max(list.length, at + 1) }, (_, each) => (each === at ? value : list[each] ?? filler))
}

function KeyFields({ plan, form, onChange, errors }: PartProps & { plan: KeyPlan }) {
  const no_condition = { operator: '=' as SortOperator, values: [] as string[] }
  return (
    <fieldset class="query-part">
      <legend class="field-label">Key condition</legend>
      {plan.hash.map(({ name, type }, at) => (
        <div class="condition" key={name}>
          <span class="condition-name"><DataText text={name} /> <span class="key-type">{type}</span></span>
          <span class="condition-sign">=</span>
          <TextField
            label={`${name} equals`} has_hidden_label is_mono value={form.hash[at] ?? ''} placeholder="without a value: Scan"
            error={errors.get(fieldName('hash', at))}
            onInput={(text) => onChange({ hash: replaced(form.hash, at, text, '') })}
          />
        </div>
      ))}
      {plan.range.map(({ name, type }, at) => {
        const condition = form.range[at] ?? no_condition
        const set = (members: Partial<typeof condition>) => onChange({ range: replaced(form.range, at, { ...condition, ...members }, no_condition) })
        return (
          <div class="condition" key={name}>
            <span class="condition-name"><DataText text={name} /> <span class="key-type">{type}</span></span>
            <SelectField
              label={`Operator of ${name}`} has_hidden_label value={condition.operator}
              options={(Object.keys(kSortOperators) as SortOperator[]).filter((operator) => operator !== 'begins_with' || type !== 'N')}
              onChange={(operator) => set({ operator: operator as SortOperator })}
            />
            <ValueFields
              name={name} count={kSortOperators[condition.operator]} values={condition.values} {...(condition.operator === '=' && { placeholder: 'any' })}
              errorOf={(place) => errors.get(fieldName('range', at, place))} onChange={(values) => set({ values })}
            />
          </div>
        )
      })}
    </fieldset>
  )
}

function ValueFields({ name, count, values, placeholder, errorOf, onChange }: {
  name: string; count: number; values: readonly string[]; placeholder?: string; errorOf: (at: number) => string | undefined; onChange: (values: string[]) => void
}) {
  return (
    <div class="condition-values">
      {Array.from({ length: count }, (_, at) => (
        <TextField
          key={at} label={count > 1 ? `Value ${at + 1} of ${name}` : `Value of ${name}`} has_hidden_label is_mono value={values[at] ?? ''}
          error={errorOf(at)} {...(placeholder && { placeholder })}
          onInput={(text) => onChange(replaced(values, at, text, ''))}
        />
      ))}
    </div>
  )
}

// --- Filters ---

const kNewFilter: Filter = { path: '', operator: '=', type: 'S', values: [''], is_negated: false }

function Filters({ place, form, onChange, errors, attributes, items }: PartProps & { place: Place; attributes: readonly string[]; items: readonly Item[] }) {
  const has_filters = form.filters.length > 0
  useEffect(() => {
    if (has_filters) void needSample(place)
  }, [place, has_filters])
  const set = (at: number, members: Partial<Filter>) =>
    onChange({ filters: form.filters.map((filter, each) => (each === at ? { ...filter, ...members } : filter)) })
  return (
    <fieldset class="query-part">
      <legend class="field-label">Filters</legend>
      {form.filters.length > 1 && (
        <SelectField
          label="Filters are joined by" has_hidden_label value={form.joined_by} onChange={(joined_by) => onChange({ joined_by: joined_by as 'AND' | 'OR' })}
          options={[{ value: 'AND', title: 'All of them hold' }, { value: 'OR', title: 'At least one of them holds' }]}
        />
      )}
      {form.filters.map((filter, at) => (
        <div class="filter" key={at}>
          <TextField
            label={`Attribute of filter ${at + 1}`} has_hidden_label is_mono value={filter.path} placeholder="attribute" suggestions={attributes}
            error={errors.get(fieldName('filter', at, 'path'))}
            onInput={(path) => set(at, { path, type: typeOfPath(path, [...items, ...sampleOf(place)]) ?? filter.type })}
          />
          <SelectField
            label={`Operator of filter ${at + 1}`} has_hidden_label value={filter.operator} options={Object.keys(kFilterOperators)}
            onChange={(operator) => set(at, { operator: operator as FilterOperator, ...(operator === 'attribute_type' && { values: ['S'] }) })}
          />
          <FilterValue filter={filter} at={at} errorOf={(place) => errors.get(fieldName('filter', at, place))} onChange={(members) => set(at, members)} />
          <div class="filter-end">
            <Button kind="quiet" pressed={filter.is_negated} label={`not: filter ${at + 1}`} onClick={() => set(at, { is_negated: !filter.is_negated })}>not</Button>
            <Button kind="quiet" label={`Remove filter ${at + 1}`} onClick={() => onChange({ filters: form.filters.filter((_, each) => each !== at) })}>✕</Button>
          </div>
        </div>
      ))}
      <div><Button kind="quiet" onClick={() => onChange({ filters: [...form.filters, kNewFilter] })}>+ Add a filter</Button></div>
    </fieldset>
  )
}

function FilterValue({ filter, at, errorOf, onChange }: {
  filter: Filter; at: number; errorOf: (place: number) => string | undefined; onChange: (members: Partial<Filter>) => void
}) {
  const name = `filter ${at + 1}`
  const { operator, type, values } = filter
  if (kFilterOperators[operator] === 0) return null
  if (operator === 'attribute_type') {
    return (
      <SelectField label={`Type of ${name}`} has_hidden_label value={values[0] || 'S'} options={kTypes} onChange={(value) => onChange({ values: [value] })} />
    )
  }
  const is_size = operator.startsWith('size')
  return (
    <>
      {!is_size && (
        <SelectField
          label={`Type of the value of ${name}`} has_hidden_label value={type} onChange={(value) => onChange({ type: value as ValueType })}
          options={Object.entries(kValueTypes).map(([value, title]) => ({ value, title }))}
        />
      )}
      {!is_size && type === 'BOOL' ? (
        <SelectField label={`Value of ${name}`} has_hidden_label value={values[0] || 'false'} options={['true', 'false']} onChange={(value) => onChange({ values: [value] })} />
      ) : !is_size && type === 'NULL' ? null : operator === 'IN' ? (
        <TextField
          label={`Values of ${name}, one in each line`} has_hidden_label is_mono rows={3} value={values.join('\n')} placeholder="one in each line" error={errorOf(0)}
          onInput={(text) => onChange({ values: text.split('\n').slice(0, 100) })}
        />
      ) : (
        <ValueFields name={name} count={kFilterOperators[operator]} values={values} errorOf={errorOf} onChange={(next) => onChange({ values: next })} />
      )}
    </>
  )
}
