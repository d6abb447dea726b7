// TagResource, UntagResource, ListTagsOfResource, and the tags of CreateTable.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, isAws } from '../support/endpoint.js'
import { answer, failure, notFound, validation } from '../support/answers.js'
import { createTable, definition, uniqueName } from '../support/tables.js'

const { db } = connect()
const TableName = uniqueName('tagged')
const first = [{ Key: 'env', Value: 'test' }, { Key: 'Env', Value: '' }]
let ResourceArn
beforeAll(async () => {
  ResourceArn = (await createTable(db, { ...definition({ key: ['pk:S'], gsi: { byG: ['g:S'] } }), TableName, Tags: first })).TableArn
}, 120_000)
afterAll(() => db.deleteTable({ TableName }))

const sorted = (tags) => tags.toSorted((a, b) => (a.Key < b.Key ? -1 : 1))
/** Asserts the table's tags: at once, or on AWS after some time, because tags appear seconds later. */
async function expectTags(expected) {
  const deadline = Date.now() + (isAws ? 20_000 : 0)
  for (;;) {
    const { Tags, ...rest } = await answer(db.listTagsOfResource({ ResourceArn }))
    if (Date.now() >= deadline || JSON.stringify(sorted(Tags)) === JSON.stringify(sorted(expected))) {
      return expect({ Tags: sorted(Tags), ...rest }).toEqual({ Tags: sorted(expected) })
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

describe('a table', () => {
  it('has the tags it was created with', () => expectTags(first))

  it('takes more, and new values for old keys', async () => {
    const Tags = [{ Key: 'env', Value: 'production' }, { Key: ' ключ é 表 a+b-c=d.e_f:g/h@i', Value: 'ключ é 表' }]
    expect(await answer(db.tagResource({ ResourceArn, Tags }))).toEqual({})
    await expectTags([first[1], ...Tags])
    expect((await db.describeTable({ TableName })).Table).toMatchObject({ TableStatus: 'ACTIVE', TableArn: ResourceArn })
  })

  it('gives them up, those it does not have too', async () => {
    expect(await answer(db.untagResource({ ResourceArn, TagKeys: ['Env', 'absent', ' ключ é 表 a+b-c=d.e_f:g/h@i'] }))).toEqual({})
    await expectTags([{ Key: 'env', Value: 'production' }])
  })

  it('holds fifty, on one page', async () => {
    const Tags = Array.from({ length: 49 }, (_, i) => ({ Key: `k${i}`, Value: 'v'.repeat(256) }))
    await db.tagResource({ ResourceArn, Tags })
    await expectTags([{ Key: 'env', Value: 'production' }, ...Tags])
    expect(await failure(db.tagResource({ ResourceArn, Tags: [{ Key: 'env', Value: 'x' }, { Key: 'one more', Value: '' }] }))).toEqual(
      validation('Number of Tags exceed the current limit for the provided ResourceArn'))
    await expectTags([{ Key: 'env', Value: 'production' }, ...Tags])
  })
})

describe('refused, and nothing changed', () => {
  const tag = (Key, Value = 'v') => ({ Key, Value })
  it.each([
    ['no tags', [], 'Atleast one Tag needs to be provided as Input.'],
    ['a long key', [tag('k'.repeat(129))], `The Tag Key provided is invalid, Key: ${'k'.repeat(129)}`],
    ['a long value', [tag('k', 'v'.repeat(257))], `The Tag Value provided is invalid, Value: ${'v'.repeat(257)}`],
    ['a symbol in a key', [tag('bad#char')], 'The Tag Key provided is invalid, Key: bad#char'],
    ['an emoji in a value', [tag('k', '🔑')], 'The Tag Value provided is invalid, Value: 🔑'],
    ['no value', [{ Key: 'k' }], 'The Tag Value provided is invalid, Value: null'],
    ['a reserved key', [tag('AWS:k')], 'Tag Key cannot be prefixed with aws:, Key: AWS:k'],
    ['a key twice', [tag('dup'), tag('dup', 'w')], 'Duplicate Tag Keys provided as input: Duplicate Tag Key found dup'],
  ])('is %s', async (_, Tags, message) => {
    expect(await failure(db.tagResource({ ResourceArn, Tags }))).toEqual(validation(message))
    if (Tags.length === 0) return
    const name = uniqueName('untagged')
    expect(await failure(db.createTable({ ...definition({ key: ['pk:S'] }), TableName: name, Tags }))).toEqual(validation(message))
    expect(await failure(db.describeTable({ TableName: name }))).toEqual(notFound(`Requested resource not found: Table: ${name} not found`))
  })

  it.each([
    [[], 'Atleast one Tag Key needs to be provided as Input.'],
    [['aws:k'], 'Tag Key cannot be prefixed with aws:, Key: aws:k'],
    [['bad#char'], 'The Tag Key provided is invalid, Key: bad#char'],
    [Array.from({ length: 51 }, (_, i) => `k${i}`), 'Number of Tags exceed the current limit for the provided ResourceArn'],
  ])('is to untag %j', async (TagKeys, message) => {
    expect(await failure(db.untagResource({ ResourceArn, TagKeys }))).toEqual(validation(message))
  })

  it.each([
    ['a name', () => TableName, (arn) => `One or more parameter values were invalid: ARNs must start with 'arn:': ${arn}`],
    ['an index', () => `${ResourceArn}/index/byG`,
      (arn) => `One or more parameter values were invalid: Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${arn}`],
    ['a backup', () => `${ResourceArn}/backup/01791525400213-63b4d36a`,
      (arn) => `One or more parameter values were invalid: Provided Arn is not a DynamoDB resource arn: ${arn}`],
  ])('is the ARN of %s', async (_, arn, message) => {
    const resource = { ResourceArn: arn() }
    expect(await failure(db.listTagsOfResource(resource))).toEqual(validation(message(arn())))
    expect(await failure(db.tagResource({ ...resource, Tags: [tag('k')] }))).toEqual(validation(message(arn())))
    expect(await failure(db.untagResource({ ...resource, TagKeys: ['k'] }))).toEqual(validation(message(arn())))
  })

  it('is a table that does not exist', async () => {
    const missing = { ResourceArn: ResourceArn.replace(TableName, uniqueName('none')) }
    expect((await failure(db.tagResource({ ...missing, Tags: [tag('k')] }))).name).toBe('ResourceNotFoundException')
    expect((await failure(db.untagResource({ ...missing, TagKeys: ['k'] }))).name).toBe('ResourceNotFoundException')
    expect(['AccessDeniedException', 'ResourceNotFoundException']).toContain((await failure(db.listTagsOfResource(missing))).name)
  })
})
