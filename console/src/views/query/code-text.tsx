// Code that can be read and copied.

import { markedTokens, type TextRange } from '../../model/partiql'
import { Button } from '../../ui/button'
import { toast } from '../../ui/toast'

export function CodeText({ text, is_partiql = false }: { text: string; is_partiql?: boolean }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast('Copied.')
    } catch {
      toast('The browser does not let this page copy: select the text.', { kind: 'error' })
    }
  }
  return (
    <div class="code">
      <div class="code-copy"><Button kind="quiet" onClick={() => void copy()}>Copy</Button></div>
      <pre tabIndex={0} aria-label="Code"><code>{is_partiql ? <Highlighted text={text} /> : text}</code></pre>
    </div>
  )
}

/** PartiQL with its tokens in colours, and with a mistake marked; the text is the same. */
export function Highlighted({ text, mistake }: { text: string; mistake?: TextRange | undefined }) {
  return (
    <>
      {markedTokens(text, mistake).map(({ kind, text: part, is_marked }) =>
        kind === 'space' && !is_marked ? part : <span class={`token-${kind}${is_marked ? ' token-mistake' : ''}`}>{part}</span>)}
    </>
  )
}
