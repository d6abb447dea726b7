// The button that shows what this page wrote, and undoes it.

import { useState } from 'preact/hooks'
import { useShortcut } from '../../frame/keyboard'
import { is_read_only } from '../../state/server'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { DataText } from '../../ui/item-value'
import { done_writes, undoWrite } from './writes'

export function UndoButton() {
  const [is_open, setOpen] = useState(false)
  const writes = done_writes.value
  useShortcut('u', 'Undo what the page wrote', () => writes.length > 0 && setOpen(true))
  if (is_read_only.value || (writes.length === 0 && !is_open)) return null
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>Undo ({writes.length})</Button>
      {is_open && (
        <Dialog title="What this page wrote" onClose={() => setOpen(false)}>
          <p class="muted">Undo writes the items back as they were, each if nobody has changed it since. The list is lost when the page is closed.</p>
          {writes.length === 0 && <p>Everything is undone.</p>}
          <ul class="undo-list">
            {writes.map((write) => (
              <li key={write.id}>
                <span>
                  <DataText text={write.text} />
                  <span class="muted"> in <DataText text={write.place.table} />, {new Date(write.epoch_ms).toLocaleTimeString('en-GB')}</span>
                </span>
                <Button onClick={() => void undoWrite(write)}>Undo</Button>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}
