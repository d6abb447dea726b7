// A Query or Scan from a form: the request as JSON and as code, the answer, and what it cost.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useShortcut } from '../../frame/keyboard'
import { hrefOf, route, setParameters, type Place } from '../../frame/routes'
import { printJson, type Json } from '../../model/exact-json'
import { codeOf, type CodePlace, type Language } from '../../model/code'
import { buildRequest, equalitiesOf, formOfKey, formText, restoreForm, scanReason, unprojectedNames, type BuiltRequest, type QueryForm } from '../../model/request'
import { statementOf } from '../../model/statement'
import { keyPlanOf, planOf, type TablePlan } from '../../model/tables'
import { parseItem } from '../../model/values'
import { useReturn } from '../../state/connection'
import { is_read_only } from '../../state/server'
import { table as described_table } from '../../state/tables'
import { Button } from '../../ui/button'
import { Tabs } from '../../ui/tabs'
import { UndoButton } from '../item/undo'
import { Answer, columnNames } from './answer'
import { CodeText } from './code-text'
import { Explained, explainInto } from './explained'
import { keepQuery } from './history'
import { HistoryButtons } from './history-dialog'
import { keyTemplates, knownAttributes } from './key-templates'
import { keyOfForm, QueryFields, type AskedTemplate, type BlankProblems } from './query-form'
import { askAgain, requestText, startRun } from './run'
import { sessionOf } from './session'
import { TemplateQueries } from './template-queries'

export function QueryView({ place }: { place: Place }) {
  const description = described_table.value
  const table = useMemo(() => (description ? planOf(description) : undefined), [description])
  if (!table || table.name !== place.table) return <p class="muted">Reading the table…</p>
  return <TableQuery key={JSON.stringify(place)} place={place} table={table} />
}

/**
 * Returns the form that the URL asks for: `form`; or `key` (and `index`) of a collection or an item; or `index` of a listed request. `template`
 * is the name of a key template, which the form is filled by when the templates are known.
 */
function formOfRoute(table: TablePlan): QueryForm | undefined {
  const { parameters } = route.peek()
  try {
    const form = parameters.get('form')
    if (form) return restoreForm(JSON.parse(form), table.name)
    const key = parameters.get('key')
    if (key) return formOfKey(table, parameters.get('index'), parseItem(key, 'dynamodb'))
    const index = parameters.get('index')
    return index || parameters.get('template') || parameters.has('listed') ? restoreForm({ index }, table.name) : undefined
  } catch {
    return undefined
  }
}

const kNoErrors: ReadonlyMap<any, string> = new Map<never, string>()

