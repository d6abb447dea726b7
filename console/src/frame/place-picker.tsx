// The account, the Region and the table in the header, each of which can be changed.

import { useEffect, useState } from 'preact/hooks'
import { loadAccounts, accounts, kRegions } from '../state/accounts'
import { place } from '../state/place'
import { table_names } from '../state/tables'
import { go } from './routes'

export function PlacePicker() {
  const { account, region, table } = place.value
  const names = table_names.value ?? []
  return (
    <div class="place">
      <PlaceField
        label="Account"
        value={account}
        suggestions={accounts.value?.map((each) => each.account) ?? []}
        isValid={(text) => /^\d{12}$/.test(text)}
        wanted="12 digits"
        onFocus={() => void loadAccounts()}
        onCommit={(text) => go({ account: text, table: '', view: 'tables' })}
        className="place-account"
      />
      <PlaceField
        label="Region"
        value={region}
        suggestions={kRegions}
        isValid={(text) => /^[a-z0-9-]{1,64}$/.test(text)}
        wanted="lower-case letters, digits and hyphens"
        onCommit={(text) => go({ region: text, table: '', view: 'tables' })}
        className="place-region"
      />
      <label class="place-field place-table">
        <span class="for-screen-readers">Table</span>
        <select value={table} onChange={(event) => go({ table: event.currentTarget.value })}>
          <option value="" selected={table === ''}>{names.length === 0 ? 'no tables' : 'choose a table'}</option>
          {[...new Set(table && !names.includes(table) ? [table, ...names] : names)].map((name) => (
            <option value={name} selected={name === table}>{name}</option>
          ))}
        </select>
      </label>
    </div>
  )
}

interface PlaceFieldProps {
  label: string
  value: string
  suggestions: readonly string[]
  isValid: (text: string) => boolean
  /** What is valid, for the reader: "12 digits". */
  wanted: string
  onFocus?: () => void
  onCommit: (text: string) => void
  className: string
}

function PlaceField({ label, value, suggestions, isValid, wanted, onFocus, onCommit, className }: PlaceFieldProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const list = `place-${label}`
  const is_invalid = !isValid(text)
  return (
    <label class={`place-field ${className}`}>
      <span class="for-screen-readers">{label}</span>
      <input
        value={text}
        list={list}
        spellcheck={false}
        autocomplete="off"
        title={is_invalid ? `${label}: ${wanted}` : label}
        aria-invalid={is_invalid || undefined}
        onFocus={onFocus}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => {
          const entered = event.currentTarget.value.trim()
          if (isValid(entered) && entered !== value) onCommit(entered)
        }}
        onKeyDown={(event) => event.key === 'Escape' && setText(value)}
        onBlur={() => is_invalid && setText(value)}
      />
      <datalist id={list}>{suggestions.map((each) => <option value={each} />)}</datalist>
    </label>
  )
}
