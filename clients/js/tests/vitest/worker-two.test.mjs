import { expect, test } from 'vitest'
import { writeBeside } from '../support/parallel.cjs'
import { ADA } from '../support/tables.cjs'

test('a file beside worker-one sees its own writes', async () => {
  expect(await writeBeside('two', 'one')).toEqual({ before: ADA, after: { ...ADA, by: { S: 'two' } } })
})
