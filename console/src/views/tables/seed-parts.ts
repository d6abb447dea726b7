// Cuts the text of a file of items into parts that fit into a call of `seed`, at the ends of records.
//
// The text comes in pieces, so that a large file is never in memory as a whole.

// A character takes at most three bytes in a JSON body, where quotes and line ends take two, so that
// a part of this length stays below the 16 MiB that a body may have.
export const kPartCharacters = 4 * 1024 * 1024
// A file that cannot be cut is sent whole up to here: about 16 MiB, with a quote in every third character.
const kWholeCharacters = 12 * 1024 * 1024

export const kCannotBeCut =
  'The file is larger than one call may be, and only files with one item per line and CSV can be cut. ' +
  'Write one item per line, or load the file with hashrange ctl seed PATH.'

export type SeedFormat = 'csv' | 'lines' | 'whole'

/** Tells how a file can be cut, by its name and the beginning of its text. */
export function seedFormat(file_name: string, beginning: string): SeedFormat {
  if (/\.csv(\.gz)?$/i.test(file_name)) return 'csv'
  const first_line = beginning.trimStart().split('\n', 1)[0]!.trimEnd()
  // An object that ends in its line begins a file with one item per line; an answer of a Scan may be one line, too.
  return first_line.startsWith('{') && first_line.endsWith('}') && !/^\{\s*"(Items|Count|ScannedCount|ConsumedCapacity)"/.test(first_line) ? 'lines' : 'whole'
}

/** Yields texts that are each a whole file of the same format. Throws an Error with kCannotBeCut. */
export async function* seedParts(pieces: AsyncIterable<string>, file_name: string, part_characters = kPartCharacters): AsyncGenerator<string> {
  let text = ''
  let format: SeedFormat | null = null
  let header: string | null = null
  let is_first = true
  const part = (records: string) => (header === null || is_first ? records : header + records)
  for await (const piece of pieces) {
    text += piece
    while (text.length > part_characters) {
      format ??= seedFormat(file_name, text)
      if (format === 'whole') {
        if (text.length > kWholeCharacters) throw new Error(kCannotBeCut)
        break
      }
      if (format === 'csv' && header === null) header = text.slice(0, recordEnd(text, text.length, true))
      const end = recordEnd(text, part_characters, format === 'csv')
      if (end === 0) throw new Error('A record of the file is longer than one call may be.')
      yield part(text.slice(0, end))
      is_first = false
      text = text.slice(end)
    }
  }
  if (text.trim() !== '' || is_first) yield part(text)
}

// Returns where the last record within `limit` ends, behind its line end; of CSV with `limit` at the
// end of the text, where the first one ends. 0 when there is none.
function recordEnd(text: string, limit: number, is_csv: boolean): number {
  if (!is_csv) return text.lastIndexOf('\n', limit - 1) + 1
  const wants_first = limit === text.length
  let is_quoted = false
  let end = 0
  for (let i = 0; i < limit; ++i) {
    const character = text[i]
    if (character === '"') is_quoted = !is_quoted
    if (character === '\n' && !is_quoted) {
      end = i + 1
      if (wants_first) return end
    }
  }
  return end
}

/** Yields the text of a file; one that is compressed with gzip is unpacked. */
export async function* textOfFile(file: Blob): AsyncGenerator<string> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const bytes = start[0] === 0x1f && start[1] === 0x8b ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream()
  const reader = bytes.pipeThrough(new TextDecoderStream('utf-8', { fatal: true }) as ReadableWritablePair<string, BufferSource>).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
