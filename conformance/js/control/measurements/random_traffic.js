// Random calls of all item operations, with the units that each must take: those of successful calls are in the answers, and those of failed
// calls follow from the stored items (docs/service/08-capacity.md, section 2). Items whose writes fail are written by no other call.

import { ConsumedUnits, halves } from '../../support/consumed_units.js'
import { definition } from '../../support/tables.js'

const INDEXES = { ReturnConsumedCapacity: 'INDEXES' }
const KEYS_ONLY = { ProjectionType: 'KEYS_ONLY' }

export const tables = {
  units: definition({ key: ['PK:S', 'SK:S'], gsi: { GSI1: ['GSI1PK:S', 'GSI1SK:S'], GSI2: ['GSI2PK:S'] }, lsi: { LSI: ['PK:S', 'at:N'] },
    projections: { GSI2: KEYS_ONLY, LSI: KEYS_ONLY } }),
  plain: definition({ key: ['PK:S', 'SK:S'] }),
}

const sizeOf = (item) => Object.entries(item).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
const writeUnits = (size) => Math.max(1, Math.ceil(size / 1024))

export class RandomTraffic {
  seen = new ConsumedUnits()
  failedWritten = {} // half units, by table
  calls = {} // by operation
  #fixed = [] // items that no call changes
  #last = 0

  constructor(doc, below) {
    this.doc = doc
    this.below = below
  }

  /** Stores items of 1 B to 20 KB that no call changes, and items that calls change but none deletes. */
  async begin() {
    for (const size of [1, 900, 1100, 5000, 20_000]) {
      const item = { PK: 'FIXED', SK: `S#${size}`, text: 'x'.repeat(size) }
      this.#fixed.push(item)
      await this.doc.put({ TableName: 'units', Item: item })
    }
    for (let n = 0; n < 6; ++n) await this.doc.put({ TableName: 'units', Item: { PK: 'KEPT', SK: `S#${n}`, n: 0 } })
  }

  /** Makes one call, or a few that belong together. */
  next() {
    const kinds = Object.keys(calls)
    const kind = kinds[this.below(kinds.length)]
    this.calls[kind] = (this.calls[kind] ?? 0) + 1
    return calls[kind](this)
  }

