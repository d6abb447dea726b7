import { expect, it } from 'vitest'
import { rowsBefore } from '../../src/ui/still'

it('rows that came since wait, all of them when the list has gone on', () => {
  expect(rowsBefore([5, 4, 3, 2], 3)).toEqual([5, 4])
  expect(rowsBefore([5, 4], 5)).toEqual([])
  expect(rowsBefore([5, 4], 1)).toEqual([5, 4])
  expect(rowsBefore([5, 4], undefined)).toEqual([])
})
