// One item beside the board: every place it has, in the table and in its indexes, and its attributes.

import { useEffect, useState } from 'preact/hooks'
import type { CallError } from '../../api/answer'
import { fetchPlaces } from '../../api/collections'
import type { Places } from '../../api/control-types'
import { typeOf, type Key } from '../../api/values'
import { useShortcut } from '../../frame/keyboard'
import type { Place } from '../../frame/routes'
import { returns } from '../../state/connection'
import { is_read_only } from '../../state/server'
import type { TableDescription } from '../../state/tables'
import { Button } from '../../ui/button'
import { ErrorNotice } from '../../ui/error-notice'
import { bytesText } from '../../ui/figures'
import { DataText, ItemValue, keyText, valueText } from '../../ui/item-value'
import { itemHref } from '../../ui/key-link'
import { PlacesList } from './places-list'

export interface ItemPanelProps {
  place: Place
  description: TableDescription
  item_key: Key
  onClose: () => void
}

export function ItemPanel({ place, description, item_key, onClose }: ItemPanelProps) {
  const [answer, setAnswer] = useState<Places | null>(null)
  const [error, setError] = useState<CallError | null>(null)
  const id = JSON.stringify(item_key)
  useShortcut('Escape', 'Close the item', onClose)
  useEffect(() => {
    const stop = new AbortController()
    setError(null)
    void fetchPlaces(place, item_key, { signal: stop.signal }).then((got) => {
      if (stop.signal.aborted) return
      setAnswer(got.ok ? got.value : null)
      setError(got.ok ? null : got.error)
    })
    return () => stop.abort()
  }, [place, id, returns.value])
  return (
    <aside class="item-panel" aria-label={`The item ${keyText(item_key)}`}>
      <header class="details-head">
        <h2><span class="mono">{keyText(item_key, 60)}</span></h2>
        <Button kind="quiet" label="Close the item" onClick={onClose}>✕</Button>
      </header>
      <ErrorNotice error={error} />
      {answer && (
        <>
          <div class="details-actions">
            <a class="button button-plain" href={itemHref(item_key)}>{is_read_only.value ? 'Show as JSON' : 'Edit'} <kbd>e</kbd></a>
            <span class="muted item-size">{bytesText(answer.size_bytes)}</span>
          </div>
          <h3>Where it is</h3>
          <PlacesList answer={answer} description={description} />
          <h3>Attributes</h3>
          <dl class="attributes">
            {Object.entries(answer.item).map(([name, value]) => (
              <div key={name}>
                <dt><DataText text={name} max_length={400} /> <span class="key-type">{typeOf(value)}</span></dt>
                <dd><LongValue text={valueText(value, Infinity)}><ItemValue value={value} max_length={kShortValue} /></LongValue></dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </aside>
  )
}

const kShortValue = 300
const kLongValue = 20_000

function LongValue({ text, children }: { text: string; children: preact.ComponentChildren }) {
  const [is_open, setOpen] = useState(false)
  if (text.length <= kShortValue) return <>{children}</>
  return (
    <>
      {is_open ? <DataText text={text} max_length={kLongValue} /> : children}{' '}
      <Button kind="quiet" onClick={() => setOpen(!is_open)}>{is_open ? 'Less' : text.length > kLongValue ? `The first ${kLongValue.toLocaleString('en')} characters` : 'All of it'}</Button>
    </>
  )
}
