// Files that a database in this process reads. These tests need hashrange.wasm, which HASHRANGE_MODULE names.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openDatabase } from '@hashrange/testing/module'
import { describe, expect, onTestFinished, test } from 'vitest'

const DEFINITION = JSON.stringify({ BillingMode: 'PAY_PER_REQUEST', KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }] })

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function open() {
  const db = await openDatabase()
  onTestFinished(() => db.close())
  return db
}

const seeded = async (path) => (await open()).control('POST', 'seed', { path }).catch(({ message }) => message)

describe.skipIf(!process.env.HASHRANGE_MODULE)('a database in this process', () => {
  test('loads a folder of definitions, lines, gzip, CSV and links', async () => {
    const folder = newFolder()
    for (const name of ['lines', 'zipped', 'cells', 'linked']) writeFileSync(join(folder, `${name}.table.json`), DEFINITION)
    const lines = Array.from({ length: 5000 }, (_, number) => JSON.stringify({ PK: `${number}`, text: 'é'.repeat(100) })).join('\n')
    writeFileSync(join(folder, 'lines.jsonl'), lines)
    writeFileSync(join(folder, 'zipped.json.gz'), gzipSync(lines))
    writeFileSync(join(folder, 'cells.csv'), 'PK,n:N\na,1\nb,2\n')
    symlinkSync(join(folder, 'cells.csv'), join(folder, 'linked.csv'))
    expect(await seeded(folder)).toEqual({ tables: { cells: 2, lines: 5000, linked: 2, zipped: 5000 } })
  })

  test('loads a folder of many files', async () => {
    const folder = join(newFolder(), 'app')
    mkdirSync(folder)
    writeFileSync(join(folder, 'table.json'), DEFINITION)
    for (let number = 0; number < 500; ++number) writeFileSync(join(folder, `part with a long name ${number}.json`), `{"PK":"${number}"}`)
    expect(await seeded(folder)).toEqual({ tables: { app: 500 } })
  })

  test('says what is wrong with a path', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'app.table.json'), DEFINITION)
    writeFileSync(join(folder, 'app.jsonl'), '{"PK":"a"}\n{"PK":1}\n')
    expect(await seeded(join(folder, 'none'))).toBe(`hashrange: POST seed: ${folder}/none: there is no such file or folder.`)
    expect(await seeded(folder)).toBe(`hashrange: POST seed: ${folder}/app.jsonl:2: One or more parameter values were invalid: Type mismatch for key PK expected: S actual: N.`)
  })

  test('writes no file', async () => {
    const folder = newFolder()
    const db = await open()
    await db.control('POST', 'seed', { table: 'app', definition: JSON.parse(DEFINITION), data: '{"PK":"a"}', account: db.id })
    const refused = await db.control('POST', 'dump', { path: join(folder, 'dump'), account: db.id }).catch(({ message }) => message)
    expect(refused).toMatch(/^hashrange: POST dump: .*dump: .*Function not implemented\.$/)
  })
})
