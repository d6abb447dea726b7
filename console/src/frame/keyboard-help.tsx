// The list of the shortcuts that are offered now.

import { Dialog } from '../ui/dialog'
import { shortcuts } from './keyboard'

const kModifier = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '') ? '⌘' : 'Ctrl'

export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const shown = [...new Map(shortcuts.value.map((each) => [each.keys, each])).values()].filter((each) => each.keys !== 'Escape')
  return (
    <Dialog title="Shortcuts" width="narrow" onClose={onClose}>
      <dl class="shortcuts">
        {shown.map(({ keys, title }) => (
          <div key={keys}>
            <dt>{title}</dt>
            <dd>{keys.replace('mod+', `${kModifier} `).split(' ').map((key) => <kbd>{key}</kbd>)}</dd>
          </div>
        ))}
        <div><dt>Close what is open</dt><dd><kbd>Esc</kbd></dd></div>
      </dl>
    </Dialog>
  )
}
