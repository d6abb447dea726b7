import { describe, expect, it } from 'vitest'
import type { Item } from '../../src/api/values'
import { parsePath, printPath } from '../../src/model/paths'
import { buildRequest, emptyForm, formOfKey, kFilterOperators, scanReason, splitPaths, typeOfPath, unprojectedNames, type Filter, type FilterOperator, type QueryForm } from '../../src/model/request'
import { keyIn, keyOf, planOf, type TableDescription } from '../../src/model/tables'
import { statementOf } from '../../src/model/statement'

const kDescription: TableDescription = {
  TableName: 'app',
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
  AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'a', 'b'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' }))
    .concat([{ AttributeName: 'c', AttributeType: 'N' }, { AttributeName: 'd', AttributeType: 'N' }]),
  GlobalSecondaryIndexes: [
    { IndexName: 'GSI1', KeySchema: [{ AttributeName: 'GSI1PK', KeyType: 'HASH' }, { AttributeName: 'GSI1SK', KeyType: 'RANGE' }],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name'] } },
    { IndexName: 'multi', KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }, { AttributeName: 'b', KeyType: 'HASH' },
      { AttributeName: 'c', KeyType: 'RANGE' }, { AttributeName: 'd', KeyType: 'RANGE' }], Projection: { ProjectionType: 'ALL' } },
  ],
  LocalSecondaryIndexes: [{ IndexName: 'LSI', KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'c', KeyType: 'RANGE' }] }],
}
const kTable = planOf(kDescription)
const form = (members: Partial<QueryForm>): QueryForm => ({ ...emptyForm('app'), limit: '', ...members })
const filter = (members: Partial<Filter>): Filter => ({ path: 'x', operator: '=', type: 'S', values: ['v'], is_negated: false, ...members })

it('takes the type of a path from the first item that has it', () => {
  const items: Item[] = [{ a: { S: 'x' } }, { a: { N: '1' }, m: { M: { l: { L: [{ N: '1' }] } } }, s: { SS: ['x'] } }]
  expect(['a', 'm.l[0]', 's', 'm', 'm.l[1]', 'nothing', 'a.', 'constructor'].map((path) => typeOfPath(path, items)))
    .toEqual(['S', 'N', 'S', undefined, undefined, undefined, undefined, undefined])
})

it('knows keys, indexes and projections', () => {
  expect(kTable).toEqual({
    name: 'app', has_infrequent_access: false,
    table: { hash: [{ name: 'PK', type: 'S' }], range: [{ name: 'SK', type: 'S' }], is_local: false, projection: 'ALL', included: [] },
    indexes: [
      { index: 'GSI1', hash: [{ name: 'GSI1PK', type: 'S' }], range: [{ name: 'GSI1SK', type: 'S' }], is_local: false, projection: 'INCLUDE', included: ['name'] },
      { index: 'multi', hash: [{ name: 'a', type: 'S' }, { name: 'b', type: 'S' }], range: [{ name: 'c', type: 'N' }, { name: 'd', type: 'N' }],
        is_local: false, projection: 'ALL', included: [] },
      { index: 'LSI', hash: [{ name: 'PK', type: 'S' }], range: [{ name: 'c', type: 'N' }], is_local: true, projection: 'ALL', included: [] },
    ],
  })
  const item = { PK: { S: 'p' }, SK: { S: 's' }, GSI1PK: { S: 'g' }, x: { N: '1' } }
  expect(keyOf(kTable, item)).toEqual({ PK: { S: 'p' }, SK: { S: 's' } })
  expect(keyIn(kTable.indexes[0]!, item)).toEqual({ GSI1PK: { S: 'g' } })
})

