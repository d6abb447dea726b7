// The dialog that creates a table: from a form, or from the JSON of CreateTable, which the form writes.

import { useState } from 'preact/hooks'
import { parseJson } from '../../api/answer'
import { call } from '../../api/dynamodb'
import { go, type Place } from '../../frame/routes'
import { loadTableNames } from '../../state/tables'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { SelectField, TextField } from '../../ui/field'
import { Tabs } from '../../ui/tabs'
import { toast } from '../../ui/toast'
import { createTableInput, kEmptyForm, nextIndex, type IndexForm, type KeyForm, type KeyType, type TableForm } from './definition'
import { forgetSummaries } from './summaries'

const kKeyTypes: readonly { value: KeyType; title: string }[] = [
  { value: 'S', title: 'String' }, { value: 'N', title: 'Number' }, { value: 'B', title: 'Binary' }
]
const kStreams = [
  { value: '', title: 'Off' }, { value: 'NEW_AND_OLD_IMAGES', title: 'New and old images' }, { value: 'NEW_IMAGE', title: 'New images' },
  { value: 'OLD_IMAGE', title: 'Old images' }, { value: 'KEYS_ONLY', title: 'Keys only' }
]

export function CreateTableDialog({ place, initial_json, onClose }: { place: Place; initial_json?: string; onClose: () => void }) {
  const [way, setWay] = useState<'form' | 'json'>(initial_json ? 'json' : 'form')
  const [form, setForm] = useState(kEmptyForm)
  const [json, setJson] = useState(initial_json ?? '')
  const [error, setError] = useState<string | null>(null)
  const [is_busy, setBusy] = useState(false)

  const choose = (next: 'form' | 'json') => {
    if (next === 'json' && way === 'form') setJson(JSON.stringify(createTableInput(form), null, 2))
    setWay(next)
    setError(null)
  }
  const create = async () => {
    if (is_busy) return
    const input = way === 'form' ? createTableInput(form) : parseJson(json)
    if (typeof input !== 'object' || input === null) return setError('This is not JSON: an object as CreateTable takes it is wanted.')
    setBusy(true)
    const failed = await createTable(place, input as { TableName?: string }, way === 'form' ? form.ttl_attribute : '')
    setBusy(false)
    if (failed) return setError(failed)
    forgetSummaries()
    await loadTableNames()
    const name = String((input as { TableName?: string }).TableName)
    toast(`The table ${name} is there.`)
    go({ table: name })
    onClose()
  }
  const update = (change: Partial<TableForm>) => setForm({ ...form, ...change })
  const updateIndex = (at: number, change: Partial<IndexForm>) =>
    update({ indexes: form.indexes.map((index, i) => (i === at ? { ...index, ...change } : index)) })

  return (
    <Dialog
      title="Create a table"
      onClose={onClose}
      onSubmit={() => void create()}
      width="wide"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" disabled={is_busy || (way === 'form' && form.name === '')}>
            {way === 'form' && form.name ? `Create the table ${form.name}` : 'Create the table'}
          </Button>
        </>
      }
    >
      <Tabs label="How to say it" tabs={[{ name: 'form', title: 'Form' }, { name: 'json', title: 'CreateTable JSON' }]} chosen={way} onChoose={choose} />
      {error && <p class="notice notice-error" role="alert">{error}</p>}
      {way === 'json' ? (
        <TextField label="Input of CreateTable" value={json} onInput={setJson} rows={18} is_mono />
      ) : (
        <>
          <TextField label="Name" value={form.name} onInput={(name) => update({ name })} is_mono />
          <KeyFields form={form} onChange={update} />
          {form.indexes.map((index, i) => (
            <fieldset class="index-form" key={i}>
              <legend class="for-screen-readers">Index {index.name}</legend>
              <div class="form-row form-row-index">
                <TextField label="Index" value={index.name} onInput={(name) => updateIndex(i, { name })} is_mono />
                <SelectField
                  label="Kind"
                  value={index.is_local ? 'local' : 'global'}
                  onChange={(kind) => updateIndex(i, { is_local: kind === 'local' })}
                  options={[{ value: 'global', title: 'Global' }, { value: 'local', title: 'Local' }]}
                />
                <SelectField
                  label="Projection"
                  value={index.projection}
                  onChange={(projection) => updateIndex(i, { projection: projection as IndexForm['projection'] })}
                  options={[{ value: 'ALL', title: 'All attributes' }, { value: 'KEYS_ONLY', title: 'Keys only' }, { value: 'INCLUDE', title: 'Keys and some attributes' }]}
                />
                <Button kind="quiet" label={`Take the index ${index.name} out of the form`} onClick={() => update({ indexes: form.indexes.filter((_, at) => at !== i) })}>✕</Button>
              </div>
              <KeyFields form={index} onChange={(change) => updateIndex(i, change)} has_fixed_hash={index.is_local} />
              {index.projection === 'INCLUDE' && (
                <TextField label="Attributes, with commas between them" value={index.included} onInput={(included) => updateIndex(i, { included })} is_mono />
              )}
            </fieldset>
          ))}
          <div>
            <Button onClick={() => update({ indexes: [...form.indexes, nextIndex(form)] })}>Add an index</Button>
          </div>
          <div class="form-row">
            <SelectField label="Stream" value={form.stream} onChange={(stream) => update({ stream: stream as TableForm['stream'] })} options={kStreams} />
            <TextField label="Time to live: attribute" value={form.ttl_attribute} onInput={(ttl_attribute) => update({ ttl_attribute })} placeholder="none" is_mono />
          </div>
        </>
      )}
    </Dialog>
  )
}

function KeyFields({ form, onChange, has_fixed_hash }: { form: KeyForm; onChange: (change: Partial<KeyForm>) => void; has_fixed_hash?: boolean }) {
  return (
    <div class="form-row form-row-key">
      {has_fixed_hash ? (
        <p class="field-note">The partition key is the table's.</p>
      ) : (
        <>
          <TextField label="Partition key" value={form.hash} onInput={(hash) => onChange({ hash })} is_mono />
          <SelectField label="Type" value={form.hash_type} onChange={(type) => onChange({ hash_type: type as KeyType })} options={kKeyTypes} />
        </>
      )}
      <TextField label="Sort key" value={form.range} onInput={(range) => onChange({ range })} placeholder="none" is_mono />
      <SelectField label="Type" value={form.range_type} onChange={(type) => onChange({ range_type: type as KeyType })} options={kKeyTypes} />
    </div>
  )
}

// Returns what went wrong; null when the table was made.
async function createTable(place: Place, input: { TableName?: string }, ttl_attribute: string): Promise<string | null> {
  const created = await call(place, 'CreateTable', input)
  if (!created.ok) return created.error.message
  if (ttl_attribute === '') return null
  const expiry = await call(place, 'UpdateTimeToLive', {
    TableName: input.TableName,
    TimeToLiveSpecification: { Enabled: true, AttributeName: ttl_attribute }
  })
  return expiry.ok ? null : `The table was created, but its time to live was refused: ${expiry.error.message}`
}
