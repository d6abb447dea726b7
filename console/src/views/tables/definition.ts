// The form that creates a table, and the CreateTable input that it stands for.

export type KeyType = 'S' | 'N' | 'B'

export interface KeyForm {
  hash: string
  hash_type: KeyType
  /** "" for no sort key. */
  range: string
  range_type: KeyType
}

export interface IndexForm extends KeyForm {
  name: string
  is_local: boolean
  projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
  /** Names with commas between them, for INCLUDE. */
  included: string
}

export interface TableForm extends KeyForm {
  name: string
  indexes: readonly IndexForm[]
  stream: '' | 'NEW_AND_OLD_IMAGES' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'KEYS_ONLY'
  /** "" for no expiry. */
  ttl_attribute: string
}

export const kEmptyForm: TableForm = {
  name: '', hash: 'PK', hash_type: 'S', range: 'SK', range_type: 'S', indexes: [], stream: '', ttl_attribute: ''
}

/** Returns the form of the next index: GSI1, GSI2, … */
export function nextIndex(form: TableForm): IndexForm {
  const taken = new Set(form.indexes.map((index) => index.name))
  let number = 1
  while (taken.has(`GSI${number}`)) ++number
  const name = `GSI${number}`
  return { name, is_local: false, hash: `${name}PK`, hash_type: 'S', range: `${name}SK`, range_type: 'S', projection: 'ALL', included: '' }
}

/** Returns the CreateTable input. The server checks it: what is wrong there is wrong here, too. */
export function createTableInput(form: TableForm): Record<string, unknown> {
  const keys: KeyForm[] = [form, ...form.indexes.map((index) => (index.is_local ? { ...index, hash: form.hash, hash_type: form.hash_type } : index))]
  const types = new Map<string, KeyType>()
  for (const key of keys) {
    types.set(key.hash, key.hash_type)
    if (key.range) types.set(key.range, key.range_type)
  }
  const indexInputs = (is_local: boolean) =>
    form.indexes.flatMap((index, i) =>
      index.is_local === is_local
        ? [{ IndexName: index.name, KeySchema: keySchema(keys[i + 1]!), Projection: projectionOf(index) }]
        : [])
  const globals = indexInputs(false)
  const locals = indexInputs(true)
  return {
    TableName: form.name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    KeySchema: keySchema(form),
    ...(globals.length > 0 && { GlobalSecondaryIndexes: globals }),
    ...(locals.length > 0 && { LocalSecondaryIndexes: locals }),
    ...(form.stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: form.stream } })
  }
}

function keySchema(key: KeyForm) {
  return [
    { AttributeName: key.hash, KeyType: 'HASH' },
    ...(key.range ? [{ AttributeName: key.range, KeyType: 'RANGE' }] : [])
  ]
}

function projectionOf(index: IndexForm) {
  if (index.projection !== 'INCLUDE') return { ProjectionType: index.projection }
  const names = index.included.split(',').map((name) => name.trim()).filter((name) => name !== '')
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: names }
}
