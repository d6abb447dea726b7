import { expect, test } from 'vitest'
import { writeBeside } from '../support/parallel.cjs'
import { ADA } from '../support/tables.cjs'

test('a file beside worker-two sees its own writes', async () => {
  expect(await writeBeside('one', 'two')).toEqual({ before: ADA, after: { ...ADA, by: { S: 'one' } } })
})
