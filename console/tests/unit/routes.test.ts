import { expect, test } from 'vitest'
import { hrefOf, parseRoute } from '../../src/frame/routes'

test('A URL without a hash is the list of tables of the usual account and Region', () => {
  expect(parseRoute('')).toEqual({
    place: { account: '000000000000', region: 'us-east-1', table: '' },
    view: 'tables',
    parameters: new Map()
  })
})

test('A route and its URL are inverse', () => {
  const href = hrefOf(
    { account: '111122223333', region: 'eu-west-1', table: 'app', view: 'collections', parameters: { key: '{"PK":{"S":"A/B?#&=ä%"}}', index: undefined, page: 3 } },
    parseRoute('')
  )
  expect(href).toBe('#/111122223333/eu-west-1/app/collections?key=%7B%22PK%22%3A%7B%22S%22%3A%22A%2FB%3F%23%26%3D%C3%A4%25%22%7D%7D&page=3')
  expect(parseRoute(href)).toEqual({
    place: { account: '111122223333', region: 'eu-west-1', table: 'app' },
    view: 'collections',
    parameters: new Map([['key', '{"PK":{"S":"A/B?#&=ä%"}}'], ['page', '3']])
  })
})

test('Parts that are no place are the usual ones', () => {
  expect(parseRoute('#/12/%E0%A4%A/-/').place).toEqual({ account: '000000000000', region: 'us-east-1', table: '' })
  expect(parseRoute('#/12/%E0%A4%A/-/').view).toBe('tables')
})

test('A destination changes what it names, and has no old parameters', () => {
  const from = parseRoute('#/111122223333/eu-west-1/app/query?index=GSI1')
  expect(hrefOf({ view: 'collections' }, from)).toBe('#/111122223333/eu-west-1/app/collections')
  expect(hrefOf({ table: '' }, from)).toBe('#/111122223333/eu-west-1/-/query')
})
