// A database in a page: clients of the AWS SDK, the control API, and what keeps pages apart.

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { CALLS, openCalls, startBrowser } from './support/chromium.mjs'

let browser, page
beforeAll(async () => {
  browser = await startBrowser()
  page = await openCalls(browser, { until: afterAll })
})

/** Runs a function in the page, in which each test opens a database of its own. Resolves to what it returns. */
const inPage = (work, given) => page.evaluate(work, given)

describe('operations', () => {
  test('items are put, read, changed, queried and scanned', async () => {
    const answers = await inPage(async () => {
      const { client, documents } = await open()
      const Item = { ...ada, SK: { S: 'ORDER#1' }, bytes: { B: new Uint8Array([0, 255, 7]) }, n: { N: '1' } }
      await client.putItem({ TableName: 'app', Item })
      await client.updateItem({ TableName: 'app', Key: ada, UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': { N: '1.50' } } })
      await documents.put({ TableName: 'app', Item: { PK: 'USER#bob', SK: 'PROFILE', tags: new Set(['a']) } })
      const { Items } = await client.query({ TableName: 'app', KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': ada.PK } })
      return { query: Items.map(({ bytes, ...rest }) => ({ ...rest, ...(bytes && { bytes: [...bytes.B] }) })),
        document: [...(await documents.get({ TableName: 'app', Key: { PK: 'USER#bob', SK: 'PROFILE' } })).Item.tags],
        scan: (await client.scan({ TableName: 'app', Select: 'COUNT' })).Count }
    })
    const ada = { PK: { S: 'USER#ada' }, SK: { S: 'PROFILE' } }
    expect(answers).toEqual({ query: [{ ...ada, SK: { S: 'ORDER#1' }, bytes: [0, 255, 7], n: { N: '1' } }, { ...ada, name: { S: 'Ada' }, n: { N: '1.5' } }],
      document: ['a'], scan: 3 })
  })

  test('a failed condition, and a transaction that is cancelled, change nothing', async () => {
    const [condition, transaction, count] = await inPage(async () => {
      const { client } = await open()
      const isNew = { ConditionExpression: 'attribute_not_exists(PK)' }
      return [
        await failureOf(client.putItem({ TableName: 'app', Item: ada, ...isNew })),
        await failureOf(client.transactWriteItems({ TransactItems: [{ Put: { TableName: 'app', Item: { ...ada, SK: { S: 'NEW' } } } },
          { ConditionCheck: { TableName: 'app', Key: ada, ...isNew } }] })),
        (await client.scan({ TableName: 'app' })).Count,
      ]
    })
    expect(condition).toEqual({ name: 'ConditionalCheckFailedException', message: 'The conditional request failed' })
    expect(transaction).toMatchObject({ name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' }] })
    expect(count).toBe(1)
  })

  test('a transaction writes all of its items', async () => {
    expect(await inPage(async () => {
      const { client } = await open()
      await client.transactWriteItems({ TransactItems: ['1', '2'].map((n) => ({ Put: { TableName: 'app', Item: { ...ada, SK: { S: n } } } })) })
      const { Responses } = await client.transactGetItems({ TransactItems: ['1', '2'].map((n) => ({ Get: { TableName: 'app', Key: { ...ada, SK: { S: n } } } })) })
      return Responses.map(({ Item }) => Item.SK.S)
    })).toEqual(['1', '2'])
  })

  test('PartiQL', async () => {
    expect(await inPage(async () => {
      const { client } = await open()
      await client.executeStatement({ Statement: "INSERT INTO app VALUE {'PK': 'USER#bob', 'SK': 'PROFILE', 'age': 7}" })
      return (await client.executeStatement({ Statement: 'SELECT age FROM app WHERE PK = ?', Parameters: [{ S: 'USER#bob' }] })).Items
    })).toEqual([{ age: { N: '7' } }])
  })

  test('a stream has the changes of items', async () => {
    expect(await inPage(async () => {
      const { client, streams } = await open({ setup: undefined })
      const { TableDescription: { LatestStreamArn: StreamArn } } = await client.createTable({ ...definition,
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } })
      await client.putItem({ TableName: 'app', Item: ADA })
      await client.deleteItem({ TableName: 'app', Key: ada })
      const { StreamDescription: { Shards: [{ ShardId }] } } = await streams.describeStream({ StreamArn })
      const { ShardIterator } = await streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' })
      return (await streams.getRecords({ ShardIterator })).Records.map(({ eventName, dynamodb: { NewImage, OldImage } }) =>
        [eventName, NewImage?.name.S ?? '', OldImage?.name.S ?? ''])
    })).toEqual([['INSERT', 'Ada', ''], ['REMOVE', '', 'Ada']])
  })

  test('many calls at the same time have their own answers', async () => {
    expect(await inPage(async () => {
      const { client } = await open()
      const numbers = Array.from({ length: 500 }, (_, n) => String(n))
      await Promise.all(numbers.map((n) => client.putItem({ TableName: 'app', Item: { ...ada, SK: { S: n } } })))
      const got = await Promise.all(numbers.map((n) => client.getItem({ TableName: 'app', Key: { ...ada, SK: { S: n } } })))
      return got.every(({ Item }, n) => Item.SK.S === numbers[n])
    })).toBe(true)
  })

  test('an answer has the headers of a server', async () => {
    const headers = await inPage(async () => {
      const { client } = await open()
      let headers
      client.middlewareStack.add((next) => async (call) => {
        const answer = await next(call)
        headers = answer.response.headers
        return answer
      }, { step: 'deserialize', priority: 'low' })
      await client.getItem({ TableName: 'app', Key: { PK: { S: '-' }, SK: { S: '-' } } })
      return headers
    })
    expect(headers).toEqual({ server: 'Server', date: expect.stringMatching(/ GMT$/), 'content-type': 'application/x-amz-json-1.0',
      'content-length': '2', 'x-amzn-requestid': expect.stringMatching(/^[0-9A-V]{52}$/), 'x-amz-crc32': '2745614147' })
  })
})

describe('control', () => {
  test('a fork has the tables of the seed again', async () => {
    expect(await inPage(async () => {
      const { db, client } = await open()
      const count = async () => (await client.scan({ TableName: 'app' })).Count
      await client.putItem({ TableName: 'app', Item: { ...ada, SK: { S: 'NEW' } } })
      const before = await count()
      await db.fork()
      return [before, await count()]
    })).toEqual([2, 1])
  })

  test('accounts, Regions and databases of a page are apart', async () => {
    expect(await inPage(async () => {
      const [{ db, client }, other] = [await open(), await open({ setup: undefined })]
      const namesOf = async (own) => (await own.listTables({})).TableNames
      return [await namesOf(client), await namesOf(new DynamoDB(db.account('111122223333').connection())),
        await namesOf(new DynamoDB({ ...db.connection(), region: 'eu-west-1' })), await namesOf(other.client)]
    })).toEqual([['app'], [], [], []])
  })

  test('tabs of a browser are apart', async () => {
    const context = await browser.newContext()
    const tabs = [await context.newPage(), await context.newPage()]
    for (const tab of tabs) {
      await tab.goto(inject('site') + CALLS)
      await tab.waitForFunction(() => document.title === 'ready')
      await tab.evaluate(async () => Object.assign(globalThis, { own: await open() }))
    }
    await tabs[0].evaluate(() => own.client.deleteItem({ TableName: 'app', Key: ada }))
    const count = (tab) => tab.evaluate(async () => (await own.client.scan({ TableName: 'app' })).Count)
    expect([await count(tabs[0]), await count(tabs[1])]).toEqual([0, 1])
    await tabs[0].close()
    expect(await count(tabs[1])).toBe(1)
    await context.close()
  })

  test('a clock that is moved deletes expired items', async () => {
    expect(await inPage(async () => {
      const { db, client } = await open()
      await client.updateTimeToLive({ TableName: 'app', TimeToLiveSpecification: { AttributeName: 'end', Enabled: true } })
      const end = { N: String(Math.floor(Date.now() / 1000) + 3600) }
      await client.putItem({ TableName: 'app', Item: { ...ada, SK: { S: 'SESSION' }, end } })
      await db.clock.advance('2h')
      return (await client.scan({ TableName: 'app' })).Items.map(({ SK }) => SK.S)
    })).toEqual(['PROFILE'])
  })

  test('a timer of the worker does what is due', async () => {
    expect(await inPage(async () => {
      const { client } = await open({ setup: undefined, transitionMs: 60 })
      await client.createTable(definition)
      const statusOf = async () => (await client.describeTable({ TableName: 'app' })).Table.TableStatus
      const first = await statusOf()
      await new Promise((done) => setTimeout(done, 200))
      return [first, await statusOf()]
    })).toEqual(['CREATING', 'ACTIVE'])
  })

  test('a measurement is checked against budgets, and a path of a file is refused', async () => {
    const [pattern, budget, path] = await inPage(async () => {
      const { db, client } = await open()
      const measured = await db.measure('pages')
      await client.scan({ TableName: 'app' })
      const [budget, path] = [await failureOf(measured.check({ no_scans: true })), await failureOf(measured.check('budgets.json'))]
      return [(await measured.stop()).patterns.map(({ operation, calls }) => [operation, calls]), budget, path]
    })
    expect(pattern).toEqual([['Scan', 1]])
    expect(budget).toMatchObject({ name: 'Error', message: expect.stringMatching(/^hashrange: pages exceeds its budgets:\n/) })
    expect(path).toEqual({ name: 'Error', message: 'hashrange: a page cannot open the file budgets.json: give what it has as an object.' })
  })

  test('the control API refuses, and answers with texts', async () => {
    const [refused, metrics] = await inPage(async () => {
      const { db } = await open()
      return [await failureOf(db.control('POST', 'clock', { advance: 7 })), await db.control('GET', 'metrics')]
    })
    expect(refused).toEqual({ name: 'ControlError', message: expect.stringMatching(/^hashrange: POST clock: /), status: 400 })
    expect(metrics).toContain('# HELP')
  })
})

describe('calls that fail', () => {
  test('a fault drops a call, and delays another', async () => {
    const [dropped, waitedMs] = await inPage(async () => {
      const { db, client } = await open()
      await db.faults.add({ match: { operation: 'GetItem' }, do: { drop: 'before' } }, { match: { operation: 'Scan' }, do: { latency: '40ms' } })
      const dropped = await failureOf(client.getItem({ TableName: 'app', Key: ada }))
      const begin = performance.now()
      await client.scan({ TableName: 'app' })
      return [dropped, performance.now() - begin]
    })
    expect(dropped).toEqual({ name: 'Error', message: 'socket hang up', code: 'ECONNRESET' })
    expect(waitedMs).toBeGreaterThan(39)
  })

  test('a caller that aborts does not wait: for a delayed answer, and for the worker', async () => {
    expect(await inPage(async () => {
      const { db, client } = await open()
      await db.faults.add({ match: { operation: 'Scan' }, do: { latency: '1m' } })
      const [delayed, underWay, before] = [new AbortController(), new AbortController(), new AbortController()]
      setTimeout(() => delayed.abort(), 20)
      const calls = [client.scan({ TableName: 'app' }, { abortSignal: delayed.signal })]
      // The second call is aborted when the worker has it, and before its answer can have arrived.
      const { handle } = db.requestHandler
      db.requestHandler.handle = (...given) => {
        const answer = handle.apply(db.requestHandler, given)
        if (given[1].abortSignal === underWay.signal) queueMicrotask(() => underWay.abort())
        return answer
      }
      calls.push(client.getItem({ TableName: 'app', Key: ada }, { abortSignal: underWay.signal }))
      before.abort()
      calls.push(client.getItem({ TableName: 'app', Key: ada }, { abortSignal: before.signal }))
      const failures = await Promise.all(calls.map(failureOf))
      return [...failures.map(({ name }) => name), (await client.getItem({ TableName: 'app', Key: ada })).Item]
    })).toEqual(['AbortError', 'AbortError', 'AbortError', { PK: { S: 'USER#ada' }, SK: { S: 'PROFILE' }, name: { S: 'Ada' } }])
  })

  test('calls that wait when the database is closed fail, and later ones', async () => {
    const closed = { name: 'Error', message: 'hashrange: the database is closed.' }
    expect(await inPage(async () => {
      const { db, client } = await open()
      const waiting = [failureOf(db.control('GET', 'clock')), failureOf(client.listTables({}))]
      await Promise.resolve()
      await db.close()
      return [...await Promise.all(waiting), await failureOf(client.listTables({})), await failureOf(db.fork())]
    })).toEqual([closed, closed, closed, closed])
  })

  test('hostile input is refused, and the next call is answered', async () => {
    const answers = await inPage(async () => {
      const { db, client } = await open()
      const send = async (target, body, headers = {}) => {
        const { response } = await db.requestHandler.handle({ method: 'POST', body, headers: { 'x-amz-target': `DynamoDB_20120810.${target}`,
          'x-amz-date': '20260101T000000Z', authorization: 'AWS4-HMAC-SHA256 Credential=100000000001/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
          ...headers } })
        const { __type, message } = JSON.parse(new TextDecoder().decode(response.body))
        return [response.statusCode, __type?.split('#')[1], message]
      }
      const big = { TableName: 'app', Item: { ...ada, text: { S: 'x'.repeat(17 << 20) } } }
      return [
        await send('ListTables', '{}', { authorization: undefined }),
        await send('ListTables', '{'),
        await send('ListTables', new Uint8Array([0xff, 0xfe])),
        await send('DropTables', '{}'),
        await send('ListTables', `${'['.repeat(100_000)}`),
        await send('constructor', '{}'),
        (await client.putItem(big).catch((error) => error)).$metadata.httpStatusCode,
        (await client.getItem({ TableName: 'app', Key: ada })).Item.name.S,
      ]
    })
    expect(answers).toEqual([
      [400, 'MissingAuthenticationTokenException', 'Request is missing Authentication Token'],
      [400, 'SerializationException', undefined],
      [400, 'SerializationException', undefined],
      [400, 'UnknownOperationException', undefined],
      [400, 'SerializationException', undefined],
      [400, 'UnknownOperationException', undefined],
      413,
      'Ada',
    ])
  })

  test('without memory for more items, reads are answered', async () => {
    expect(await inPage(async () => {
      const { client } = await open({ maxMemoryBytes: 8 << 20 })
      const put = (n) => client.putItem({ TableName: 'app', Item: { ...ada, SK: { S: `${n}` }, text: { S: 'x'.repeat(300_000) } } })
      let failure
      for (let n = 0; !failure && n < 100; ++n) failure = await put(n).then(() => undefined, ({ name }) => name)
      return [failure, (await client.getItem({ TableName: 'app', Key: ada })).Item.name.S]
    })).toEqual(['InternalServerError', 'Ada'])
  })

  test.each([
    [{ transitionMs: '50ms' }, 'hashrange: the option `transitionMs` is a number of milliseconds, not "50ms".'],
    [{ files: 7 }, "hashrange: the option `files` is the URL of a folder: '/hashrange/', not 7."],
    [{ persist: true }, 'hashrange: there is no option `persist`, but maxMemoryBytes, region, setup, sharedTables, streamShards, transitionMs, ttlIntervalMs, files.'],
  ])('openDatabase(%o) is refused', async (options, message) => {
    expect((await inPage((given) => failureOf(openDatabase(given)), options)).message).toBe(message)
  })

  test('an error of the setup is that of openDatabase()', async () => {
    expect(await inPage(() => failureOf(openDatabase({ setup: () => Promise.reject(new Error('no tables today')) })))).toEqual(
      { name: 'Error', message: 'no tables today' })
  })
})
