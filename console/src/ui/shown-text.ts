// Text from data, made fit to be looked at: what would be invisible, or would change the direction of
// the text around it, is shown as a name in its place.

export interface TextPart {
  text: string
  /** The text stands for a character that cannot be seen: "LF", "U+202E". */
  is_sign: boolean
}

// Controls, spaces that cannot be told apart from none, marks that change the direction, and tags.
const kHidden =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

const kNames: Record<string, string> = { '\u0000': 'NUL', '\t': 'TAB', '\n': 'LF', '\r': 'CR', '\u001b': 'ESC', '\u00ad': 'SHY', '\u200e': 'LRM', '\u200f': 'RLM', '\ufeff': 'BOM' }

function signOf(character: string): string {
  return kNames[character] ?? `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Returns the parts of the first `max_length` characters; the last one is "…" where there are more. */
export function shownParts(text: string, max_length: number): TextPart[] {
  const is_cut = text.length > max_length
  const shown = is_cut ? text.slice(0, max_length) : text
  const parts: TextPart[] = []
  let from = 0
  for (const match of shown.matchAll(kHidden)) {
    if (match.index > from) parts.push({ text: shown.slice(from, match.index), is_sign: false })
    parts.push({ text: signOf(match[0]), is_sign: true })
    from = match.index + match[0].length
  }
  if (from < shown.length || parts.length === 0) parts.push({ text: shown.slice(from), is_sign: false })
  if (is_cut) parts.push({ text: '…', is_sign: true })
  return parts
}

/** Returns the same as one plain text, for labels and titles: hidden characters are in brackets. */
export function shownText(text: string, max_length = 200): string {
  return shownParts(text, max_length).map((part) => (part.is_sign && part.text !== '…' ? `⟨${part.text}⟩` : part.text)).join('')
}
