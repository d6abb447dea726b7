// PartiQL statements: an editor with highlighting and completion, and the answer with what it cost.

import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import { useShortcut } from '../../frame/keyboard'
import { route, type Place } from '../../frame/routes'
import { quotePartiqlName } from '../../model/code'
import { mistakeOf, subjectOf, type Known } from '../../model/partiql'
import { emptyForm, servingPlan } from '../../model/request'
import { statementOf } from '../../model/statement'
import { planOf, type TablePlan } from '../../model/tables'
import { useReturn } from '../../state/connection'
import { is_read_only } from '../../state/server'
import { table as described_table, table_names } from '../../state/tables'
import { Button } from '../../ui/button'
import { DataText } from '../../ui/item-value'
import { confirmAction } from '../../ui/dialog'
import { Answer, columnNames } from '../query/answer'
import { Explained, explainInto, scanOf } from '../query/explained'
import { keepQuery } from '../query/history'
import { keyTemplates, knownAttributes, needKeyTemplates } from '../query/key-templates'
import { HistoryButtons } from '../query/history-dialog'
import { askAgain, explain, requestText, startRun, wholeOfExplanation } from '../query/run'
import { statementSessionOf } from '../query/session'
import { TemplateQueries } from '../query/template-queries'
import { StatementEditor } from './statement-editor'

const kActions: Record<string, string> = { SELECT: 'Run the SELECT', INSERT: 'Insert the item', UPDATE: 'Update the item', DELETE: 'Delete the item' }

export function PartiqlView({ place }: { place: Place }) {
  return <Statement key={JSON.stringify(place)} place={place} />
}

function Statement({ place }: { place: Place }) {
  const session = statementSessionOf(place)
  const description = described_table.value
  const table = useMemo(() => (description ? planOf(description) : undefined), [description])
  const text = session.text.value
  const subject = subjectOf(text)
  const asked = requestText('ExecuteStatement', { Statement: text })
  const mistake = mistakeOf(text, errorMessage(session, asked))
  const is_allowed = kActions[subject.verb] !== undefined && !(subject.is_write && is_read_only.value)

  // The statement is there in the first frame, so it is not put before what the reader types.
  useLayoutEffect(() => {
    const asked = route.value.parameters.get('statement')
    if (asked) session.text.value = asked
    else if (session.text.peek() === '' && place.table !== '') session.text.value = `SELECT * FROM ${quotePartiqlName(place.table)}`
  }, [route.value.parameters.get('statement')])

  const items = session.run.value?.items ?? []
  const known: Known = useMemo(() => ({
    tables: table_names.value ?? [],
    indexes: (name) => (table?.name === name ? table.indexes.map((plan) => plan.index!) : []),
    attributes: (name) => {
      if (!table || (name !== undefined && table.name !== name)) return []
      return [...new Set([...knownAttributes(place, table), ...columnNames(items, [])])]
    }
  }), [table, items, table_names.value, keyTemplates(place, '')])
  useEffect(() => {
    if (table) void needKeyTemplates(place, '')
  }, [table])

  const changeText = (next: string) => {
    session.text.value = next
    session.scan.value = undefined
  }
  const run = async () => {
    if (!is_allowed) return
    const input = { Statement: text }
    if (subject.is_write) {
      const action = kActions[subject.verb]!
      if (!(await confirmAction({ title: `${action}?`, text: 'The statement writes. Undo does not know what a statement writes.', action }))) return
    }
    keepQuery({ kind: 'PartiQL', content: text, text: text.replace(/\s+/g, ' ').slice(0, 300), table: place.table, epoch_ms: Date.now() })
    session.explanation.value = null
    session.scan.value = undefined
    // What a SELECT examines stands in no answer of it, so the server explains the statement as well.
    const explained = subject.is_write ? undefined : explain(place, 'ExecuteStatement', input)
    await startRun(session.run, { place, operation: 'ExecuteStatement', input, is_write: subject.is_write })
    const told = await explained
    const now = session.run.peek()
    if (!told?.ok || now?.input !== input || now.pages !== 1) return
    session.scan.value = scanOf(told.value)
    const examined = told.value.accesses.reduce((sum, access) => sum + (access.items_examined ?? 0), 0)
    const whole = now.next && wholeOfExplanation(place, told.value)
    session.run.value = { ...now, examined, ...(whole && { whole }) }
  }
  useReturn(() => askAgain(session.run))
  useShortcut('mod+Enter', 'Run the statement', () => void run())
  useShortcut('/', 'Go to the statement', () => document.querySelector<HTMLElement>('.statement textarea')?.focus())

  return (
    <div class="partiql">
      <header class="toolbar">
        <h2>PartiQL</h2>
        <span class="toolbar-space" />
        <HistoryButtons
          kind="PartiQL" table={place.table} content={text} text={text.replace(/\s+/g, ' ').slice(0, 300)}
          onChoose={(content) => typeof content === 'string' && (session.text.value = content)}
        />
      </header>
      <StatementEditor text={text} onInput={(next) => changeText(next)} known={known} mistake={mistake} />
      <div class="query-run">
        <Button kind={subject.is_write ? 'danger' : 'main'} disabled={!is_allowed} title="Ctrl+Enter" onClick={() => void run()}>
          {kActions[subject.verb] ?? 'Run the statement'}
        </Button>
        <Button disabled={kActions[subject.verb] === undefined} onClick={() => void explainInto(session.explanation, place, 'ExecuteStatement', { Statement: text })}>Explain</Button>
        {subject.verb !== '' && kActions[subject.verb] === undefined && (
          <span class="field-error" role="status"><DataText text={subject.verb} max_length={20} /> is no statement: it begins with SELECT, INSERT, UPDATE or DELETE.</span>
        )}
        {subject.is_write && is_read_only.value && <span class="muted">This console is read-only.</span>}
      </div>
      <StatementScan place={place} session={session} table={table} text={text} onChange={changeText} />
      <Explained explanation={session.explanation} asked={asked} has_infrequent_access={table?.has_infrequent_access ?? false} />
      <section class="query-main" aria-label="The answer">
        <Answer run={session.run} asked={asked} table={subject.table === table?.name ? table : undefined} index={subject.index} />
      </section>
    </div>
  )
}

