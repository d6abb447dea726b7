// Fields of a form: a label, a control, and a sentence that explains it or says what is wrong.

import type { ComponentChildren, TargetedEvent, TargetedInputEvent } from 'preact'
import { useId } from 'preact/hooks'

interface FieldFrame {
  label: string
  /** The label is there for screen readers only. */
  has_hidden_label?: boolean
  hint?: ComponentChildren
  error?: string | null | undefined
}

function Frame({ id, frame, children }: { id: string; frame: FieldFrame; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id} class={frame.has_hidden_label ? 'for-screen-readers' : 'field-label'}>{frame.label}</label>
      {children}
      {(frame.error || frame.hint) && (
        <p id={`${id}-note`} class={frame.error ? 'field-note field-error' : 'field-note'}>{frame.error || frame.hint}</p>
      )}
    </div>
  )
}

function described(id: string, frame: FieldFrame) {
  return {
    id,
    'aria-invalid': frame.error ? true : undefined,
    'aria-describedby': frame.error || frame.hint ? `${id}-note` : undefined
  }
}

export interface TextFieldProps extends FieldFrame {
  value: string
  onInput: (value: string) => void
  /** After Enter, or when the field is left with another value. */
  onCommit?: (value: string) => void
  placeholder?: string
  /** The text is a key, a value or code. */
  is_mono?: boolean
  /** More than one makes a text area. */
  rows?: number
  suggestions?: readonly string[]
  type?: 'text' | 'password' | 'number' | 'search'
  input_ref?: (element: HTMLInputElement | HTMLTextAreaElement | null) => void
}

export function TextField(props: TextFieldProps) {
  const id = useId()
  const shared = {
    ...described(id, props),
    class: `input${props.is_mono ? ' mono' : ''}`,
    value: props.value,
    placeholder: props.placeholder,
    spellcheck: false,
    autocapitalize: 'off' as const,
    autocomplete: 'off' as const,
    ref: props.input_ref,
    onInput: (event: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) => props.onInput(event.currentTarget.value),
    onChange: props.onCommit && ((event: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>) => props.onCommit!(event.currentTarget.value))
  }
  return (
    <Frame id={id} frame={props}>
      {props.rows && props.rows > 1 ? (
        <textarea {...shared} rows={props.rows} />
      ) : (
        <input {...shared} type={(props.type ?? 'text') as 'text'} list={props.suggestions && `${id}-list`} />
      )}
      {props.suggestions && <datalist id={`${id}-list`}>{props.suggestions.map((each) => <option value={each} />)}</datalist>}
    </Frame>
  )
}

export interface SelectFieldProps extends FieldFrame {
  value: string
  onChange: (value: string) => void
  options: readonly (string | { value: string; title: string })[]
}

export function SelectField(props: SelectFieldProps) {
  const id = useId()
  return (
    <Frame id={id} frame={props}>
      <select {...described(id, props)} class="input" value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.options.map((option) => {
          const { value, title } = typeof option === 'string' ? { value: option, title: option } : option
          return <option value={value} selected={value === props.value}>{title}</option>
        })}
      </select>
    </Frame>
  )
}

export function CheckField(props: { label: string; checked: boolean; onChange: (checked: boolean) => void; hint?: ComponentChildren }) {
  const id = useId()
  return (
    <div class="field field-check">
      <input id={id} type="checkbox" checked={props.checked} onChange={(event) => props.onChange(event.currentTarget.checked)} />
      <label for={id}>{props.label}</label>
      {props.hint && <p class="field-note">{props.hint}</p>}
    </div>
  )
}
