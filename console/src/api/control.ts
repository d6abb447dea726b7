// The control API of the server that served this page: docs/control-api.md.

import { askForToken, token } from '../state/token'
import type { Answer, CallError, CallOptions } from './answer'
import type { AnswerOf, Call, CallOf, ControlCalls, PathOf } from './control-types'
import { parseJson, unansweredError } from './answer'

type BodyOf<Called> = Called extends Call<any, infer Body> ? Body : never

/**
 * Makes a call below /_hashrange/, such as control('POST', 'reset', {…}) or control('GET', 'requests?since=7').
 * The value is the answer's JSON, or its text where the server answers with text.
 * A server with --control-token answers 401 without it: then the page asks for the token, and the call is made again.
 */
export async function control<Method extends keyof ControlCalls, Path extends string>(
  method: Method,
  path: PathOf<Method, Path>,
  body: BodyOf<CallOf<Method, Path>>,
  options: CallOptions = {}
): Promise<Answer<AnswerOf<CallOf<Method, Path>>>> {
  for (;;) {
    const sent_token = token.value
    const answer = await controlOnce<AnswerOf<CallOf<Method, Path>>>(method, path as string, body as object | undefined, options)
    if (answer.ok || answer.error.status !== 401) return answer
    if (!(await askForToken(sent_token))) return answer
  }
}

/** Returns the text of a query, behind its "?". */
export function queryText<Query extends object>(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
}

async function controlOnce<Output>(
  method: string,
  path: string,
  body: object | undefined,
  options: CallOptions
): Promise<Answer<Output>> {
  try {
    const response = await fetch(`/_hashrange/${path}`, {
      method,
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...(token.value && { Authorization: `Bearer ${token.value}` })
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(options.signal && { signal: options.signal })
    })
    const text = await response.text()
    if (!response.ok) return { ok: false, error: errorOf(response.status, text) }
    const is_json = response.headers.get('Content-Type')?.startsWith('application/json') ?? false
    return { ok: true, value: (is_json ? parseJson(text) : text) as Output }
  } catch (thrown) {
    return { ok: false, error: unansweredError(thrown) }
  }
}

function errorOf(status: number, text: string): CallError {
  const body = parseJson(text) as { error?: unknown } | undefined
  const message = typeof body?.error === 'string' ? body.error : `The server answered ${status}.`
  return { type: '', message, status, body }
}