/** Returns the message of the error that the statement was answered with, or would be. */
function errorMessage({ run, explanation }: ReturnType<typeof statementSessionOf>, asked: string): string {
  const { operation, input, error } = run.value ?? {}
  if (error && requestText(operation!, input!) === asked) return error.message
  const found = explanation.value
  if (found?.of !== asked) return ''
  return 'problem' in found ? found.problem : found.error?.message ?? found.error?.Message ?? ''
}

function StatementScan({ place, session, table, text, onChange }: {
  place: Place; session: ReturnType<typeof statementSessionOf>; table: TablePlan | undefined; text: string; onChange: (text: string) => void
}) {
  const scan = session.scan.value ?? scanOf(session.explanation.value?.of === requestText('ExecuteStatement', { Statement: text }) ? session.explanation.value : null)
  if (!scan) return null
  const subject = subjectOf(text)
  const better = table && subject.table === table.name && subject.index === undefined ? servingPlan(table, subject.equalities) : undefined
  const hash = table && !better ? (table.indexes.find((plan) => plan.index === scan.index) ?? table.table).hash.map(({ name }) => name) : []
  return (
    <div class="notice notice-warning scan-notice">
      <p>
        <strong>This is a Scan.</strong> It reads all of {scan.index ? `index ${scan.index}` : 'the table'}, because no equality gives
        its HASH key{hash.length > 0 && ` ${hash.join(' and ')}`}.
      </p>
      {better?.index && <p>Index {better.index} has {better.hash.map(({ name }) => name).join(' and ')} as its HASH key: FROM {quotePartiqlName(table!.name)}.{quotePartiqlName(better.index)} makes it a Query.</p>}
      {!better && table && subject.table === table.name && (
        <TemplateQueries
          place={place} table={table} form={emptyForm(table.name)} equalities={subject.equalities}
          onChoose={(form) => onChange(statementOf(form, table).input.Statement)}
        />
      )}
    </div>
  )
}
