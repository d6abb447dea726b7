import { expect, test } from 'vitest'
import type { KeyEntity } from '../../src/api/control-types'
import { entryAt, heightOf, kTallHeadHeight, linesOf, moveLine, startsOf, type Line } from '../../src/views/collections/board-layout'
import type { Entry } from '../../src/views/collections/collection-list'
import type { BoardItem, LoadedItems } from '../../src/views/collections/item-store'

const profile: KeyEntity = { entity: 0, key: { SK: 'PROFILE' }, items: 1, collections: 1, attributes: [] }
const order: KeyEntity = { entity: 1, key: { SK: 'ORDER#{…}' }, items: 9, collections: 1, attributes: [] }

function item(id: string, entity: KeyEntity | undefined): BoardItem {
  return { item: {}, key: {}, id, left_out: null, entity }
}

function loaded(items: BoardItem[], more: Partial<LoadedItems> = {}): LoadedItems {
  return { items, next: undefined, is_loading: false, error: null, ...more }
}

const entry: Entry = { id: 'a', key: {}, items: 40, entities: [{ entity: 0, items: 1 }, { entity: 1, items: 39 }] }

function kinds(lines: Line[]): string {
  return lines.map((line) => (line.kind === 'item' ? line.item.id : line.kind === 'more' || line.kind === 'error' ? line.text : line.kind)).join(', ')
}

test('Items stand under the names of their entity, once for each run of it', () => {
  const items = [item('o1', order), item('o2', order), item('x', undefined), item('p', profile), item('o3', order)]
  expect(kinds(linesOf(entry, loaded(items), false))).toBe('head, names, o1, o2, names, x, names, p, names, o3')
  expect(kinds(linesOf(entry, loaded(items), true))).toBe('head')
  expect(kinds(linesOf(entry, loaded([]), false))).toBe('head')
})

test('What is not read yet has as many lines as it will need: 25 items, their names, and the line for more', () => {
  const lines = linesOf(entry, undefined, false)
  expect([lines.length, new Set(lines.slice(1).map((line) => line.kind))]).toEqual([1 + 25 + 2 + 1, new Set(['waiting'])])
  expect(linesOf({ id: 'b', key: {}, items: 2 }, undefined, false).length).toBe(1 + 2 + 1)
})

test('The last line offers more items, or says why there are none', () => {
  const next = { PK: { S: 'a' } }
  expect(kinds(linesOf(entry, loaded([item('p', profile)], { next }), false))).toBe('head, names, p, Show more of 39 items')
  expect(kinds(linesOf({ ...entry, items: 1000, has_more_items: true }, loaded([item('p', profile)], { next }), false))).toBe('head, names, p, Show more of 999+ items')
  expect(kinds(linesOf(entry, loaded([item('p', profile)], { next, is_loading: true }), false))).toBe('head, names, p, Reading …')
  expect(kinds(linesOf(entry, loaded([], { error: 'No.' }), false))).toBe('head, No.')
})

test('Heights add up, and a height has its collection', () => {
  const lines: Line[][] = [[{ kind: 'head' }], [{ kind: 'head' }, { kind: 'waiting' }], [{ kind: 'head' }]]
  const starts = startsOf(lines)
  expect(starts).toEqual([0, 34, 94, 128])
  expect(heightOf(2)).toBe(60)
  expect(startsOf(lines, kTallHeadHeight)).toEqual([0, 60, 146, 206])
  expect([0, 33, 34, 93, 94, 5000].map((y) => entryAt(starts, y))).toEqual([0, 0, 1, 1, 2, 2])
  expect(entryAt([0], 10)).toBe(0)
})

test('The reader moves over heads, items and the line for more', () => {
  const one: Line[] = [{ kind: 'head' }, { kind: 'names', entity: order }, { kind: 'item', item: item('o1', order) }, { kind: 'more', text: '' }]
  const lines = [one, [{ kind: 'head' }, { kind: 'waiting' }] as Line[], one]
  expect(moveLine(lines, { entry: 0, line: 0 }, 1)).toEqual({ entry: 0, line: 2 })
  expect(moveLine(lines, { entry: 0, line: 3 }, 1)).toEqual({ entry: 1, line: 0 })
  expect(moveLine(lines, { entry: 1, line: 0 }, 1)).toEqual({ entry: 2, line: 0 })
  expect(moveLine(lines, { entry: 2, line: 2 }, -1)).toEqual({ entry: 2, line: 0 })
  expect(moveLine(lines, { entry: 0, line: 0 }, 100)).toEqual({ entry: 2, line: 3 })
  expect(moveLine(lines, { entry: 0, line: 2 }, -100)).toEqual({ entry: 0, line: 0 })
})