describe('paths', () => {
  it.each([
    ['a', ['a']], ['a.b[0][12].c', ['a', 'b', 0, 12, 'c']], ['"a.b".c', ['a.b', 'c']], ['"say ""hi"""', ['say "hi"']], ['"[x]"', ['[x]']],
    ['with blank', ['with blank']], ['""', ['']],
  ])('%s', (text, path) => {
    expect(parsePath(text)).toEqual(path)
    expect(printPath(path)).toBe(text)
  })
  it.each(['', '.', 'a.', '.a', 'a..b', '[0]', 'a[x]', 'a[', '"a', 'a"b"', 'a[0]b'])('%s is no path', (text) => {
    expect(parsePath(text)).toBeUndefined()
  })
  it('are split at commas outside of quotes', () => {
    expect(splitPaths(' a, "b,c".d ,,e[0] ')).toEqual(['a', '"b,c".d', 'e[0]'])
  })
})

describe('a request', () => {
  it('is a Query with a HASH value', () => {
    expect(buildRequest(form({ hash: ['USER#1'], range: [{ operator: 'begins_with', values: ['ORDER#'] }], is_backward: true, limit: '10' }), kTable)).toEqual({
      operation: 'Query', problems: [],
      input: {
        TableName: 'app', KeyConditionExpression: '#PK = :PK AND begins_with(#SK, :SK)', ExpressionAttributeNames: { '#PK': 'PK', '#SK': 'SK' },
        ExpressionAttributeValues: { ':PK': { S: 'USER#1' }, ':SK': { S: 'ORDER#' } }, ScanIndexForward: false, Limit: 10,
      },
    })
  })

  it('is a Scan without one', () => {
    expect(buildRequest(form({ index: 'GSI1', is_backward: true, counts_only: true }), kTable)).toEqual({
      operation: 'Scan', problems: [], input: { TableName: 'app', IndexName: 'GSI1', Select: 'COUNT' },
    })
  })

  it.each([
    ['=', ['x'], '#SK = :SK'], ['<', ['x'], '#SK < :SK'], ['<=', ['x'], '#SK <= :SK'], ['>', ['x'], '#SK > :SK'], ['>=', ['x'], '#SK >= :SK'],
    ['BETWEEN', ['x', 'y'], '#SK BETWEEN :SK AND :SK_2'], ['begins_with', ['x'], 'begins_with(#SK, :SK)'],
  ] as const)('has the sort-key condition %s', (operator, values, expression) => {
    const { input, problems } = buildRequest(form({ hash: ['p'], range: [{ operator, values: [...values] }] }), kTable)
    expect(problems).toEqual([])
    expect(input.KeyConditionExpression).toBe(`#PK = :PK AND ${expression}`)
  })

  it('has keys of several attributes', () => {
    const request = buildRequest(form({
      index: 'multi', hash: ['h1', 'h2'], range: [{ operator: '=', values: ['1'] }, { operator: '>', values: ['2.50'] }],
    }), kTable)
    expect(request).toEqual({
      operation: 'Query', problems: [],
      input: {
        TableName: 'app', IndexName: 'multi', KeyConditionExpression: '#a = :a AND #b = :b AND #c = :c AND #d > :d',
        ExpressionAttributeNames: { '#a': 'a', '#b': 'b', '#c': 'c', '#d': 'd' },
        ExpressionAttributeValues: { ':a': { S: 'h1' }, ':b': { S: 'h2' }, ':c': { N: '1' }, ':d': { N: '2.50' } },
      },
    })
    expect(buildRequest(form({ index: 'multi', hash: ['h1', 'h2'], range: [{ operator: '>', values: ['1'] }, { operator: '>', values: ['2'] }] }), kTable).problems)
      .toEqual([{ text: 'A condition on d needs = on the RANGE attributes before it.', field: 'range 1 0' }])
    expect(buildRequest(form({ index: 'multi', hash: ['h1'], range: [{ operator: '>', values: ['1'] }] }), kTable).problems)
      .toEqual([{ text: 'A condition on c needs a value of b.', field: 'hash 1 0' }])
  })

  const kTerms: Record<FilterOperator, string> = {
    '=': '#x = :x', '<>': '#x <> :x', '<': '#x < :x', '<=': '#x <= :x', '>': '#x > :x', '>=': '#x >= :x', BETWEEN: '#x BETWEEN :x AND :x_2',
    IN: '#x IN (:x, :x_2)', begins_with: 'begins_with(#x, :x)', contains: 'contains(#x, :x)', attribute_exists: 'attribute_exists(#x)',
    attribute_not_exists: 'attribute_not_exists(#x)', attribute_type: 'attribute_type(#x, :x)', 'size =': 'size(#x) = :x', 'size <': 'size(#x) < :x',
    'size >': 'size(#x) > :x',
  }
  it.each(Object.keys(kFilterOperators) as FilterOperator[])('has the filter %s', (operator) => {
    const { input, problems } = buildRequest(form({ filters: [filter({ operator, values: operator.startsWith('size') ? ['1'] : ['v', 'w'] })] }), kTable)
    expect(problems).toEqual([])
    expect(input.FilterExpression).toBe(kTerms[operator])
    const used = kTerms[operator].match(/:x(_2)?/g) ?? []
    expect(Object.keys(input.ExpressionAttributeValues ?? {})).toEqual(used)
  })

  it('joins and negates filters, and reads values of every type', () => {
    const { input } = buildRequest(form({
      joined_by: 'OR', projection: 'name, "a.b"[1].c',
      filters: [
        filter({ path: 'a.b[0]', type: 'N', values: ['12345678901234567890123456789012345678'], is_negated: true }),
        filter({ path: 'flag', type: 'BOOL', values: ['true'] }), filter({ path: 'none', type: 'NULL', values: [''] }),
        filter({ path: 'bytes', type: 'B', values: ['AA=='] }), filter({ path: 'map', type: 'JSON', values: ['{"M":{"n":{"N":1.50}}}'] }),
      ],
    }), kTable)
    expect(input).toEqual({
      TableName: 'app', FilterExpression: 'NOT #a.#b[0] = :b OR #flag = :flag OR #none = :none OR #bytes = :bytes OR #map = :map',
      ProjectionExpression: '#name, #ab[1].#c',
      ExpressionAttributeNames: { '#a': 'a', '#b': 'b', '#flag': 'flag', '#none': 'none', '#bytes': 'bytes', '#map': 'map', '#name': 'name', '#ab': 'a.b', '#c': 'c' },
      ExpressionAttributeValues: {
        ':b': { N: '12345678901234567890123456789012345678' }, ':flag': { BOOL: true }, ':none': { NULL: true }, ':bytes': { B: 'AA==' },
        ':map': { M: { n: { N: '1.50' } } },
      },
    })
  })

  it('gives hostile names placeholders of their own', () => {
    const names = ['#', ':', '-', '__proto__', 'constructor', 'a b', 'ab', '<script>', 'x'.repeat(60)]
    const { input } = buildRequest(form({ filters: names.map((name) => filter({ path: name, operator: 'attribute_exists', values: [] })) }), kTable)
    expect(Object.entries(input.ExpressionAttributeNames!)).toEqual([
      ['#a', '#'], ['#a_2', ':'], ['#a_3', '-'], ['#__proto__', '__proto__'], ['#constructor', 'constructor'], ['#ab', 'a b'], ['#ab_2', 'ab'],
      ['#script', '<script>'], ['#' + 'x'.repeat(40), 'x'.repeat(60)],
    ])
  })

  it('says what is wrong', () => {
    expect(buildRequest(form({ index: 'GSI9' }), kTable).problems).toEqual([{ text: 'There is no index GSI9.' }])
    expect(buildRequest(form({
      index: 'GSI1', range: [{ operator: '=', values: ['x'] }], limit: '0', counts_only: true, projection: 'a..b', is_consistent: true,
      filters: [filter({ path: 'a.' }), filter({ path: '' }), filter({ path: 'n', type: 'N' }), filter({ path: 'j', type: 'JSON', values: ['{"N":'] })],
    }), kTable).problems).toEqual([
      { text: 'A condition on GSI1SK needs a value of GSI1PK.', field: 'hash 0 0' }, { text: 'a. is no path of an attribute.', field: 'filter 0 path' },
      { text: 'This filter has no attribute.', field: 'filter 1 path' }, { text: 'n: This is not a number.', field: 'filter 2 0' },
      { text: 'j: The text ends before its value does. (line 1, column 6)', field: 'filter 3 0' }, { text: 'a..b is no path of an attribute.', field: 'projection' },
      { text: 'A request that only counts has no projection.' }, { text: 'A global index has no consistent reads.' }, { text: 'The limit is a whole number from 1.' },
    ])
  })

  it.each<[string, QueryForm['range'][number], { text: string; field: string }[]]>([
    ['the second bound', { operator: 'BETWEEN', values: ['a'] }, [{ text: 'BETWEEN needs both values of SK.', field: 'range 0 1' }]],
    ['the first bound', { operator: 'BETWEEN', values: ['', 'b'] }, [{ text: 'BETWEEN needs both values of SK.', field: 'range 0 0' }]],
    ['any value of another operator', { operator: 'begins_with', values: [''] }, [{ text: 'begins_with needs a value of SK. With = and no value, every SK fits.', field: 'range 0 0' }]],
    ['nothing: = without a value is no condition', { operator: '=', values: ['', 'b'] }, []],
  ])('on a sort key lacks %s', (_, condition, problems) => {
    const request = buildRequest(form({ hash: ['p'], range: [condition] }), kTable)
    expect(request.problems).toEqual(problems)
    if (problems.length === 0) expect(request.input.KeyConditionExpression).toBe('#PK = :PK')
  })

  it.each(Object.entries(kFilterOperators).filter(([, count]) => count > 0).map(([operator]) => operator as FilterOperator))('has no filter %s without its values', (operator) => {
    const problemsOf = (members: Partial<Filter>) => buildRequest(form({ filters: [filter({ operator, ...members })] }), kTable).problems
    expect(problemsOf({ values: [] }).map(({ field }) => field)).toEqual(operator === 'BETWEEN' ? ['filter 0 0', 'filter 0 1'] : ['filter 0 0'])
    if (operator === 'BETWEEN') expect(problemsOf({ values: ['a', ''] })).toEqual([{ text: 'BETWEEN needs both values of x. For the empty string, choose DynamoDB JSON: {"S": ""}', field: 'filter 0 1' }])
    if (operator === 'IN') expect(problemsOf({ values: ['a', '', 'b'] })).toEqual([{ text: 'IN needs a value of x in each line. For the empty string, choose DynamoDB JSON: {"S": ""}', field: 'filter 0 0' }])
    if (operator === 'size >') expect(problemsOf({ values: [''] })).toEqual([{ text: 'size > needs a value of x.', field: 'filter 0 0' }])
    if (operator === '<') expect(problemsOf({ values: [''], type: 'N' })).toEqual([{ text: '< needs a value of x.', field: 'filter 0 0' }])
    if (operator === 'begins_with') expect(problemsOf({ values: ['{"S": ""}'], type: 'JSON' })).toEqual([])
  })
})

