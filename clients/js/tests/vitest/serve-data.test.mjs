// The directory in which a module keeps its tables. These tests need hashrange.wasm, which HASHRANGE_MODULE names.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ModuleDatabase } from '../../lib/module.cjs'
import { DataDirectory } from '../../lib/serve/data.cjs'
import { version } from '../../package.json'

const US = { accessKey: '000000000000', region: 'us-east-1' }
const EU = { accessKey: '111122223333', region: 'eu-west-1' }
const DEFINITION = { TableName: 'app', BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }, { AttributeName: 'GK', AttributeType: 'N' }],
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  GlobalSecondaryIndexes: [{ IndexName: 'byGK', KeySchema: [{ AttributeName: 'GK', KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' } }] }

function call(database, operation, input, as = US) {
  const { status, body } = database.call(operation, JSON.stringify(input), as)
  const answer = JSON.parse(Buffer.from(body).toString())
  if (status !== 200) throw new Error(`${operation}: ${JSON.stringify(answer)}`)
  return answer
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-data-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Opens a database with what the directory has. Returns {database, directory, loaded, close}. */
async function begin(path, options = {}) {
  const directory = await DataDirectory.open(path, { shared: options.sharedTables })
  const database = await ModuleDatabase.open(options)
  const loaded = await directory.load(database).catch(async (error) => {
    await directory.abandon()
    throw error
  })
  const close = async () => {
    await directory.close(database)
    database.close()
  }
  return { database, directory, loaded, close }
}

const refusalOf = (path, options) => begin(path, options).then(() => 'nothing was refused', ({ message }) => message)

const put = (database, PK, more = {}, as = US) => call(database, 'PutItem', { TableName: 'app', Item: { PK: { S: PK }, ...more } }, as)
const keysOf = (database, as = US) => call(database, 'Scan', { TableName: 'app' }, as).Items.map(({ PK }) => PK.S).sort()

// What a definition has beside ids, dates and counts.
function settingsOf(database, as) {
  const { Table } = call(database, 'DescribeTable', { TableName: 'app' }, as)
  const { TableId, CreationDateTime, LatestStreamArn, LatestStreamLabel, BillingModeSummary: { BillingMode }, ...rest } = Table
  return { ...rest, BillingMode }
}

describe.skipIf(!process.env.HASHRANGE_MODULE)('the data directory of a module', () => {
  test('keeps the tables of all accounts and Regions', async () => {
    const path = join(newFolder(), 'data')
    const first = await begin(path)
    expect(first.loaded).toEqual({ tables: 0, items: 0 })
    call(first.database, 'CreateTable', { ...DEFINITION, DeletionProtectionEnabled: true, Tags: [{ Key: 'team', Value: 'a é' }] })
    call(first.database, 'UpdateTimeToLive', { TableName: 'app', TimeToLiveSpecification: { AttributeName: 'ends', Enabled: true } })
    put(first.database, 'é\n"\u{1f600}', { GK: { N: '1.50' }, bytes: { B: 'AP8=' }, set: { NS: ['2', '1'] }, deep: { M: { l: { L: [{ NULL: true }] } } } })
    call(first.database, 'CreateTable', DEFINITION, EU)
    put(first.database, 'of another account', {}, EU)
    const before = [settingsOf(first.database, US), settingsOf(first.database, EU), call(first.database, 'Scan', { TableName: 'app' })]
    await first.close()
    expect(readdirSync(path)).toEqual(['hashrange-module.jsonl'])

    const { database, loaded, close } = await begin(path)
    expect(loaded).toEqual({ tables: 2, items: 2 })
    expect([settingsOf(database, US), settingsOf(database, EU), call(database, 'Scan', { TableName: 'app' })]).toEqual(before)
    expect(keysOf(database, EU)).toEqual(['of another account'])
    expect(call(database, 'DescribeTimeToLive', { TableName: 'app' })).toEqual({ TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'ends' } })
    const { TableArn } = call(database, 'DescribeTable', { TableName: 'app' }).Table
    expect(call(database, 'ListTagsOfResource', { ResourceArn: TableArn })).toEqual({ Tags: [{ Key: 'team', Value: 'a é' }] })
    expect(call(database, 'Query', { TableName: 'app', IndexName: 'byGK', KeyConditionExpression: 'GK = :n', ExpressionAttributeValues: { ':n': { N: '1.5' } } }).Count).toBe(1)
    await close()
  })

  test('keeps shared tables apart from those of accounts', async () => {
    const path = newFolder()
    const { database, close } = await begin(path, { sharedTables: true })
    call(database, 'CreateTable', DEFINITION, EU)
    put(database, 'a', {}, EU)
    await close()
    expect(await refusalOf(path)).toBe(`${path}/hashrange-module.jsonl has the tables of a server with --shared: start this one in the same way`)
    const again = await begin(path, { sharedTables: true })
    expect(keysOf(again.database, US)).toEqual(['a'])
    await again.close()
  })

  test('loads a table of many seeds, and gives it its stream without records', async () => {
    const path = newFolder()
    const { database, close } = await begin(path)
    call(database, 'CreateTable', { ...DEFINITION, StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } })
    for (let number = 0; number < 20; ++number) put(database, `item ${number}`, { text: { S: '"'.repeat(300_000) } })
    await close()
    const again = await begin(path)
    expect(again.loaded).toEqual({ tables: 1, items: 20 })
    const { ItemCount, LatestStreamArn, StreamSpecification } = call(again.database, 'DescribeTable', { TableName: 'app' }).Table
    expect(ItemCount).toBe(20)
    expect(StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_IMAGE' })
    const { Shards: [{ ShardId }] } = call(again.database, 'DescribeStream', { StreamArn: LatestStreamArn }).StreamDescription
    const { ShardIterator } = call(again.database, 'GetShardIterator', { StreamArn: LatestStreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' })
    expect(call(again.database, 'GetRecords', { ShardIterator }).Records).toEqual([])
    await again.close()
  })

  test('writes a dump some time after a change, and none without a change', async () => {
    const path = newFolder()
    const { database, directory, close } = await begin(path)
    const file = join(path, 'hashrange-module.jsonl')
    const dump = () => readFileSync(file, 'utf8')
    const saved = async (has) => { await expect.poll(dump, { timeout: 30_000 }).toContain(has) }
    directory.keep(database, () => {}, 10)
    call(database, 'CreateTable', DEFINITION)
    await saved('"TableName":"app"')
    const items = dump()
    directory.keep(database, () => {}, 10)
    put(database, 'a')
    await saved('{"Item":{"PK":{"S":"a"}}}')
    expect(dump()).not.toBe(items)
    rmSync(file)
    await close()
    expect(readdirSync(path)).toEqual([]) // nothing has changed since the last dump
  })

  test('says once that it cannot be written, and when it can be again', async () => {
    const path = newFolder()
    const { database, directory, close } = await begin(path)
    const said = []
    const part = join(path, 'hashrange-module.jsonl.part')
    mkdirSync(part)
    directory.keep(database, (sentence) => said.push(sentence), 10)
    call(database, 'CreateTable', DEFINITION)
    await expect.poll(() => said.length, { timeout: 30_000 }).toBe(1)
    rmSync(part, { recursive: true })
    await expect.poll(() => said.length, { timeout: 30_000 }).toBe(2)
    expect(said).toEqual([expect.stringMatching(new RegExp(`^${path} cannot be written: EISDIR.*: changes are in memory only until it can be written$`)),
      `${path} can be written again`])
    await close()
  })

  test('is not given free as if all were well when the last dump fails', async () => {
    const path = newFolder()
    const { database, close } = await begin(path)
    call(database, 'CreateTable', DEFINITION)
    mkdirSync(join(path, 'hashrange-module.jsonl.part'))
    await expect(close()).rejects.toThrow(`the last changes are not kept: ${path} cannot be written: EISDIR`)
  })

  describe('with a dump of one table', () => {
    async function dumped() {
      const path = newFolder()
      const { database, close } = await begin(path)
      call(database, 'CreateTable', DEFINITION)
      put(database, 'a')
      await close()
      return { path, file: join(path, 'hashrange-module.jsonl') }
    }

    test.each([
      ['a byte that has changed', (text) => text.replace('"S":"a"', '"S":"b"'), 'is damaged: its sum does not agree with its content. Nothing was loaded or changed'],
      ['an end that is missing', (text) => text.slice(0, -20), 'is damaged: its sum does not agree with its content. Nothing was loaded or changed'],
      ['lines that are missing', (text) => text.split('\n').filter((line) => !line.startsWith('{"Item"')).join('\n'),
        'is damaged: its sum does not agree with its content. Nothing was loaded or changed'],
      ['one line', (text) => `${text.split('\n')[0]}\n`, 'is damaged: its sum does not agree with its content. Nothing was loaded or changed'],
      ['nothing', () => '', 'is damaged: it is empty. Nothing was loaded or changed'],
      ['another file', () => '{"PK":{"S":"a"}}\n', 'is damaged: its first line is not that of a dump. Nothing was loaded or changed'],
      ['no JSON', () => 'PK,SK\n', 'is damaged: its first line is not that of a dump. Nothing was loaded or changed'],
      ['a newer format', (text) => text.replace(/"format":1,"version":"[^"]*"/, '"format":2,"version":"3.0.0"'),
        `has the format 2 of Hashrange 3.0.0; this is ${version}, which reads the format 1`],
    ])('%s in its place is refused, and stays', async (_, change, sentence) => {
      const { path, file } = await dumped()
      writeFileSync(file, change(readFileSync(file, 'utf8')))
      const changed = readFileSync(file)
      expect(await refusalOf(path)).toBe(`${file} ${sentence}`)
      expect(readFileSync(file)).toEqual(changed)
      expect(readdirSync(path)).toEqual(['hashrange-module.jsonl'])
    })

    test('what a process has left that was killed while it wrote is not read', async () => {
      const { path } = await dumped()
      writeFileSync(join(path, 'hashrange-module.jsonl.part'), 'half a d')
      const { pid } = spawnSync(process.execPath, ['-e', '']) // it has ended
      writeFileSync(join(path, 'hashrange-module.lock'), `${pid}\n`)
      const { loaded, close } = await begin(path)
      expect(loaded).toEqual({ tables: 1, items: 1 })
      await close()
    })

    test('a second server is refused while the first one runs', async () => {
      const { path } = await dumped()
      writeFileSync(join(path, 'hashrange-module.lock'), `${process.ppid}\n`)
      expect(await refusalOf(path)).toBe(
        `${path} is used by the process ${process.ppid}; if that is another program, remove the file hashrange-module.lock`)
      expect(readdirSync(path).sort()).toEqual(['hashrange-module.jsonl', 'hashrange-module.lock'])
    })
  })

  test.each([
    ['notes.txt', "is not a data directory of Hashrange's module: it has files, but no file hashrange-module.jsonl"],
    ['HASHRANGE', 'is a data directory of the program, which the module does not read: name another directory'],
  ])('a folder with the file %s is refused, and stays', async (name, sentence) => {
    const path = newFolder()
    writeFileSync(join(path, name), '')
    expect(await refusalOf(path)).toBe(`${path} ${sentence}`)
    expect(readdirSync(path)).toEqual([name])
  })

  test('a folder below none is refused', async () => {
    const path = join(newFolder(), 'none/data')
    expect(await refusalOf(path)).toMatch(new RegExp(`^${path} cannot be made: ENOENT`))
  })
})
