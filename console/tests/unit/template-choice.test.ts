import { expect, test } from 'vitest'
import type { KeyEntity } from '../../src/api/control-types'
import { emptyForm, type QueryForm } from '../../src/model/request'
import type { KeyPlan } from '../../src/model/tables'
import { keyTemplatesOf, templateOfForm } from '../../src/model/template-choice'
import { readFillings } from '../../src/model/templates'

const plan: KeyPlan = {
  hash: [{ name: 'PK', type: 'S' }], range: [{ name: 'SK', type: 'S' }], is_local: false, projection: 'ALL', included: []
}
const entity = (number: number, PK: string, SK: string, items: number): KeyEntity => ({ entity: number, key: { PK, SK }, items, collections: 1, attributes: [] })
const templates = keyTemplatesOf(plan, [
  entity(0, 'USER#{…}', 'ORDER#{date}#{…}', 30), entity(1, 'USER#{…}', 'PROFILE', 10), entity(2, 'LOG#{date}', '{…}', 5)
])
const formOf = (hash: string, range?: string): QueryForm => ({
  ...emptyForm('shop'), hash: [hash], range: range === undefined ? [] : [{ operator: '=', values: [range] }]
})
const choice = (form: QueryForm, name?: string) => {
  const found = templateOfForm(templates, plan, form, name)
  return found && [found.template.name, found.fillings.map(({ text }) => text)]
}

test('what the blanks of a template hold is read from a text', () => {
  expect(readFillings('USER#{…}', 'USER#ada')).toEqual([{ text: 'ada' }])
  expect(readFillings('ORDER#{date}#{…}', 'ORDER#2026-01-31#a#b')).toEqual([{ text: '2026-01-31' }, { text: 'a#b' }])
  expect(readFillings('PROFILE', 'PROFILE')).toEqual([])
  for (const [template, text] of [['USER#{…}', 'USER#'], ['USER#{…}', 'ORDER#1'], ['PROFILE', 'PROFILES'], ['{a}#META', 'x#METAS'], ['{a}{b}', 'xy']] as const) {
    expect(readFillings(template, text)).toBeUndefined()
  }
})

test('whole collections have a template of their own, unless that of an entity means the same', () => {
  expect(templates.map(({ name, range, items }) => [name, range.length, items])).toEqual([
    ['USER#{…}', 0, 40], ['USER#{…} · ORDER#{date}#{…}', 1, 30], ['USER#{…} · PROFILE', 1, 10], ['LOG#{date} · {…}', 1, 5]
  ])
})

test('the key of a collection chooses the template of whole collections', () => {
  expect(choice(formOf('USER#ada'))).toEqual(['USER#{…}', ['ada']])
  expect(choice(formOf('LOG#2026-01-31'))).toEqual(['LOG#{date} · {…}', ['2026-01-31']])
  expect(choice(formOf('OTHER#1'))).toBeUndefined()
})

test('the key of an item chooses the template of its entity, or none', () => {
  expect(choice(formOf('USER#ada', 'ORDER#2026-01-31#7'))).toEqual(['USER#{…} · ORDER#{date}#{…}', ['ada', '2026-01-31', '7']])
  expect(choice(formOf('USER#ada', 'PROFILE'))).toEqual(['USER#{…} · PROFILE', ['ada']])
  expect(choice(formOf('USER#ada', 'SETTINGS'))).toBeUndefined()
})

test('a name chooses its template, with what the form has of the key', () => {
  expect(choice(formOf('USER#ada'), 'USER#{…} · PROFILE')).toEqual(['USER#{…} · PROFILE', ['ada']])
  expect(choice(emptyForm('shop'), 'USER#{…} · PROFILE')).toEqual(['USER#{…} · PROFILE', []])
  expect(choice(emptyForm('shop'), 'USER#{…}')).toEqual(['USER#{…}', []])
  expect(choice(formOf('OTHER#1'), 'USER#{…} · PROFILE')).toBeUndefined()
  expect(choice(formOf('USER#ada'), 'no such template')).toBeUndefined()
})
