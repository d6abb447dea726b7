// ExecuteStatement: the items that WHERE chooses, projections, pages, writes and RETURNING, refusals.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { connect } from '../support/endpoint.js'
import { answer, conditionFailed, expectAnswer, failure, notFound, validation } from '../support/answers.js'
import { definition, useTable } from '../support/tables.js'
import { L, M, N, S, SS } from '../support/values.js'

const { db, doc } = connect()
const one = { ...key('a', 1), n: N(5), s: S("it's"), l: L(S('p'), N(2)), m: M({ sub: S('deep') }), tags: SS('x', 'y'), g: S('G') }
const items = [one, { ...key('a', 2), n: N(7), g: S('G') }, key('a', 3), key('b', 1)]
const TableName = useTable(db, definition({ key: ['pk:S', 'sk:N'], gsi: { byG: ['g:S', 'sk:N'] } }), async (name) => {
  for (const Item of items) await db.putItem({ TableName: name, Item })
})

function key(pk, sk) {
  return { pk: S(pk), sk: N(sk) }
}
const fresh = () => randomUUID()
/** Runs a statement, in which T is replaced by the table's name. */
const run = (text, options) => db.executeStatement({ Statement: text.replace(/\bT\b/, `"${TableName}"`), ...options })
const read = (text, ...Parameters) => answer(run(text, { ConsistentRead: true, Parameters: Parameters.length ? Parameters : undefined }))
const keys = (...sorts) => ({ Items: sorts.map((sk) => ({ sk: N(sk) })) })
const malformed = (text) => validation(`Statement wasn't well formed, can't be processed: ${text}`)

async function pages(text, Limit) {
  const read = []
  for (let NextToken; ;) {
    const page = await run(text, { Limit, NextToken })
    read.push(...page.Items)
    NextToken = page.NextToken
    if (!NextToken) return read
  }
}

describe('SELECT reads', () => {
  it('one item by its full key, of literals or parameters', async () => {
    expect(await read("SELECT * FROM T WHERE pk = 'a' AND sk = 1")).toEqual({ Items: [one] })
    expect(await read('select * from T where ? = sk and pk = ?', N('1.0'), S('a'))).toEqual({ Items: [one] })
    expect(await read("SELECT * FROM T WHERE pk = 'a' AND sk = 9")).toEqual({ Items: [] })
  })

  it('an item collection in order', async () => {
    expect(await read("SELECT sk FROM T WHERE pk = 'a'")).toEqual(keys(1, 2, 3))
    expect(await read("SELECT sk FROM T WHERE pk = 'a' ORDER BY sk DESC")).toEqual(keys(3, 2, 1))
    expect(await read("SELECT sk FROM T WHERE pk = 'a' AND sk BETWEEN 2 AND ?", N(9))).toEqual(keys(2, 3))
    expect(await read("SELECT sk FROM T WHERE pk = 'a' AND (sk < 2 OR sk > 2)")).toEqual(keys(1, 3))
    expect(await read("SELECT sk FROM T WHERE pk = 'a' AND sk IN [3, 1]")).toEqual(keys(1, 3))
  })

  it('several item collections, ordered by their key', async () => {
    expect(await read("SELECT pk, sk FROM T WHERE pk IN ['b', 'a'] AND sk <= 2 ORDER BY pk DESC, sk"))
      .toEqual({ Items: [key('b', 1), key('a', 1), key('a', 2)] })
  })

  it('the whole table', async () => {
    const { Items } = await read('SELECT pk, sk FROM T WHERE n > 6 OR n IS MISSING')
    const at = ({ pk, sk }) => `${pk.S} ${sk.N}`
    expect(Items.map(at).filter((each) => /^[ab] /.test(each)).toSorted()).toEqual(['a 2', 'a 3', 'b 1'])
  })

  it('an index', async () => {
    await expectAnswer(() => run(`SELECT sk FROM T."byG" WHERE g = 'G' ORDER BY sk DESC`), keys(2, 1))
  })

  it.each([
    ["s = 'it''s'", [1]], ['size(l) = 2', [1]], ["begins_with(m.sub, 'de')", [1]], ["contains(tags, 'y')", [1]],
    ["attribute_type(tags, 'SS')", [1]], ['n IS MISSING', [3]], ['NOT n = 5', [2, 3]], ['l[1] = 2.0', [1]],
    ["l = ['p', 2]", [1]], ["tags = <<'y', 'x'>>", [1]], ["s IS STRING", [1]], ['n NOT IN [5]', [2, 3]],
    ['attribute_exists(n) = true', [1, 2]], ['s < 5', []],
  ])('what holds: %s', async (where, sorts) => {
    expect(await read(`SELECT sk FROM T WHERE pk = 'a' AND ${where}`)).toEqual(keys(...sorts))
  })

  it('paths, each under its last name', async () => {
    expect(await read(`SELECT m.sub, l[1], "tags" FROM T WHERE pk = 'a' AND sk = 1`))
      .toEqual({ Items: [{ sub: S('deep'), 'l[1]': N(2), tags: SS('x', 'y') }] })
    expect(await read("SELECT m.nope FROM T WHERE pk = 'a' AND sk = 1")).toEqual({ Items: [{}] })
  })

  it('through the document client', async () => {
    const { Items } = await doc.send(new (await import('@aws-sdk/lib-dynamodb')).ExecuteStatementCommand({
      Statement: `SELECT n, tags FROM "${TableName}" WHERE pk = ? AND sk = ?`, Parameters: ['a', 1] }))
    expect(Items).toEqual([{ n: 5, tags: new Set(['x', 'y']) }])
  })
})

