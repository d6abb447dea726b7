// What a measurement says of the items that are stored, whichever way they came to one entity.

import { describe, expect, it } from 'vitest'
import { hasControl } from '../../support/control.js'
import { createApplicationTable, entitiesOf, findingsOf, measure, times, useAccount } from '../../support/measurement.js'

const TableName = 'shop'
const ISO = '2026-01-01T10:00:00Z'
const SECONDS = 1767225600

describe.skipIf(!hasControl)('an attribute that holds times in two forms', () => {
  /** Stores customers, and returns the figures of their only entity. */
  const measured = (names) => {
    const { account, db, doc } = useAccount()
    return async () => {
      await createApplicationTable('shop', { db })
      const { measurement, report } = await measure(account, () => times(names.length, (n) => doc.put({ TableName,
        Item: { PK: `CUST#${names[n]}`, SK: 'METADATA', entityType: 'Customer', customerId: names[n], createdAt: n ? ISO : SECONDS } })))
      expect(entitiesOf(measurement)).toEqual([{ text: 'Customer: CUST#{customerId}, METADATA', items: names.length, inserted: names.length, written: { table: names.length } }])
      const { types, time_forms } = measurement.entities[0].attributes.find(({ name }) => name === 'createdAt')
      return { types: types.split(', ').sort(), forms: time_forms.split(', ').sort(), findings: findingsOf(report).filter(({ rule }) => rule === 'mixed-times') }
    }
  }
  const expected = { types: ['N', 'S'], forms: ['ISO', 'seconds'],
    findings: [{ rule: 'mixed-times', severity: 'warning', where: 'shop, createdAt', evidence: 'The attribute holds ISO and seconds.' }] }

  describe('of many customers', () => {
    const run = measured(Array.from({ length: 40 }, (_, n) => `c${100 + n}x`))

    it('is found', async () => {
      expect(await run()).toEqual(expected)
    })
  })

  // Customers whose keys are told from words only by an attribute are put together late.
  describe('of few customers', () => {
    const run = measured(['ada', 'bob', 'eve'])

    it('is found', async () => {
      expect(await run()).toEqual(expected)
    })
  })
})
