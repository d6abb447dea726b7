const { writeBeside } = require('../support/parallel.cjs')
const { ADA } = require('../support/tables.cjs')

test('a file beside worker-one sees its own writes', async () => {
  expect(await writeBeside('two', 'one')).toEqual({ before: ADA, after: { ...ADA, by: { S: 'two' } } })
})