  pick = (list) => list[this.below(list.length)]
  fresh = () => `S#${++this.#last}`
  table = () => this.pick(['units', 'units', 'plain'])
  key = () => ({ PK: `P#${this.below(6)}`, SK: `S#${this.below(8)}` })
  text = () => 'x'.repeat(this.below(4) ? this.below(1200) : 1 + this.below(20_000))
  fixed = () => this.pick(this.#fixed)

  /** An item of random size, in some of the indexes. */
  item(key = this.key()) {
    const item = { ...key, text: this.text() }
    if (this.below(3)) Object.assign(item, { GSI1PK: `G#${this.below(3)}`, GSI1SK: `T#${this.below(9)}` })
    if (this.below(2)) item.GSI2PK = `H#${this.below(3)}`
    if (this.below(2)) item.at = this.below(5)
    return item
  }

  /** Different keys, as batches and transactions ask for. */
  keys(most) {
    const keys = Array.from({ length: 1 + this.below(most) }, () => this.key())
    return [...new Map(keys.map((key) => [`${key.PK} ${key.SK}`, key])).values()]
  }

  async reads(promise) {
    const answer = await promise
    this.seen.add(answer, 'read')
    return answer
  }

  async writes(promise) {
    this.seen.add(await promise, 'written')
  }

  /** Reads all pages of a Query, a Scan or a SELECT; `start` and `next` are the members that link them. */
  async pages(operation, request, start = 'ExclusiveStartKey', next = 'LastEvaluatedKey') {
    let from
    do {
      from = (await this.reads(this.doc[operation]({ ...INDEXES, ...request, [start]: from })))[next]
    } while (from)
  }

  /** Makes a call that must fail with that error. It takes as many write units of the table as writing the stored items. */
  async fails(promise, name, stored, factor = 1, TableName = 'units') {
    const error = await promise.then(() => undefined, (thrown) => thrown)
    if (error?.name !== name) throw new Error(`expected ${name}, got ${error}`)
    const units = stored.reduce((sum, item) => sum + factor * writeUnits(item ? sizeOf(item) : 0), 0)
    this.failedWritten[TableName] = (this.failedWritten[TableName] ?? 0) + halves(units)
  }
}

const ABSENT = { ConditionExpression: 'attribute_not_exists(PK)' }
const PRESENT = { ConditionExpression: 'attribute_exists(PK)' }
const keyOf = ({ PK, SK }) => ({ PK, SK })

// In what follows, `t` is the RandomTraffic that makes the call.

const anyUpdate = (t) => t.pick(updates)(t)
const updates = [
  (t) => ({ UpdateExpression: 'SET #text = :v', ExpressionAttributeNames: { '#text': 'text' }, ExpressionAttributeValues: { ':v': t.text() } }),
  (t) => ({ UpdateExpression: 'SET GSI1PK = :p, GSI1SK = :s', ExpressionAttributeValues: { ':p': `G#${t.below(3)}`, ':s': `T#${t.below(9)}` } }),
  (t) => ({ UpdateExpression: 'SET GSI2PK = :p', ExpressionAttributeValues: { ':p': `H#${t.below(3)}` } }),
  () => ({ UpdateExpression: 'REMOVE GSI1PK, #at', ExpressionAttributeNames: { '#at': 'at' } }),
  (t) => ({ UpdateExpression: 'ADD #at :v', ExpressionAttributeNames: { '#at': 'at' }, ExpressionAttributeValues: { ':v': t.below(2) } }),
]

const actions = [
  (t, TableName, key) => ({ Put: { TableName, Item: t.item(key) } }),
  (t, TableName, Key) => ({ Update: { TableName, Key, ...anyUpdate(t) } }),
  (t, TableName, Key) => ({ Delete: { TableName, Key } }),
  (t, TableName) => ({ ConditionCheck: { TableName: 'units', Key: keyOf(t.fixed()), ...PRESENT } }),
]

/** The actions of a transaction; no item is there twice. */
function transaction(t) {
  const list = t.keys(8).map((key) => t.pick(actions)(t, t.table(), key))
  const checks = list.filter((action) => action.ConditionCheck)
  return list.filter((action) => !action.ConditionCheck || action === checks[0])
}

const statement = (Statement, ...Parameters) => ({ Statement, ...(Parameters.length && { Parameters }) })
const SELECT = 'SELECT * FROM units WHERE PK = ? AND SK = ?'
const INSERT = "INSERT INTO units VALUE {'PK': ?, 'SK': ?, 'text': ?, 'at': ?}"
const UPDATE = 'UPDATE units SET n = n + 1, GSI2PK = ? WHERE PK = ? AND SK = ?'
const DELETE = 'DELETE FROM units WHERE PK = ? AND SK = ?'
const insert = (t) => statement(INSERT, 'INSERTED', t.fresh(), t.text(), t.below(5))
const update = (t) => statement(UPDATE, `H#${t.below(3)}`, 'KEPT', `S#${t.below(6)}`)
const token = (t) => `${Date.now()} ${t.fresh()}`

const calls = {
  put: (t) => t.writes(t.doc.put({ ...INDEXES, TableName: t.table(), Item: t.item() })),
  update: (t) => t.writes(t.doc.update({ ...INDEXES, TableName: t.table(), Key: t.key(), ...anyUpdate(t) })),
  delete: (t) => t.writes(t.doc.delete({ ...INDEXES, TableName: t.table(), Key: t.key() })),
  get: (t) => t.reads(t.doc.get({ ...INDEXES, TableName: t.table(), Key: t.key(), ConsistentRead: t.below(2) === 0, ProjectionExpression: 'SK' })),

  query: (t) => t.pages('query', { TableName: 'units', ConsistentRead: t.below(2) === 0, Limit: 1 + t.below(5),
    KeyConditionExpression: 'PK = :p AND SK >= :s', FilterExpression: 'attribute_exists(GSI1PK)', ScanIndexForward: t.below(2) === 0,
    ExpressionAttributeValues: { ':p': 'P#1', ':s': 'S#2' } }),
  queryGlobal: (t) => t.pages('query', { TableName: 'units', IndexName: 'GSI1', Limit: 4,
    KeyConditionExpression: 'GSI1PK = :p', ExpressionAttributeValues: { ':p': 'G#1' } }),
  countKeys: (t) => t.reads(t.doc.query({ ...INDEXES, TableName: 'units', IndexName: 'GSI2', Select: 'COUNT',
    KeyConditions: { GSI2PK: { ComparisonOperator: 'EQ', AttributeValueList: [`H#${t.below(4)}`] } } })),
  queryLocal: (t) => t.reads(t.doc.query({ ...INDEXES, TableName: 'units', IndexName: 'LSI', Select: t.pick(['ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES']),
    ConsistentRead: t.below(2) === 0, KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': `P#${t.below(6)}` } })),
  scan: (t) => t.reads(t.doc.scan({ ...INDEXES, TableName: t.table(), Segment: t.below(3), TotalSegments: 3, FilterExpression: 'attribute_exists(#at)',
    ExpressionAttributeNames: { '#at': 'at' } })),
  scanIndex: (t) => t.pages('scan', { TableName: 'units', IndexName: 'GSI2', Limit: 9 }),

  batchGet: (t) => t.reads(t.doc.batchGet({ ...INDEXES, RequestItems: { units: { Keys: t.keys(20), ConsistentRead: t.below(2) === 0 }, plain: { Keys: t.keys(5) } } })),
  batchWrite: (t) => t.writes(t.doc.batchWrite({ ...INDEXES, RequestItems: Object.fromEntries([['units', 12], ['plain', 4]].map(([name, most]) =>
    [name, t.keys(most).map((Key) => (t.below(3) ? { PutRequest: { Item: t.item(Key) } } : { DeleteRequest: { Key } }))])) })),
  transactGet: (t) => t.reads(t.doc.transactGet({ ...INDEXES, TransactItems: t.keys(6).map((Key) => ({ Get: { TableName: t.table(), Key } })) })),
  transactWrite: (t) => t.writes(t.doc.transactWrite({ ...INDEXES, TransactItems: transaction(t) })),
  replay: async (t) => {
    const request = { ...INDEXES, ClientRequestToken: token(t), TransactItems: transaction(t) }
    for (let times = 0; times < 3; ++times) await t.writes(t.doc.transactWrite(request))
  },

  select: (t) => t.pages('executeStatement', { ...statement('SELECT * FROM units.LSI WHERE PK = ?', `P#${t.below(6)}`), Limit: 3 }, 'NextToken', 'NextToken'),
  // The column is not in the index, so the whole items are fetched from the table.
  selectFetched: (t) => t.reads(t.doc.executeStatement({ ...INDEXES, ...statement('SELECT "text" FROM units.LSI WHERE PK = ?', `P#${t.below(6)}`) })),
  insertAndDelete: async (t) => {
    const SK = t.fresh()
    await t.writes(t.doc.executeStatement({ ...INDEXES, ...statement(INSERT, 'INSERTED', SK, t.text(), 1) }))
    await t.writes(t.doc.executeStatement({ ...INDEXES, ...statement(DELETE, 'INSERTED', SK) }))
  },
  updateStatement: (t) => t.writes(t.doc.executeStatement({ ...INDEXES, ...update(t) })),
  batchSelect: (t) => t.reads(t.doc.batchExecuteStatement({ ...INDEXES, Statements: t.keys(6).map(({ PK, SK }) =>
    ({ ...statement(SELECT, PK, SK), ConsistentRead: t.below(2) === 0 })) })),
  // One of the statements fails. The answer has what it consumed in the total of the table.
  batchStatements: (t) => t.writes(t.doc.batchExecuteStatement({ ...INDEXES, Statements: [insert(t), update(t),
    statement(INSERT, 'FIXED', t.fixed().SK, t.text(), 1), statement(DELETE, 'INSERTED', 'none')] })),
  transactSelect: (t) => t.reads(t.doc.executeTransaction({ ...INDEXES, TransactStatements: t.keys(4).map(({ PK, SK }) => statement(SELECT, PK, SK)) })),
  transactStatements: async (t) => {
    const request = { ...INDEXES, ClientRequestToken: token(t), TransactStatements: [insert(t), update(t), statement(DELETE, 'INSERTED', 'none')] }
    for (let times = 0; times < 2; ++times) await t.writes(t.doc.executeTransaction(request))
  },

  failedPut: (t) => {
    const stored = t.fixed()
    return t.fails(t.doc.put({ ...INDEXES, TableName: 'units', Item: t.item(keyOf(stored)), ...ABSENT }), 'ConditionalCheckFailedException', [stored])
  },
  failedUpdate: (t) => t.fails(t.doc.update({ ...INDEXES, TableName: 'plain', Key: { PK: 'ABSENT', SK: '1' }, ...anyUpdate(t), ...PRESENT }),
    'ConditionalCheckFailedException', [undefined], 1, 'plain'),
  failedDelete: (t) => {
    const stored = t.fixed()
    return t.fails(t.doc.delete({ ...INDEXES, TableName: 'units', Key: keyOf(stored), ...ABSENT }), 'ConditionalCheckFailedException', [stored])
  },
  failedInsert: (t) => {
    const stored = t.fixed()
    return t.fails(t.doc.executeStatement({ ...INDEXES, ...statement(INSERT, stored.PK, stored.SK, 'x', 1) }), 'DuplicateItemException', [stored])
  },
  // One condition fails, and all actions are charged.
  cancelled: (t) => {
    const [stored, other] = [t.fixed(), { PK: 'ABSENT', SK: '2' }]
    return t.fails(t.doc.transactWrite({ ...INDEXES, TransactItems: [{ Put: { TableName: 'units', Item: t.item(other) } },
      { Delete: { TableName: 'units', Key: keyOf(stored), ...ABSENT } }] }), 'TransactionCanceledException', [undefined, stored], 2)
  },
  refused: (t) => t.fails(t.doc.get({ ...INDEXES, TableName: 'units', Key: { PK: 'FIXED' } }), 'ValidationException', []),
}
