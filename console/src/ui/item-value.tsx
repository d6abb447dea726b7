// Names, keys and values from data, shown inertly in one line.

import { typeOf, type AttributeValue, type Key } from '../api/values'
import { shownParts, shownText } from './shown-text'

/** Text from data: an attribute's name, a key, a table's name. `max_length` is in characters. */
export function DataText({ text, max_length = 200 }: { text: string; max_length?: number }) {
  return <bdi class="data-text">{shownContent(text, max_length)}</bdi>
}

function shownContent(text: string, max_length: number) {
  return shownParts(text, max_length).map((part) => (part.is_sign ? <span class="sign">{part.text}</span> : part.text))
}

/** An AttributeValue in one line, cut at about `max_length` characters; an attribute that is absent is empty. */
export function ItemValue({ value, max_length = 200 }: { value: AttributeValue | undefined; max_length?: number }) {
  if (value === undefined) return null
  return <bdi class={`data-text value value-${typeOf(value)}`}>{shownContent(valueText(value, max_length + 1), max_length)}</bdi>
}

/** Returns the value in one line, of hardly more than `max_length` characters; strings in it are quoted within L, M and sets. */
export function valueText(value: AttributeValue, max_length = 200): string {
  if ('S' in value) return value.S.slice(0, max_length)
  return nestedText(value, { left: max_length })
}

/** Returns a key in one line: "USER#ada · PROFILE". */
export function keyText(key: Key, max_length = 120): string {
  return Object.values(key).map((value) => shownText(valueText(value, max_length + 1), max_length)).join(' · ')
}

// `room.left` ends the walk through a large value; the recursion is as deep as DynamoDB's values are nested, 32 at most.
function nestedText(value: AttributeValue, room: { left: number }): string {
  const take = (text: string): string => {
    room.left -= text.length
    return text
  }
  if ('S' in value) return take(JSON.stringify(value.S.slice(0, Math.max(room.left, 0) + 1)))
  if ('N' in value) return take(value.N)
  if ('BOOL' in value) return take(String(value.BOOL))
  if ('NULL' in value) return take('null')
  if ('B' in value) return take(binaryText(value.B))
  if ('SS' in value) return listText('{', value.SS, '}', room, (each) => take(JSON.stringify(each)))
  if ('NS' in value) return listText('{', value.NS, '}', room, take)
  if ('BS' in value) return listText('{', value.BS, '}', room, (each) => take(binaryText(each)))
  if ('L' in value) return listText('[', value.L, ']', room, (each) => nestedText(each, room))
  return listText('{', Object.entries(value.M), '}', room, ([name, each]) => `${take(JSON.stringify(name))}: ${nestedText(each, room)}`)
}

function listText<Member>(open: string, members: Member[], close: string, room: { left: number }, textOf: (member: Member) => string): string {
  const texts: string[] = []
  for (const member of members) {
    if (room.left <= 0) {
      texts.push('…')
      break
    }
    room.left -= 2
    texts.push(textOf(member))
  }
  return open + texts.join(', ') + close
}

function binaryText(base64: string): string {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  const bytes = (base64.length / 4) * 3 - padding
  return `${base64.slice(0, 24)}${base64.length > 24 ? '…' : ''} (${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'})`
}