function TableQuery({ place, table }: { place: Place; table: TablePlan }) {
  const session = sessionOf(place)
  const form = session.form.value
  const [shown, setShown] = useState<'answer' | 'code'>('answer')
  const fields = useRef<HTMLDivElement>(null)
  const answer = useRef<HTMLElement>(null)

  const [asked, setAsked] = useState<AskedTemplate | null>(null)
  const [blanks, setBlanks] = useState<BlankProblems>({ of: '', problems: new Map() })
  /** How often the reader wanted to run what is not complete. */
  const [tries, setTries] = useState(0)

  // The form is there in the first frame, so it does not replace what the reader types.
  useLayoutEffect(() => {
    const asked_form = formOfRoute(table)
    if (!asked_form) return
    if (JSON.stringify(asked_form) !== JSON.stringify(session.form.peek())) session.form.value = asked_form
    const { parameters } = route.peek()
    setAsked(parameters.get('form') ? null : { form: JSON.stringify(asked_form), name: parameters.get('template') })
  }, ['form', 'key', 'index', 'template', 'listed'].map((name) => route.value.parameters.get(name)))

  const request = buildRequest(form, table)
  const asked_text = requestText(request.operation, request.input)
  const missing = unprojectedNames(form, table)
  // What is missing in a field is said there once the reader wants to run the request: before, they may be about to fill it in.
  const problems = request.problems.filter(({ field }) => field === undefined)
  const errors = new Map(request.problems.flatMap(({ field, text }) => (field === undefined ? [] : [[field, text] as const])).reverse())
  const blank_errors = blanks.of === keyOfForm(form) ? blanks.problems : kNoErrors
  const is_complete = errors.size + blank_errors.size === 0
  const is_marked = tries > 0 && !is_complete
  useEffect(() => {
    if (is_complete) setTries(0)
  }, [is_complete])
  useEffect(() => {
    if (is_marked) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries])
  const showAnswer = () => {
    setShown('answer')
    // In a narrow window the answer is below the form.
    if (matchMedia('(max-width: 900px)').matches) answer.current?.scrollIntoView()
  }
  /** Returns whether the request may be sent. */
  const check = () => {
    if (!is_complete) setTries(tries + 1)
    return is_complete && problems.length === 0
  }
  const run = () => {
    if (!check()) return
    showAnswer()
    session.explanation.value = null
    session.run_index.value = form.index
    keepQuery({ kind: 'Query', content: form, text: formText(form), table: place.table, epoch_ms: Date.now() })
    setParameters({ form: JSON.stringify(form), key: undefined, index: undefined, template: undefined, listed: undefined })
    void startRun(session.run, { place, operation: request.operation, input: { ...request.input }, is_write: false })
  }
  useReturn(() => askAgain(session.run))
  useShortcut('mod+Enter', 'Run the request', run)
  useShortcut('/', 'Go to the key condition', () => fields.current?.querySelector<HTMLElement>('.condition input')?.focus())

  const items = session.run.value?.items ?? []
  const attributes = useMemo(() => {
    return [...new Set([...knownAttributes(place, table), ...columnNames(items, [])])]
  }, [items, table, keyTemplates(place, '')])

  return (
    <div class="query">
      <div class="query-side" ref={fields}>
        <header class="toolbar">
          <h2>Query</h2>
          <span class="toolbar-space" />
          <HistoryButtons
            kind="Query" table={place.table} content={form} text={formText(form)}
            onChoose={(content) => (session.form.value = restoreForm(content, table.name))}
          />
        </header>
        <form
          class="query-form" aria-label="The request"
          onSubmit={(event) => {
            event.preventDefault()
            run()
          }}
        >
          <QueryFields
            place={place} table={table} form={form} asked={asked} onChange={(next) => (session.form.value = next)} onBlanks={setBlanks}
            errors={is_marked ? errors : kNoErrors} blank_errors={is_marked ? blank_errors : kNoErrors} attributes={attributes} items={items}
          />
          {missing.length > 0 && (
            <p class="field-note query-missing">Index {form.index} does not have {missing.join(', ')}: a filter finds nothing there, and a global index gives no such attribute.</p>
          )}
          <div class="query-run">
            {(is_marked || problems.length > 0) && (
              <div class="query-problems field-error" role="status">
                {is_marked && <p>Nothing was sent: what is missing or wrong is marked above.</p>}
                {problems.map(({ text }) => <p key={text}>{text}</p>)}
              </div>
            )}
            <Button kind="main" type="submit" disabled={problems.length > 0} title="Ctrl+Enter">{request.operation === 'Query' ? 'Run the Query' : 'Run the Scan'}</Button>
            <Button
              disabled={problems.length > 0} title="What it would read and cost, without reading it"
              onClick={() => {
                if (!check()) return
                showAnswer()
                void explainInto(session.explanation, place, request.operation, { ...request.input })
              }}
            >
              Explain
            </Button>
          </div>
        </form>
      </div>
      <section class="query-main" aria-label="The answer" ref={answer}>
        {request.operation === 'Scan' && (route.value.parameters.get('listed') === 'query' ? <ListedNotice form={form} table={table} /> : <ScanNotice form={form} table={table} place={place} onChange={(next) => (session.form.value = next)} />)}
        <div class="query-tabs">
          <Tabs label="What is shown" chosen={shown} onChoose={setShown} tabs={[{ name: 'answer', title: 'Answer' }, { name: 'code', title: 'Request and code' }]} />
          <span>
            <UndoButton />
            {!is_read_only.value && <a class="button button-quiet" href={hrefOf({ view: 'item' })}>New item</a>}
          </span>
        </div>
        {shown === 'code' ? (
          <Code request={request} form={form} table={table} place={place} />
        ) : (
          <>
            <Explained explanation={session.explanation} asked={asked_text} has_infrequent_access={table.has_infrequent_access} />
            {!(session.explanation.value?.of === asked_text && !session.run.value) && <Answer run={session.run} asked={asked_text} table={table} index={session.run_index.value || undefined} />}
          </>
        )}
      </section>
    </div>
  )
}

