import { expect, it } from 'vitest'
import { emptyForm, formText, restoreForm } from '../../src/model/request'
import { readKept, withQuery, type KeptQuery } from '../../src/views/query/history'

const query = (members: Partial<KeptQuery>): KeptQuery => ({ kind: 'Query', content: { a: 1 }, text: 'x', table: 'app', epoch_ms: 1, ...members })

it('keeps the latest queries, one of each, and those that were saved', () => {
  const first = withQuery([], query({}))
  expect(withQuery(first, query({ epoch_ms: 2 }))).toEqual([query({ epoch_ms: 2 })])
  const saved = withQuery(first, query({ name: 'orders', epoch_ms: 3 }))
  expect(saved).toEqual([query({ name: 'orders', epoch_ms: 3 }), query({})])
  expect(withQuery(saved, query({ name: 'orders', content: { b: 2 } }))).toEqual([query({ name: 'orders', content: { b: 2 } }), query({})])
  let list: KeptQuery[] = saved
  for (let at = 0; at < 300; at += 1) list = withQuery(list, query({ content: at, ...(at % 2 === 0 && { name: `n${at}` }) }))
  expect([list.filter((each) => each.name !== undefined).length, list.filter((each) => each.name === undefined).length]).toEqual([100, 50])
  expect(withQuery(saved, query({ text: 'x'.repeat(20_000) }))).toEqual(saved)
})

it.each([null, undefined, '', '{}', 'nonsense', '[1,null,{"kind":"Query"},{"kind":"X","text":"","table":"","epoch_ms":1}]'])('reads %s as nothing', (text) => {
  expect(readKept(text)).toEqual([])
})

it('reads what it wrote', () => {
  expect(readKept(JSON.stringify([query({ name: 'n' })]))).toEqual([query({ name: 'n' })])
})

it('restores a form from anything', () => {
  const form = {
    ...emptyForm('app'), index: 'GSI1', hash: ['a'], range: [{ operator: 'BETWEEN' as const, values: ['1', '2'] }],
    filters: [{ path: 'x', operator: 'IN' as const, type: 'N' as const, values: ['1'], is_negated: true }], joined_by: 'OR' as const,
    projection: 'a, b', is_backward: true, is_consistent: true, counts_only: true, limit: '7'
  }
  expect(restoreForm(JSON.parse(JSON.stringify(form)), 'app')).toEqual(form)
  for (const kept of [null, 1, 'x', [], { hash: 1, range: 'x', filters: {}, joined_by: 'XOR', limit: 5 }]) expect(restoreForm(kept, 'app')).toEqual(emptyForm('app'))
  expect(restoreForm({ range: [null, { operator: 'DROP', values: [1, 'a'] }], filters: [null] }, 'app')).toEqual({
    ...emptyForm('app'), range: [{ operator: '=', values: [] }, { operator: '=', values: ['', 'a'] }],
    filters: [{ path: '', operator: '=', type: 'S', values: [], is_negated: false }]
  })
  expect(formText(form)).toBe('GSI1 · a · BETWEEN 1 and 2 · not x IN 1 · backward')
  expect(formText(emptyForm('app'))).toBe('table')
})
