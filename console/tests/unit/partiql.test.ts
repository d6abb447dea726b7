import { describe, expect, it } from 'vitest'
import { completionAt, markedTokens, mistakeOf, placeText, subjectOf, tokensOf, type Known } from '../../src/model/partiql'

describe('tokens', () => {
  it('have kinds', () => {
    const text = `SELECT "a""b".c, size(x) -- why\nFROM app WHERE PK = 'it''s' AND n >= -1.5e3 AND b=? /* no */ AND s IN <<1>>`
    expect(tokensOf(text).filter(({ kind }) => kind !== 'space').map(({ kind, text: part }) => `${kind} ${part}`)).toEqual([
      'keyword SELECT', 'name "a""b"', 'sign .', 'name c', 'sign ,', 'function size', 'sign (', 'name x', 'sign )', 'comment -- why', 'keyword FROM',
      'name app', 'keyword WHERE', 'name PK', 'sign =', `string 'it''s'`, 'keyword AND', 'name n', 'sign >=', 'number -1.5e3', 'keyword AND', 'name b',
      'sign =', 'parameter ?', 'comment /* no */', 'keyword AND', 'name s', 'keyword IN', 'sign <<', 'number 1', 'sign >>'
    ])
  })

  it.each(['', `'`, `"`, `SELECT 'open`, '/* open', '\u0000 <script>', '😀\ud800', `'''`, "''''''''''''''''''''''''''''''''''''''''x'", 'a'.repeat(8192)])(
    'are the text again: %.20s', (text) => {
      expect(tokensOf(text).map((token) => token.text).join('')).toBe(text)
    })
})

describe('the subject of a statement', () => {
  it('is its verb, its table and what it asks equality for', () => {
    expect(subjectOf(`select * from "app"."GSI1" where GSI1PK = 'STATUS#it''s' and n = 5 and a.b = 'x' and c > 1 and d = ?`)).toEqual({
      verb: 'SELECT', is_write: false, table: 'app', index: 'GSI1',
      equalities: new Map([['GSI1PK', { text: `STATUS#it's`, type: 'S' }], ['n', { text: '5', type: 'N' }]])
    })
    expect(subjectOf(`-- comment\nUPDATE "a""b" SET x = 1 WHERE PK = 'p'`)).toEqual({
      verb: 'UPDATE', is_write: true, table: 'a"b', equalities: new Map([['PK', { text: 'p', type: 'S' }]])
    })
    expect(subjectOf(`INSERT INTO app VALUE {'PK': 'x'}`)).toEqual({ verb: 'INSERT', is_write: true, table: 'app', equalities: new Map() })
    expect(subjectOf(`SELECT * FROM app WHERE a = 'x' OR b = 'y'`).equalities.size).toBe(0)
    expect(subjectOf('')).toEqual({ verb: '', is_write: false, equalities: new Map() })
    expect(subjectOf('SELEC * FROM app')).toMatchObject({ verb: 'SELEC', is_write: false })
  })
})

describe('the place of a mistake', () => {
  const marked = (text: string, message: string) => {
    const range = mistakeOf(text, message)
    return range && [text.slice(range.from, range.to), placeText(text, range)]
  }

  it('is what the message says, in characters', () => {
    expect(marked('SELECT size(a) FROM app', 'Unexpected path component at 1:8:4')).toEqual(['size', 'line 1, column 8'])
    expect(marked(`SELECT * FROM app\nWHERE "😀" = 'é' AND exists(a)`, 'Unrecognized function: exists at 2:21:6')).toEqual(['exists', 'line 2, column 21'])
    expect(marked('SELECT 1', 'Unexpected path component at 3:1:4')).toBeUndefined()
  })

  it('is the operator or the function that the message names, if the statement has it once', () => {
    const message = 'Incorrect operand type for operator or function; operator or function: begins_with, operand type: N'
    expect(marked(`SELECT * FROM app WHERE BEGINS_WITH(a, 5) AND b = 'begins_with'`, message)).toEqual(['BEGINS_WITH', 'line 1, column 25'])
    expect(marked('SELECT * FROM app WHERE begins_with(a, 5) AND begins_with(b, 5)', message)).toBeUndefined()
    expect(marked('SELECT * FROM app WHERE a < TRUE', 'Incorrect operand type for operator or function; operator or function: <, operand type: BOOL')).toEqual(['<', 'line 1, column 27'])
  })

  it('is none where the message names none', () => {
    expect(marked('SELECT * FROM app', "Statement wasn't well formed, can't be processed: Unexpected term")).toBeUndefined()
    expect(marked('', '')).toBeUndefined()
  })

  it('cuts the tokens at its edges, and the text stays the same', () => {
    const tokens = markedTokens(`SELECT "abc" FROM`, { from: 9, to: 14 })
    expect(tokens.map(({ text }) => text).join('')).toBe(`SELECT "abc" FROM`)
    expect(tokens.filter(({ is_marked }) => is_marked).map(({ kind, text }) => `${kind} ${text}`)).toEqual(['name bc"', 'space  ', 'keyword F'])
  })
})

describe('completion', () => {
  const known: Known = {
    tables: ['app', 'orders'], indexes: (table) => (table === 'app' ? ['GSI1', 'GSI2'] : []),
    attributes: (table) => (table === 'app' ? ['PK', 'SK', 'status', 'say "hi"'] : [])
  }
  const at = (text: string) => completionAt(text.replace('|', ''), text.indexOf('|'), known)
  const texts = (text: string) => at(text).options.map((option) => option.text)

  it('gives tables and indexes', () => {
    expect(at('SELECT * FROM |')).toEqual({ from: 14, options: [{ text: '"app"', kind: 'table' }, { text: '"orders"', kind: 'table' }] })
    expect(at('SELECT * FROM "o|')).toEqual({ from: 14, options: [{ text: '"orders"', kind: 'table' }] })
    expect(texts('UPDATE ap|')).toEqual(['"app"'])
    expect(texts('SELECT * FROM app.|')).toEqual(['"GSI1"', '"GSI2"'])
    expect(at('SELECT * FROM "app"."gsi2|')).toEqual({ from: 20, options: [{ text: '"GSI2"', kind: 'index' }] })
  })

  it('gives attributes of the table and keywords', () => {
    expect(at('SELECT sta| FROM app')).toEqual({ from: 7, options: [{ text: '"status"', kind: 'attribute' }] })
    expect(texts('SELECT * FROM app WHERE s|')).toEqual(['"SK"', '"status"', '"say ""hi"""', 'SELECT', 'SET', 'STRING', 'size', 'set_add'])
    expect(texts('SELECT "hi| FROM app')).toEqual(['"say ""hi"""'])
    expect(texts('SEL|')).toEqual(['SELECT'])
    expect(texts('SELECT * FROM app WHERE beg|')).toEqual(['begins_with'])
  })

  it('gives nothing where nothing is begun, in strings and in comments', () => {
    for (const text of ['|', 'SELECT * FROM app WHERE |', `SELECT * FROM app WHERE a = 'sta|`, `SELECT 'sta'|`, '-- FROM |', '/* sta|*/']) expect(texts(text)).toEqual([])
  })
})
