import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { kCannotBeCut, seedFormat, seedParts, textOfFile } from '../../src/views/tables/seed-parts'

async function* pieces(text: string, length: number) {
  for (let i = 0; i < text.length; i += length) yield text.slice(i, i + length)
}

async function partsOf(text: string, name: string, part_characters: number, piece_length = 7): Promise<string[]> {
  const parts: string[] = []
  for await (const part of seedParts(pieces(text, piece_length), name, part_characters)) parts.push(part)
  return parts
}

test('A small file is one part', async () => {
  expect(await partsOf('[{"PK":"a"},\n{"PK":"b"}]', 'a.json', 1000)).toEqual(['[{"PK":"a"},\n{"PK":"b"}]'])
  expect(await partsOf('', 'a.json', 1000)).toEqual([''])
})

test('A file with one item per line is cut at the ends of lines', async () => {
  const text = '{"PK":"a"}\n{"PK":"b"}\n{"PK":"c"}\n'
  expect(await partsOf(text, 'a.jsonl', 25)).toEqual(['{"PK":"a"}\n{"PK":"b"}\n', '{"PK":"c"}\n'])
})

test('CSV is cut at the ends of records, and each part has the header', async () => {
  const text = 'PK,note\na,"one\ntwo ""x"""\nb,2\nc,3\n'
  const parts = await partsOf(text, 'a.csv', 27)
  expect(parts).toEqual(['PK,note\na,"one\ntwo ""x"""\n', 'PK,note\nb,2\nc,3\n'])
})

test('What cannot be cut is refused when it is too large for one call', async () => {
  const text = `[${'{"PK":"a"},\n'.repeat(1_100_000)}]`
  await expect(partsOf(text, 'a.json', 1000, 1_000_000)).rejects.toThrow(kCannotBeCut)
})

test('The beginning tells the format', () => {
  expect(seedFormat('a.csv.gz', '{"PK"}')).toBe('csv')
  expect(seedFormat('a.json', ' {"PK":"a"}\n{"PK"')).toBe('lines')
  expect(seedFormat('a.json', '{"Items":[{"PK":{"S":"a"}}]}\n')).toBe('whole')
  expect(seedFormat('a.json', '{\n "PK":"a"}')).toBe('whole')
  expect(seedFormat('a.json', '[{"PK":"a"}]')).toBe('whole')
})

test('A compressed file is unpacked, and text that is not UTF-8 is refused', async () => {
  const read = async (content: Uint8Array<ArrayBuffer>) => {
    let text = ''
    for await (const piece of textOfFile(new Blob([content]))) text += piece
    return text
  }
  expect(await read(new Uint8Array(gzipSync('{"PK":"ä"}\n')))).toBe('{"PK":"ä"}\n')
  expect(await read(new TextEncoder().encode('{"PK":"ä"}\n'))).toBe('{"PK":"ä"}\n')
  await expect(read(new Uint8Array([0x7b, 0xff, 0xfe]))).rejects.toThrow(TypeError)
})
