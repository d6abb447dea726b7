// Asks for the token of a server with --control-token.

import { useState } from 'preact/hooks'
import { answerTokenQuestion, token_question } from '../state/token'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { TextField } from '../ui/field'

export function TokenDialog() {
  return token_question.value && <TokenForm was_wrong={token_question.value.was_wrong} />
}

function TokenForm({ was_wrong }: { was_wrong: boolean }) {
  const [text, setText] = useState('')
  return (
    <Dialog
      title="The server wants its token"
      width="narrow"
      onClose={() => answerTokenQuestion(null)}
      onSubmit={() => text && answerTokenQuestion(text)}
      actions={
        <>
          <Button onClick={() => answerTokenQuestion(null)}>Cancel</Button>
          <Button kind="main" type="submit" disabled={text === ''}>Use this token</Button>
        </>
      }
    >
      <TextField
        label="Control token"
        type="password"
        is_mono
        value={text}
        onInput={setText}
        error={was_wrong ? 'The server did not accept the token.' : null}
        hint="The text behind --control-token. It is kept until this tab is closed."
      />
    </Dialog>
  )
}
