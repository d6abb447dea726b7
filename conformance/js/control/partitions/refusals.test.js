// Wrong calls: each is answered with a sentence that says what is wrong, and models nothing.

import { afterAll, describe, expect, it } from 'vitest'
import { call, control, hasControl, newAccount } from '../../support/control.js'

const account = newAccount()
const range = (name, text) => `"${name}" in "parameters" is ${text}.`
const ROWS = [
  [{}, '"mode" is missing in the body.'],
  [{ mode: 'throttle' }, '"mode" is "watch" or "enforce".'],
  [{ mode: 'Watch' }, '"mode" is "watch" or "enforce".'],
  [{ mode: 1 }, '"mode" in the body is not a text of at least one character.'],
  [{ mode: 'watch', tables: ['app'] },
    '"tables" is no member of the body, which may have "account", "region", "table", "mode", "parameters" and "seed".'],
  [{ mode: 'watch', seed: -1 }, '"seed" in the body is not a whole number from 0.'],
  [{ mode: 'watch', seed: 1.5 }, '"seed" in the body is not a whole number from 0.'],
  [{ mode: 'watch', parameters: [] }, '"parameters" in the body is not an object.'],
  [{ mode: 'watch', parameters: { writes: 5 } },
    '"writes" is no member of "parameters", which may have "read_units", "write_units", "new_table_read_units", "new_table_write_units", "quota_read_units", ' +
    '"quota_write_units", "partition_bytes", "burst", "average", "split_after", "growth_after", "split_heat", "one_item_share", "split_delay" and "key_range_error".'],
  [{ mode: 'watch', parameters: { write_units: '5' } }, '"write_units" in "parameters" is not a whole number from 0.'],
  [{ mode: 'watch', parameters: { write_units: null } },
    'The body is not a JSON object: A member is null or named twice, it is nested too deep, or holds half a surrogate pair. (at byte 75)'],
  [{ mode: 'watch', parameters: { write_units: 0 } }, range('write_units', 'from 1 to 1,000,000')],
  [{ mode: 'watch', parameters: { write_units: 1_000_001 } }, range('write_units', 'from 1 to 1,000,000')],
  [{ mode: 'watch', parameters: { read_units: -3 } }, '"read_units" in "parameters" is not a whole number from 0.'],
  [{ mode: 'watch', parameters: { quota_read_units: 0 } }, range('quota_read_units', 'from 1 to 1,000,000,000')],
  [{ mode: 'watch', parameters: { new_table_write_units: 1e10 } }, range('new_table_write_units', 'from 1 to 1,000,000,000')],
  [{ mode: 'watch', parameters: { partition_bytes: 0 } }, range('partition_bytes', 'from 1 to 2^50')],
  [{ mode: 'watch', parameters: { burst: '301s' } }, range('burst', 'from 1ms to 300s')],
  [{ mode: 'watch', parameters: { burst: 0 } }, range('burst', 'from 1ms to 300s')],
  [{ mode: 'watch', parameters: { burst: 5 } }, '"burst" in "parameters" is not a time with its unit, such as "500ms", "3s", "5m", "2h" or "2d".'],
  [{ mode: 'watch', parameters: { average: '999ms' } }, range('average', 'from 1s to 30d')],
  [{ mode: 'watch', parameters: { split_after: '31d' } }, range('split_after', 'at most 30d')],
  [{ mode: 'watch', parameters: { growth_after: '31d' } }, range('growth_after', 'at most 30d')],
  [{ mode: 'watch', parameters: { split_heat: 0 } }, range('split_heat', 'more than 0 and at most 100')],
  [{ mode: 'watch', parameters: { one_item_share: 1.01 } }, range('one_item_share', 'more than 0 and at most 1')],
  [{ mode: 'watch', parameters: { split_delay: { min: '2s', max: '1s' } } }, '"min" in "split_delay" is more than "max".'],
  [{ mode: 'watch', parameters: { split_delay: { min: '2s' } } }, '"max" is missing in "split_delay".'],
  [{ mode: 'watch', parameters: { split_delay: 'soon' } },
    '"split_delay" in "parameters" is neither a time with its unit, such as "500ms", "3s", "5m", "2h" or "2d", nor an object of two such times, "min" and "max".'],
  [{ mode: 'watch', parameters: { split_delay: '31d' } }, range('split_delay', 'at most 30d')],
  [{ mode: 'watch', parameters: { key_range_error: 'ValidationException' } },
    range('key_range_error', '"ThrottlingException", "ProvisionedThroughputExceededException" or "RequestLimitExceeded"')],
]

describe.skipIf(!hasControl)('a call to "partitions"', () => {
  afterAll(() => control('DELETE', 'partitions', { account }))
  const rules = async () => (await control('GET', 'partitions')).rules.filter((rule) => rule.account === account)

  it.each(ROWS)('with %j is refused', async (body, error) => {
    expect(await call('POST', 'partitions', { account, ...body })).toEqual({ status: 400, body: { error } })
    expect(await rules()).toEqual([])
  })

  it('with what belongs to no account, call or method is refused', async () => {
    expect(await call('POST', 'partitions', { account: 'me', mode: 'watch' }))
      .toEqual({ status: 400, body: { error: `"me" in "account" is not an account id, which has 12 digits.` } })
    expect(await call('DELETE', 'partitions', { account, mode: 'watch' }))
      .toEqual({ status: 400, body: { error: '"mode" is no member of the body, which may have "account", "region" and "table".' } })
    expect(await call('GET', 'partitions/1')).toEqual({ status: 404, body: { error: 'There is no such call; docs/control-api.md lists the calls.' } })
    expect(await call('PUT', 'partitions', {})).toEqual({ status: 405, body: { error: 'This path is called with GET or POST or DELETE, not with another method.' } })
  })

  it('about a table that does not exist yet is a rule for later', async () => {
    const rule = { account, table: 'later', mode: 'watch', seed: 0, parameters: {} }
    await control('POST', 'partitions', { account, table: 'later', mode: 'watch' })
    expect(await rules()).toEqual([rule])
    await control('POST', 'partitions', { account, table: 'later', mode: 'enforce' })
    expect(await rules()).toEqual([{ ...rule, mode: 'enforce' }])
  })
})
