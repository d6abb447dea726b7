// The blog, measured: users by e-mail address, posts with their tags, and metrics of each day under one partition key.
// An item takes less than 1 KB, so a write takes 1 unit of the table (2 in a transaction) and 1 of the index if the item is in it.

import { describe, expect, it } from 'vitest'
import { hasControl } from '../../support/control.js'
import { failure } from '../../support/answers.js'
import {
  createApplication, entitiesOf, findingsOf, firstLimitOf, measure, NEW, patternsOf, times, unitsOf, useAccount,
} from '../../support/measurement.js'

const TableName = 'blog'

describe.skipIf(!hasControl)('the access patterns of the blog', () => {
  const { account, db, doc } = useAccount()
  // There are 40 of each, more than the 32 texts in one place of a key that are taken for words.
  const user = (n) => `USER#w${100 + n}`
  const email = (n) => `w${100 + n}@example.com`
  const tag = (n) => `TAG#t${100 + n % 40}`
  const day = (n) => `2024-03-${String(1 + n % 31).padStart(2, '0')}`
  const post = (n) => ({ PK: user(n), SK: `POST#${day(n)}-${n}`, entityType: 'Post', postId: `${200 + n}`, title: 'Notes', status: 'PUBLISHED',
    GSI1PK: 'POST#PUBLISHED', GSI1SK: `${day(n)}T12:00:${10 + n}Z` })
  const tagged = (n, k) => ({ PK: tag(n + k), SK: `POST#${200 + n}`, entityType: 'Tag', title: 'Notes', author: `w${100 + n}` })
  const query = (KeyConditionExpression, values, more = {}) => doc.query({ TableName, KeyConditionExpression, ExpressionAttributeValues: values, ...more })
  const ofPrefix = (PK, prefix, more) => query('PK = :pk AND begins_with(SK, :sk)', { ':pk': PK, ':sk': prefix }, more)
  const published = (values, condition = '', more = {}) =>
    query(`GSI1PK = :pk${condition}`, { ':pk': 'POST#PUBLISHED', ...values }, { IndexName: 'GSI1', ScanIndexForward: false, ...more })
  const publish = (n) => doc.update({ TableName, Key: { PK: 'USER#cyd', SK: `POST#2024-06-01-${n}` }, ConditionExpression: '#s = :draft',
    UpdateExpression: 'SET #s = :s, GSI1PK = :pk, GSI1SK = :sk', ExpressionAttributeNames: { '#s': 'status' },
    ExpressionAttributeValues: { ':draft': 'DRAFT', ':s': 'PUBLISHED', ':pk': 'POST#PUBLISHED', ':sk': '2024-06-02T10:00:00Z' } })

  const traffic = async () => {
    await times(40, (n) => doc.put({ TableName, ...NEW, Item: { PK: user(n), SK: 'PROFILE', entityType: 'User', name: 'Wil', email: email(n),
      GSI1PK: 'USER', GSI1SK: email(n) } }))
    await times(40, (n) => doc.transactWrite({ TransactItems: [post(n), tagged(n, 0), tagged(n, 1)].map((Item) => ({ Put: { TableName, Item, ...NEW } })) }))
    await times(40, (n) => doc.put({ TableName, Item: { PK: `POST#${200 + n}`, SK: `COMMENT#w${139 - n}#2024-04-01T10:00:00Z`, entityType: 'Comment', text: 'Yes' } }))
    await times(31, (n) => doc.update({ TableName, Key: { PK: 'BLOG', SK: `METRICS#${day(n)}` }, UpdateExpression: 'ADD #views :one SET entityType = :type',
      ExpressionAttributeNames: { '#views': 'views' }, ExpressionAttributeValues: { ':one': 1, ':type': 'Metrics' } }))
    await times(2, (n) => doc.put({ TableName, ...NEW, Item: { PK: 'USER#cyd', SK: `POST#2024-06-01-${n}`, entityType: 'Post', postId: `30${n}`, status: 'DRAFT',
      GSI1PK: 'POST#DRAFT', GSI1SK: '2024-06-01T10:00:00Z' } }))
    await times(2, publish)
    await times(2, (n) => failure(publish(n)))
    await times(20, (n) => doc.get({ TableName, Key: { PK: user(n), SK: 'PROFILE' } }))
    await times(20, (n) => query('GSI1PK = :pk AND GSI1SK = :sk', { ':pk': 'USER', ':sk': email(n) }, { IndexName: 'GSI1' }))
    await times(10, (n) => ofPrefix(user(n), 'POST#', { ScanIndexForward: false }))
    await times(8, () => published({}, '', { Limit: 10 }))
    await times(4, () => published({ ':from': '2024-03-30T00:00:00Z', ':to': '2024-03-31T23:59:59Z' }, ' AND GSI1SK BETWEEN :from AND :to'))
    await times(10, (n) => ofPrefix(tag(n), 'POST#'))
    await times(10, (n) => ofPrefix(`POST#${200 + n}`, 'COMMENT#'))
    await times(6, () => query('PK = :pk AND SK BETWEEN :from AND :to', { ':pk': 'BLOG', ':from': 'METRICS#2024-03-01', ':to': 'METRICS#2024-03-31' }))
    await times(3, () => query('PK = :pk', { ':pk': 'CATEGORY#TECH#DATABASES#NOSQL' }))
    await times(4, () => ofPrefix('GROUP#readers', 'USER#'))
  }

  it('cost what is counted by hand', async () => {
    await createApplication('blog', { db, doc })
    const { measurement, report } = await measure(account, traffic)
    expect(patternsOf(measurement)).toEqual([
      { text: 'GetItem blog where PK = USER#{…} and SK = PROFILE', calls: 20, read: { table: 10 }, readP99: 0.5, examined: 20, returned: 20 },
      { text: 'PutItem blog where PK = POST#{digits} and SK = COMMENT#{…}#{date}', calls: 40, written: { table: 40 }, writeP99: 1, inserted: 40 },
      { text: 'PutItem blog where PK = USER#{…} and SK = POST#{…}, if attribute_not_exists(PK)', calls: 2, written: { table: 2, GSI1: 2 }, writeP99: 2, inserted: 2 },
      { text: 'PutItem blog where PK = USER#{…} and SK = PROFILE, if attribute_not_exists(PK)', calls: 40, written: { table: 40, GSI1: 40 }, writeP99: 2, inserted: 40 },
      // the 31 days of March
      { text: 'Query blog where PK = BLOG and SK BETWEEN METRICS#{date} and METRICS#{date}', calls: 6, read: { table: 3 }, readP99: 0.5, examined: 186, returned: 186 },
      { text: 'Query blog where PK = CATEGORY#TECH#DATABASES#NOSQL', calls: 3, read: { table: 1.5 }, readP99: 0.5, examined: 6, returned: 6 },
      { text: 'Query blog where PK = GROUP#readers and SK begins_with USER#', calls: 4, read: { table: 2 }, readP99: 0.5, examined: 8, returned: 8 },
      { text: 'Query blog where PK = POST#{digits} and SK begins_with COMMENT#', calls: 10, read: { table: 5 }, readP99: 0.5, examined: 10, returned: 10 },
      // each tag has two posts
      { text: 'Query blog where PK = TAG#{…} and SK begins_with POST#', calls: 10, read: { table: 5 }, readP99: 0.5, examined: 20, returned: 20 },
      { text: 'Query blog where PK = USER#{…} and SK begins_with POST#, backward', calls: 10, read: { table: 5 }, readP99: 0.5, examined: 10, returned: 10 },
      // two posts on the last two days of March. E-mail addresses and times are sort keys of the same index, so {…} stands for both.
      { text: 'Query blog/GSI1 where GSI1PK = POST#{status} and GSI1SK BETWEEN {…} and {…}, backward', calls: 4, read: { GSI1: 2 }, readP99: 0.5, examined: 8, returned: 8 },
      { text: 'Query blog/GSI1 where GSI1PK = POST#{status}, backward, limit 10', calls: 8, read: { GSI1: 4 }, readP99: 0.5, examined: 80, returned: 80 },
      { text: 'Query blog/GSI1 where GSI1PK = USER and GSI1SK = {…}', calls: 20, read: { GSI1: 10 }, readP99: 0.5, examined: 20, returned: 20 },
      // a post and two tags: 2 units of the table each, and 1 of the index for the post
      { text: 'TransactWriteItems put blog where PK = TAG#{…} and SK = POST#{…}, if attribute_not_exists(PK); '
        + 'put blog where PK = USER#{…} and SK = POST#{…}, if attribute_not_exists(PK)',
      calls: 40, written: { table: 240, GSI1: 40 }, writeP99: 7, inserted: 120 },
      // the first day of March has a number of views from the start
      { text: 'UpdateItem blog where PK = BLOG and SK = METRICS#{date}: SET entityType = ? ADD views ?', calls: 31, written: { table: 31 }, writeP99: 1, inserted: 30, changed: 1 },
      // a draft that is published moves within the index, which takes 2 units there; published again, it takes 1 unit and fails
      { text: 'UpdateItem blog where PK = USER#{…} and SK = POST#{…}: SET status = ?, GSI1PK = ?, GSI1SK = ?, if status = ?', calls: 4,
        written: { table: 2, GSI1: 4 }, writeP99: 3, changed: 2, moved: { GSI1: 2 }, errors: { ConditionalCheckFailedException: 2 }, failedConditions: 2, failedWritten: 2 },
    ])
    expect(unitsOf(measurement)).toEqual({ table: { read: 31.5, written: 355, failedWritten: 2 }, GSI1: { read: 16, written: 86 } })
    // Categories, groups and the names of their members are too few to be told from words.
    expect(entitiesOf(measurement)).toEqual([
      { text: 'Category: CATEGORY#TECH#DATABASES#NOSQL, POST#{…}', items: 2 },
      { text: 'Category: CATEGORY#TECH#DATABASES, POST#{…}', items: 1 },
      { text: 'Category: CATEGORY#TECH, POST#{…}', items: 1 },
      { text: 'Comment: POST#{digits}, COMMENT#{…}#{date}', items: 44, inserted: 40, written: { table: 40 } },
      { text: 'Member: GROUP#editors, USER#ann', items: 1 },
      { text: 'Member: GROUP#readers, USER#ann', items: 1 },
      { text: 'Member: GROUP#readers, USER#bob', items: 1 },
      { text: 'Member: USER#{…}, GROUP#editors', items: 1 },
      { text: 'Member: USER#{…}, GROUP#readers', items: 2 },
      { text: 'Metrics: BLOG, METRICS#{date}', items: 35, inserted: 30, changed: 1, written: { table: 31 } },
      { text: 'Post: USER#{…}, POST#{…}', items: 46, in: { GSI1: '46: POST#{status}, {…}' }, inserted: 42, changed: 2, written: { table: 84, GSI1: 46 } },
      { text: 'Tag: TAG#{…}, POST#{…}', items: 84, inserted: 80, written: { table: 160 } },
      { text: 'User: USER#{…}, PROFILE', items: 42, in: { GSI1: '42: USER, {…}' }, inserted: 40, written: { table: 40, GSI1: 40 } },
    ])
    expect(findingsOf(report)).toEqual([
      { rule: 'phantom-upsert', severity: 'warning', where: 'blog: UpdateItem blog where PK = BLOG and SK = METRICS#{date}: SET entityType = ? ADD views ?',
        evidence: '30 of 31 updates created an item; no condition asks for one that is there.' },
      { rule: 'constant-partition-key', severity: 'warning', where: 'blog, Metrics (BLOG, METRICS#{date}), PK=BLOG',
        evidence: '35 items of the entity, all that the table has, are under this one key; writing them took 31 write units.' },
      { rule: 'constant-partition-key', severity: 'warning', where: 'blog/GSI1, User (USER#{…}, PROFILE), GSI1PK=USER',
        evidence: '42 items of the entity, all that the index has, are under this one key; writing them took 40 write units.' },
      { rule: 'blind-create', severity: 'hint', where: 'blog: PutItem blog where PK = POST#{digits} and SK = COMMENT#{…}#{date}',
        evidence: '40 items were created without attribute_not_exists.' },
    ])
    // 250 calls succeed. 40 posts and 2 drafts that are published write 1 unit each to the key of published posts: 1,000 × 250 ÷ 42.
    expect(firstLimitOf(report)).toEqual({
      table: 'blog', index: 'GSI1', key: 'GSI1PK=POST#PUBLISHED', direction: 'write', limit_units_per_second: 1000,
      least_calls_per_second: 250_000 / 42, most_calls_per_second: 250_000 / 42, sentence: 'at 5,952 calls/s of this mix: GSI1, key GSI1PK=POST#PUBLISHED, writes',
    })
  })
})
