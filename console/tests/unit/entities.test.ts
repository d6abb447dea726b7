import { expect, test } from 'vitest'
import type { KeyEntity } from '../../src/api/control-types'
import type { Item } from '../../src/api/values'
import { entityFinder, hasPlaceholder, literalPrefix, templateParts } from '../../src/views/collections/entities'
import { entityName } from '../../src/model/template-choice'

function entity(number: number, key: Record<string, string>): KeyEntity {
  return { entity: number, key, items: 1, collections: 1, attributes: [] }
}

const entities = [
  entity(0, { PK: 'USER#{user_id}', SK: 'ORDER#{date}#{…}' }),
  entity(1, { PK: 'USER#{user_id}', SK: 'PROFILE' }),
  entity(2, { PK: 'USER#{user_id}', SK: 'FOLDER#{…}' }),
  entity(3, { PK: 'USER#{user_id}', SK: 'FOLDER#documents#{…}' }),
  entity(4, { PK: 'USER#{user_id}', SK: '{…}' }),
  entity(5, { PK: '{number}', SK: 'A.B(c)*' })
]

function nameOf(item: Item): number | undefined {
  return entityFinder(entities)(item)?.entity
}

test('An item is of the entity whose templates its key fits; the one that says most wins', () => {
  const key = (SK: string): Item => ({ PK: { S: 'USER#7' }, SK: { S: SK } })
  expect(nameOf(key('ORDER#2024-03-01T10:00:00Z#o1'))).toBe(0)
  expect(nameOf(key('PROFILE'))).toBe(1)
  expect(nameOf(key('FOLDER#music'))).toBe(2)
  expect(nameOf(key('FOLDER#documents#taxes'))).toBe(3)
  expect(nameOf(key('else'))).toBe(4)
  expect(nameOf(key('else#more'))).toBe(undefined)
  expect(nameOf({ PK: { S: 'ORG#7' }, SK: { S: 'PROFILE' } })).toBe(undefined)
  expect(nameOf({ PK: { S: 'USER#7' } })).toBe(undefined)
})

test('Signs of regular expressions in a template are literal, and numbers fit a placeholder that is the whole key', () => {
  expect(nameOf({ PK: { N: '7' }, SK: { S: 'A.B(c)*' } })).toBe(5)
  expect(nameOf({ PK: { N: '7' }, SK: { S: 'AxB(c)*' } })).toBe(undefined)
  expect(nameOf({ PK: { N: '7' }, SK: { S: 'PROFILE' } })).toBe(undefined)
})

test('A template has literal parts and placeholders', () => {
  expect(templateParts('ORDER#{date}#{…}')).toEqual([
    { text: 'ORDER#', is_placeholder: false }, { text: '{date}', is_placeholder: true },
    { text: '#', is_placeholder: false }, { text: '{…}', is_placeholder: true }
  ])
  expect(literalPrefix('ORDER#{date}#{…}')).toBe('ORDER#')
  expect(literalPrefix('PROFILE')).toBe('PROFILE')
  expect(literalPrefix('{…}')).toBe('')
  expect([hasPlaceholder('PROFILE'), hasPlaceholder('A#{…}')]).toEqual([false, true])
  expect(entityName(entities[1]!)).toBe('USER#{user_id} · PROFILE')
})