/** For a Query of the list of requests, whose values are not known. */
function ListedNotice({ form, table }: { form: QueryForm; table: TablePlan }) {
  const names = keyPlanOf(table, form.index || undefined).hash.map(({ name }) => name)
  return <p class="notice">The list of requests does not record values: give {names.join(' and ')} a value, and this is the Query again. Without it, it is a Scan.</p>
}

function ScanNotice({ form, table, place, onChange }: { form: QueryForm; table: TablePlan; place: Place; onChange: (form: QueryForm) => void }) {
  const { reason, remedy, better } = scanReason(form, table)
  const { entities } = keyTemplates(place, form.index)
  const equalities = equalitiesOf(form)
  return (
    <div class="notice notice-warning scan-notice">
      <p><strong>This is a Scan.</strong> {reason}</p>
      {!better && <TemplateQueries place={place} table={table} form={form} equalities={equalities} onChoose={onChange} />}
      {remedy && <p>{remedy}</p>}
      {better && <Button onClick={() => onChange(better)}>Use {better.index ? `index ${better.index}` : "the table's key"}</Button>}
      {!better && equalities.size === 0 && entities.length > 0 && <p>A key template fills in the key.</p>}
    </div>
  )
}

// --- The request as JSON and as code ---

const kCodes: { name: 'json' | Language | 'partiql'; title: string }[] = [
  { name: 'json', title: 'JSON' }, { name: 'javascript', title: 'SDK v3' }, { name: 'python', title: 'boto3' }, { name: 'cli', title: 'AWS CLI' },
  { name: 'partiql', title: 'PartiQL' }
]

/** Where the code that is shown connects to. */
export function codePlace(place: Place): CodePlace {
  return { endpoint: location.origin, account: place.account, region: place.region }
}

function Code({ request, form, table, place }: { request: BuiltRequest; form: QueryForm; table: TablePlan; place: Place }) {
  const [chosen, setChosen] = useState<(typeof kCodes)[number]['name']>('json')
  const { text, notes } = codeText(chosen, request, form, table, place)
  return (
    <>
      <Tabs label="Language" chosen={chosen} onChoose={setChosen} tabs={kCodes} />
      {request.problems.length > 0 ? <p class="notice muted">{request.problems.map(({ text: problem }) => problem).join(' ')}</p> : <CodeText text={text} is_partiql={chosen === 'partiql'} />}
      {notes.map((note) => <p class="field-note" key={note}>{note}</p>)}
    </>
  )
}

function codeText(
  language: (typeof kCodes)[number]['name'], request: BuiltRequest, form: QueryForm, table: TablePlan, place: Place
): { text: string; notes: string[] } {
  if (request.problems.length > 0) return { text: '', notes: [] }
  if (language === 'json') return { text: printJson(request.input as unknown as Json, 2), notes: [`The body of ${request.operation}.`] }
  if (language !== 'partiql') {
    const notes = language === 'cli' && JSON.stringify(request.input).includes('{"B') ? ['Binary is Base64, as version 2 of the AWS CLI takes it.'] : []
    return { text: codeOf(language, { operation: request.operation, input: request.input }, codePlace(place)), notes }
  }
  const { input, notes } = statementOf(form, table)
  const parameters = input.Parameters ? `\n\n-- Parameters: ${JSON.stringify(input.Parameters)}` : ''
  return { text: input.Statement + parameters, notes }
}
