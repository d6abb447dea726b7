// A text area with highlighted text behind it, and a list of what can stand at the cursor.
//
// The list opens while a name is typed, and on Ctrl+Space. ↑ ↓ choose, Enter or Tab accept, Escape closes.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { completionAt, placeText, type Completion, type Known, type TextRange } from '../../model/partiql'
import { DataText } from '../../ui/item-value'
import { Highlighted } from '../query/code-text'

export interface StatementEditorProps {
  text: string
  onInput: (text: string) => void
  known: Known
  /** What an error is about. */
  mistake: TextRange | undefined
}

interface OpenList extends Completion {
  chosen: number
  cursor: number
  line: number
  column: number
}

export function StatementEditor({ text, onInput, known, mistake }: StatementEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const behind = useRef<HTMLPreElement>(null)
  const [list, setList] = useState<OpenList | null>(null)
  const cursor_after = useRef<number | null>(null)

  // The text comes back from the owner, so the cursor is set when the new text is there.
  useLayoutEffect(() => {
    if (cursor_after.current === null || !area.current) return
    area.current.setSelectionRange(cursor_after.current, cursor_after.current)
    cursor_after.current = null
  }, [text])

  const openList = (value: string, cursor: number) => {
    const found = completionAt(value, cursor, known)
    const before = value.slice(0, found.from).split('\n')
    setList(found.options.length === 0 ? null : { ...found, chosen: 0, cursor, line: before.length, column: before[before.length - 1]!.length })
  }
  const accept = (option: string) => {
    if (!list) return
    // A quote that the browser or the reader has closed already is not doubled.
    const rest = text.slice(list.cursor)
    const end = option.endsWith('"') && rest.startsWith('"') ? rest.slice(1) : rest
    cursor_after.current = list.from + option.length
    onInput(text.slice(0, list.from) + option + end)
    setList(null)
    area.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault()
      openList(text, area.current!.selectionStart)
      return
    }
    if (!list || event.ctrlKey || event.metaKey) return
    const count = list.options.length
    const steps: Record<string, () => void> = {
      ArrowDown: () => setList({ ...list, chosen: (list.chosen + 1) % count }),
      ArrowUp: () => setList({ ...list, chosen: (list.chosen + count - 1) % count }),
      Enter: () => accept(list.options[list.chosen]!.text),
      Tab: () => accept(list.options[list.chosen]!.text),
      Escape: () => setList(null)
    }
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    event.stopPropagation()
    step()
  }
  const follow = () => {
    if (!behind.current || !area.current) return
    behind.current.scrollTop = area.current.scrollTop
    behind.current.scrollLeft = area.current.scrollLeft
  }
  const scroll = { top: area.current?.scrollTop ?? 0, left: area.current?.scrollLeft ?? 0 }
  return (
    <>
      <div class="statement">
        <pre class="statement-behind" ref={behind} aria-hidden="true"><Highlighted text={`${text}\n`} mistake={mistake} /></pre>
        <textarea
          ref={area}
          aria-label="PartiQL statement"
          aria-autocomplete="list"
          aria-invalid={mistake ? true : undefined}
          aria-describedby={mistake ? 'statement-mistake' : undefined}
          aria-controls={list ? 'statement-options' : undefined}
          aria-activedescendant={list ? `statement-option-${list.chosen}` : undefined}
          value={text}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          maxLength={8192}
          rows={5}
          onInput={(event) => {
            onInput(event.currentTarget.value)
            openList(event.currentTarget.value, event.currentTarget.selectionStart)
          }}
          onKeyDown={onKeyDown}
          onScroll={follow}
          onBlur={() => setList(null)}
          onClick={() => setList(null)}
        />
        {list && (
          <ul
            class="statement-options" id="statement-options" role="listbox" aria-label="Completions"
            style={{ '--line': String(list.line), '--column': String(list.column), '--scroll-top': `${scroll.top}px`, '--scroll-left': `${scroll.left}px` }}
          >
            {list.options.map((option, at) => (
              <li
                key={option.text} id={`statement-option-${at}`} role="option" aria-selected={at === list.chosen}
                onMouseDown={(event) => {
                  event.preventDefault()
                  accept(option.text)
                }}
              >
                <DataText text={option.text} max_length={60} /> <span class="muted">{option.kind}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {mistake && <p class="field-note field-error statement-mistake" id="statement-mistake">The mistake is at {placeText(text, mistake)}.</p>}
    </>
  )
}
