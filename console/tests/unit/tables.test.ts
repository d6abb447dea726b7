import { expect, test } from 'vitest'
import { csvOf } from '../../src/views/tables/csv'
import { createTableInput, kEmptyForm, nextIndex } from '../../src/views/tables/definition'
import { tableNameOf } from '../../src/views/tables/seed-dialog'

test('The form is a CreateTable input', () => {
  const global = nextIndex({ ...kEmptyForm, indexes: [nextIndex(kEmptyForm)] })
  expect(createTableInput({
    ...kEmptyForm, name: 'app', hash_type: 'N', stream: 'NEW_IMAGE',
    indexes: [{ ...global, range: '', projection: 'INCLUDE', included: ' a, b ,' }, { ...global, name: 'by-date', is_local: true, hash: 'ignored', range: 'date', projection: 'KEYS_ONLY' }]
  })).toEqual({
    TableName: 'app',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'PK', AttributeType: 'N' }, { AttributeName: 'SK', AttributeType: 'S' },
      { AttributeName: 'GSI2PK', AttributeType: 'S' }, { AttributeName: 'date', AttributeType: 'S' }
    ],
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
    GlobalSecondaryIndexes: [{ IndexName: 'GSI2', KeySchema: [{ AttributeName: 'GSI2PK', KeyType: 'HASH' }], Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['a', 'b'] } }],
    LocalSecondaryIndexes: [{
      IndexName: 'by-date', KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'date', KeyType: 'RANGE' }], Projection: { ProjectionType: 'KEYS_ONLY' }
    }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' }
  })
  expect(createTableInput({ ...kEmptyForm, name: 'app', range: '' })).toEqual({
    TableName: 'app', BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }], KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }]
  })
})

test('Items are CSV with a type for each column', () => {
  const lines = [
    '{"Item":{"SK":{"S":"1"},"PK":{"S":"a,\\"b\\"\\n"},"n":{"N":"12345678901234567890123456789012345678"},"m":{"M":{"x":{"L":[{"N":"1.0"},{"NULL":true}]}}}}}',
    '{"Item":{"PK":{"S":" b"},"SK":{"S":"2"},"t":{"SS":["x","y"]},"f":{"BOOL":false},"bin":{"B":"AAE="}}}'
  ].join('\n')
  expect(csvOf(`${lines}\n`, ['PK', 'SK'])).toBe(
    'PK:S,SK:S,n:N,m:M,t:SS,f:BOOL,bin:B\n' +
    '"a,""b""\n",1,12345678901234567890123456789012345678,"{""x"":[1.0,null]}",,,\n' +
    '" b",2,,,"[""x"",""y""]",false,AAE=\n')
})

test('What CSV cannot say is a sentence', () => {
  expect(csvOf('{"PK":{"S":"a"},"x":{"N":"1"}}\n{"PK":{"S":"b"},"x":{"S":"1"}}\n', ['PK'])).toEqual({
    problem: 'CSV has one type for a column, and the attribute x has values of the types N and S.'
  })
  const cannot = { problem: 'CSV cannot have the value of the attribute x of an item: an empty string, or a set or binary value within a document.' }
  expect(csvOf('{"PK":{"S":"a"},"x":{"S":""}}\n', ['PK'])).toEqual(cannot)
  expect(csvOf('{"PK":{"S":"a"},"x":{"M":{"y":{"L":[{"SS":["a"]}]}}}}\n', ['PK'])).toEqual(cannot)
})

test('A file is named after its table', () => {
  expect(['users.jsonl.gz', 'a/b c.CSV', 'shop.table.json', 'x.ndjson', 'plain'].map(tableNameOf)).toEqual(['users', 'a-b-c', 'shop', 'x', 'plain'])
})
