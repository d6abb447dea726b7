// Every operator on string, number and binary sort keys of a table, a local and a global index; forward and backward;
// in one answer and page by page.

import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, expectAnswer, page } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { B, N, S } from '../support/values.js'

const { db } = connect()

// Eight values of each type, ascending in the service's order: by UTF-8 bytes, by value, by unsigned bytes.
const TYPES = {
  S: ['A', 'AB', 'ABC', 'B', 'a', 'é', '\uFB00', '😀'].map(S),
  N: ['-1000', '-2.5', '-0.001', '0', '0.5', '9', '10', '12345678901234567890123456789012345678'].map(N),
  B: [[0], [0, 0], [0, 1], [1], [0x7f], [0x80], [0x80, 0], [0xff]].map((bytes) => B(...bytes)),
}

const span = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

// a condition on the sort key, the positions of its operands, the positions of the values that it selects
const CONDITIONS = [
  ['no condition', null, [], span(0, 7)],
  ['#sk = :a', '#sk = :a', [3], [3]],
  ['#sk < :a', '#sk < :a', [3], span(0, 2)],
  ['#sk < the least', '#sk < :a', [0], []],
  ['#sk <= :a', '#sk <= :a', [3], span(0, 3)],
  ['#sk > :a', '#sk > :a', [3], span(4, 7)],
  ['#sk > the greatest', '#sk > :a', [7], []],
  ['#sk >= :a', '#sk >= :a', [3], span(3, 7)],
  [':a > #sk', ':a > #sk', [2], span(0, 1)],
  ['#sk BETWEEN :a AND :b', '#sk BETWEEN :a AND :b', [2, 5], span(2, 5)],
  ['#sk BETWEEN :a AND :a', '#sk BETWEEN :a AND :a', [4], [4]],
]

// only strings and binaries have prefixes
const PREFIXES = {
  S: [['A', span(0, 2)], ['AB', span(1, 2)], ['ABCD', []], ['😀', [7]]].map(([prefix, found]) => [S(prefix), found]),
  N: [],
  B: [[[0], span(0, 2)], [[0x80], span(5, 6)], [[0xff], [7]], [[2], []]].map(([prefix, found]) => [B(...prefix), found]),
}

// where the key lies: index, partition key, sort key, which of the eight values item n has there, paging key
const PLACES = {
  table: { pk: 'pk', sk: 'sk', position: (n) => n, paging: ['pk', 'sk'] },
  'a local index': { IndexName: 'local', pk: 'pk', sk: 'lsk', position: (n) => 7 - n, paging: ['pk', 'sk', 'lsk'] },
  'a global index': { IndexName: 'global', pk: 'gpk', sk: 'gsk', position: (n) => (3 * n) % 8, paging: ['pk', 'sk', 'gpk', 'gsk'] },
}

const item = (values, partition, n) => ({
  pk: S(partition), sk: values[n], lsk: values[PLACES['a local index'].position(n)],
  gpk: S(partition), gsk: values[PLACES['a global index'].position(n)], n: N(n),
})

describe.each(Object.keys(TYPES))('sort keys of type %s', (type) => {
  const values = TYPES[type]
  const schema = definition({ key: ['pk:S', `sk:${type}`], lsi: { local: ['pk:S', `lsk:${type}`] }, gsi: { global: ['gpk:S', `gsk:${type}`] } })
  const TableName = useTable(db, schema, async (created) => {
    for (const partition of ['p', 'before', 'zafter']) {
      const requests = values.map((_, n) => ({ PutRequest: { Item: item(values, partition, n) } }))
      await db.batchWriteItem({ RequestItems: { [created]: requests } })
    }
  })

  describe.each(Object.keys(PLACES))('in %s', (placeName) => {
    const place = PLACES[placeName]
    const ascending = values.map((_, n) => item(values, 'p', n)).sort((a, b) => place.position(+a.n.N) - place.position(+b.n.N))

    const request = (condition, operands, options) => ({
      TableName,
      IndexName: place.IndexName,
      ConsistentRead: placeName !== 'a global index',
      KeyConditionExpression: condition ? `#pk = :pk AND ${condition}` : '#pk = :pk',
      ExpressionAttributeNames: { '#pk': place.pk, ...(condition && { '#sk': place.sk }) },
      ExpressionAttributeValues: { ':pk': S('p'), ...operands },
      ...options,
    })

    /** Reads page by page, and compares each page. A full page ends with a LastEvaluatedKey, also if no item follows. */
    async function expectPages(condition, operands, forward, found, Limit) {
      let ExclusiveStartKey
      for (let first = 0; first <= found.length; first += Limit) {
        const items = found.slice(first, first + Limit)
        const last = items.length === Limit ? Object.fromEntries(place.paging.map((name) => [name, items.at(-1)[name]])) : undefined
        const input = request(condition, operands, { ScanIndexForward: forward, Limit, ExclusiveStartKey })
        expect(await answer(db.query(input))).toEqual(page(items, last))
        ExclusiveStartKey = last
      }
    }

    const rows = [
      ...CONDITIONS.map(([name, condition, [a, b], positions]) => {
        const operands = { ...(a !== undefined && { ':a': values[a] }), ...(b !== undefined && { ':b': values[b] }) }
        return [name, condition, operands, positions]
      }),
      ...PREFIXES[type].map(([prefix, positions], n) => [`begins_with(#sk, :a), ${n + 1}`, 'begins_with(#sk, :a)', { ':a': prefix }, positions]),
    ]

    describe.each([['forward', true], ['backward', false]])('%s', (_, forward) => {
      it.each(rows)('%s', async (name, condition, operands, positions) => {
        const found = (forward ? positions : positions.toReversed()).map((position) => ascending[position])
        await expectAnswer(() => db.query(request(condition, operands, { ScanIndexForward: forward })), page(found))
        for (const Limit of new Set([1, 3, found.length || 1, 9])) await expectPages(condition, operands, forward, found, Limit)
      })
    })
  })
})