describe('pages of a SELECT', () => {
  it.each(["SELECT sk FROM T WHERE pk = 'a'", "SELECT sk FROM T WHERE pk IN ['a', 'b'] ORDER BY pk, sk DESC"])('%s', async (text) => {
    const { Items } = await read(text)
    for (const Limit of [1, 2, 5]) expect(await pages(text, Limit)).toEqual(Items)
  })

  it('end with a token that goes with this statement only', async () => {
    const { NextToken, LastEvaluatedKey } = await run("SELECT sk FROM T WHERE pk = 'a'", { Limit: 1 })
    expect(LastEvaluatedKey).toEqual(key('a', 1))
    expect(await failure(run("SELECT sk FROM T WHERE pk = 'b'", { NextToken }))).toEqual(validation('NextToken does not match request'))
    expect(await failure(run("SELECT sk FROM T WHERE pk = 'a'", { NextToken: 'none of ours' }))).toEqual(validation('Invalid NextToken'))
  })
})

describe('a write', () => {
  const stored = async (name) => (await db.getItem({ TableName, Key: key(name, 1), ConsistentRead: true })).Item
  const insert = (name, rest = '') => run(`INSERT INTO T VALUE {'pk':?,'sk':1${rest}}`, { Parameters: [S(name)] })
  const write = (name, text, options) => run(`${text}`, { Parameters: [S(name)], ...options })

  it('inserts an item that is not there', async () => {
    const name = fresh()
    expect(await answer(insert(name, `,'m':{'l':[1,'x',null,true]},'tags':<<'b','a'>>`))).toEqual({ Items: [] })
    expect(await stored(name)).toEqual({ ...key(name, 1), m: M({ l: L(N(1), S('x'), { NULL: true }, { BOOL: true }) }), tags: SS('a', 'b') })
    expect(await failure(insert(name))).toMatchObject({ name: 'DuplicateItemException', message: 'Duplicate primary key exists in table', status: 400 })
  })

  it('updates an item that is there', async () => {
    const name = fresh()
    await insert(name, `,'n':1,'l':['a'],'tags':<<'x','y'>>,'gone':1`)
    expect(await answer(write(name, "UPDATE T SET n = n + 2, l = list_append(l, ['b']) SET tags = set_delete(tags, <<'y'>>) REMOVE gone WHERE pk = ? AND sk = 1 RETURNING ALL NEW *")))
      .toEqual({ Items: [{ ...key(name, 1), n: N(3), l: L(S('a'), S('b')), tags: SS('x') }] })
    expect(await answer(write(name, 'UPDATE T SET n = 9 WHERE pk = ? AND sk = 1 AND n = 3 RETURNING MODIFIED OLD *'))).toEqual({ Items: [{ n: N(3) }] })
    expect(await failure(write(fresh(), 'UPDATE T SET n = 9 WHERE pk = ? AND sk = 1'))).toEqual(conditionFailed())
  })

  it('deletes, and gives what was there', async () => {
    const name = fresh()
    await insert(name, `,'n':1`)
    const options = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }
    expect(await failure(write(name, 'DELETE FROM T WHERE pk = ? AND sk = 1 AND n = 2', options))).toEqual(conditionFailed({ ...key(name, 1), n: N(1) }))
    expect(await answer(write(name, 'DELETE FROM T WHERE pk = ? AND sk = 1 RETURNING ALL OLD *'))).toEqual({ Items: [{ ...key(name, 1), n: N(1) }] })
    expect(await answer(write(name, 'DELETE FROM T WHERE pk = ? AND sk = 1'))).toEqual({ Items: [] })
    expect(await stored(name)).toBeUndefined()
  })
})

