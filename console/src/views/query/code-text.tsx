// Code that can be read and copied.

import { tokensOf } from '../../model/partiql'
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

/** PartiQL with its tokens in colours; the text is the same. */
export function Highlighted({ text }: { text: string }) {
  return <>{tokensOf(text).map((token) => (token.kind === 'space' ? token.text : <span class={`token-${token.kind}`}>{token.text}</span>))}</>
}