it('knows what an index does not have', () => {
  const members = { filters: [filter({ path: 'note.a' }), filter({ path: 'name' }), filter({ path: 'PK' }), filter({ path: 'a..b' })], projection: 'GSI1SK, total, note' }
  expect(unprojectedNames(form({ ...members, index: 'GSI1' }), kTable)).toEqual(['note', 'total'])
  expect(unprojectedNames(form({ ...members, index: 'multi' }), kTable)).toEqual([])
  expect(unprojectedNames(form(members), kTable)).toEqual([])
})

describe('the reason of a Scan', () => {
  it('names the missing key and the index that serves the filter', () => {
    const scan = form({ filters: [filter({ path: 'GSI1PK', values: ['STATUS#open'] }), filter({ path: 'GSI1SK', operator: 'begins_with', values: ['ORDER#2026'] }), filter({ path: 'total', operator: '>', type: 'N', values: ['5'] })] })
    const found = scanReason(scan, kTable)
    expect(found).toEqual({
      reason: 'It reads all of the table, because there is no value of its HASH key PK. A filter drops items after they are read: every item that is read is charged.',
      remedy: 'Index GSI1 has GSI1PK and GSI1SK in its key: a Query of index GSI1 serves it.',
      better: { ...scan, index: 'GSI1', hash: ['STATUS#open'], range: [{ operator: 'begins_with', values: ['ORDER#2026'] }], filters: [scan.filters[2]] },
    })
    expect(buildRequest(found.better!, kTable).operation).toBe('Query')
  })

  it('says which index there would have to be', () => {
    expect(scanReason(form({ filters: [filter({ path: 'email' })] }), kTable).remedy)
      .toBe('No key of the table or of an index begins with email: an index with email as its HASH key would serve it.')
    expect(scanReason(form({ index: 'multi', hash: ['h1'] }), kTable)).toEqual({
      reason: 'It reads all of index multi, because there is no value of its HASH key b. A filter drops items after they are read: every item that is read is charged.',
      remedy: 'Give b a value, or choose an index whose HASH key you know.',
    })
  })

  it('takes no filter that is an alternative, negated, or of another type', () => {
    for (const members of [
      { joined_by: 'OR' as const, filters: [filter({ path: 'GSI1PK' }), filter({ path: 'x' })] },
      { filters: [filter({ path: 'GSI1PK', is_negated: true })] },
      { filters: [filter({ path: 'GSI1PK', type: 'N', values: ['1'] })] },
      { filters: [filter({ path: 'GSI1PK.a' })] },
    ]) expect(scanReason(form(members), kTable).better).toBeUndefined()
  })
})