describe('capacity', () => {
  it.each([
    ["SELECT * FROM T WHERE pk = 'a' AND sk = 1", 0.5], ["SELECT * FROM T WHERE pk = 'a'", 0.5],
    ["SELECT * FROM T WHERE pk IN ['none', 'nobody']", 1], ["DELETE FROM T WHERE pk = 'none' AND sk = 1", 1],
  ])('%s', async (text, CapacityUnits) => {
    const { ConsumedCapacity } = await run(text, { ReturnConsumedCapacity: 'TOTAL' })
    expect(ConsumedCapacity).toEqual({ TableName, CapacityUnits })
  })
})

describe('a statement is refused', () => {
  it.each([
    ['SELECT * FROM T WHERE', malformed('Unexpected term')],
    ['SLECT * FROM T', malformed('Expected data manipulation')],
    ["SELECT * FROM T WHERE pk = ?", validation("Number of parameters in request and statement don't match.")],
    ["UPDATE T SET n = 1 WHERE pk = 'a'", validation('Where clause does not contain a mandatory equality on all key attributes')],
    ["UPDATE T SET sk = 2 WHERE pk = 'a' AND sk = 1", validation('One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key')],
    ["SELECT * FROM T WHERE begins_with(n, 1)", validation(
      'Incorrect operand type for operator or function; operator or function: begins_with, operand type: N')],
    ["DELETE FROM T WHERE pk = 'a' AND sk = 1 RETURNING ALL NEW *", validation(
      'Invalid returning clause: RETURNING ALL NEW *. Only RETURNING ALL OLD * is allowed in DELETE statements.')],
  ])('%s', async (text, refusal) => {
    expect(await failure(run(text))).toEqual(refusal)
  })

  it('for a table that is not there', async () => {
    expect(await failure(db.executeStatement({ Statement: 'SELECT * FROM nowhere' }))).toEqual(notFound())
  })

  it('of more than 8,192 characters, and of as many parentheses', async () => {
    const long = `SELECT * FROM T WHERE a = '${'x'.repeat(8192)}'`
    const { message } = await failure(db.executeStatement({ Statement: long }))
    expect(message).toMatch(/^1 validation error detected: Value .* at 'statement' failed to satisfy constraint: Member must have length less than or equal to 8192$/)
    expect(await failure(db.executeStatement({ Statement: '('.repeat(8192) }))).toMatchObject({ name: 'ValidationException', status: 400 })
  })
})
