const { writeBeside } = require('../support/parallel.cjs')
const { ADA } = require('../support/tables.cjs')

test('a file beside worker-two sees its own writes', async () => {
  expect(await writeBeside('one', 'two')).toEqual({ before: ADA, after: { ...ADA, by: { S: 'one' } } })
})