it('makes the form of a key', () => {
  expect(formOfKey(kTable, undefined, { PK: { S: 'p' }, SK: { S: 's' } })).toEqual({ ...emptyForm('app'), hash: ['p'], range: [{ operator: '=', values: ['s'] }] })
  expect(formOfKey(kTable, 'GSI1', { GSI1PK: { S: 'g' } })).toEqual({ ...emptyForm('app'), index: 'GSI1', hash: ['g'] })
})

describe('a statement', () => {
  it('reads the same as the request', () => {
    expect(statementOf(form({
      index: 'GSI1', hash: ["it's"], range: [{ operator: 'BETWEEN', values: ['a', 'b'] }], is_backward: true, limit: '5', projection: 'name, a."b""c"[0]',
      joined_by: 'OR', is_consistent: false,
      filters: [filter({ path: 'x', operator: 'IN', values: ['1', '2'] }), filter({ path: 'y', operator: 'attribute_not_exists', is_negated: true }),
        filter({ path: 'z', operator: 'size >', values: ['3'] })],
    }), kTable)).toEqual({
      notes: ['The limit stands beside the statement, as the member Limit.'],
      input: {
        Limit: 5,
        Statement: `SELECT "name", "a"."b""c"[0]
FROM "app"."GSI1"
WHERE "GSI1PK" = 'it''s'
  AND "GSI1SK" BETWEEN 'a' AND 'b'
  AND ("x" IN ['1', '2'] OR NOT ("y" IS MISSING) OR size("z") > 3)
ORDER BY "GSI1SK" DESC`,
      },
    })
  })

  it('has literals of every type, and parameters for binary', () => {
    expect(statementOf(form({ filters: [
      filter({ path: 'b', type: 'B', values: ['AA=='] }),
      filter({ path: 'j', type: 'JSON', values: [`{"M":{"it's":{"L":[{"NS":["1","2"]},{"SS":["a'"]},{"NULL":true},{"BOOL":false},{"B":"AQ=="}]}}}`] }),
      filter({ path: 't', operator: 'attribute_type', type: 'N', values: ['SS'] }),
    ] }), kTable).input).toEqual({
      Statement: `SELECT *
FROM "app"
WHERE "b" = ? AND "j" = {'it''s': [<<1, 2>>, <<'a'''>>, NULL, false, ?]} AND attribute_type("t", 'SS')`,
      Parameters: [{ B: 'AA==' }, { B: 'AQ==' }],
    })
  })
})
