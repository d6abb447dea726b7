// The directory in which `serve --data DIR` keeps the tables of a module: a dump of all tables, which replaces the one before it.
//
//   hashrange-module.jsonl        {"hashrange":"module","format":1,"version":"0.1.0","shared":false}
//                                 the lines of the dump (Database::TextDump in include/hashrange/database.h)
//                                 {"sha256":"…"}                           of all lines before this one
//   hashrange-module.jsonl.part   a dump that is being written, or was when the process ended
//   hashrange-module.lock         the number of the process that uses the directory
//
// A dump is written beside the last one, flushed, and then takes its name: whenever the process ends, one of the two is whole.

'use strict'

const { createHash } = require('node:crypto')
const { createReadStream } = require('node:fs')
const fs = require('node:fs/promises')
const { join } = require('node:path')
const { version } = require('../../package.json')

const DUMP = 'hashrange-module.jsonl'
const PART = `${DUMP}.part`
const LOCK = 'hashrange-module.lock'
const OF_PROGRAM = 'HASHRANGE'
const FORMAT = 1
const PAUSE_MS = 2_000 // between the end of a dump and the next look for changes
const PAUSE_FACTOR = 10 // and for large data, a multiple of the time that the dump took
const SEED_BYTES = 4 << 20 // of lines in a call; as JSON in JSON, a line of an item takes at most thrice its length

const { clearTimeout, setTimeout } = globalThis

/** A reason not to use the directory: a sentence for the user. */
class DataError extends Error {}

class DataDirectory {
  #path
  #shared
  #timer
  #writing = Promise.resolve() // the dump under way
  #isClosed = false
  #isFailing = false

  constructor(path, shared) {
    this.#path = path
    this.#shared = shared
  }

  /**
   * Makes the directory if it is not there, and locks it. `shared`: the database has one set of tables (--shared). Throws a
   * DataError when another process uses the directory, or when it has other files.
   */
  static async open(path, { shared = false } = {}) {
    const directory = new DataDirectory(path, shared)
    await makeFolder(path)
    await checkFiles(path)
    await lock(path)
    return directory
  }

  /**
   * Puts the tables of the dump into the database, which is empty. Returns {tables, items}. Throws a DataError, and changes no
   * file, when the dump is damaged, of a newer version, or does not fit into memory.
   */
  async load(database) {
    const file = join(this.#path, DUMP)
    const loaded = { tables: 0, items: 0 }
    if (await exists(file)) {
      await checkDump(file, this.#shared)
      const loader = new TableLoader(database, loaded)
      for await (const line of linesOf(file)) loader.add(line)
      loader.end()
    }
    if (database.beginDump()) database.endDump(true) // what was loaded is not new
    return loaded
  }

  /** From now on, writes a dump when something has changed. `log` shows a warning. */
  keep(database, log, pauseMs = PAUSE_MS) {
    this.#timer = setTimeout(async () => {
      const began = performance.now()
      await this.#save(database, log)
      if (!this.#isClosed) this.keep(database, log, Math.max(PAUSE_MS, (performance.now() - began) * PAUSE_FACTOR))
    }, pauseMs)
    this.#timer.unref()
  }

  /** Writes what has changed since the last dump, and gives the directory free. Throws a DataError when it cannot be written. */
  async close(database) {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#writing
    try {
      await this.#write(database)
    } catch (error) {
      throw new DataError(`the last changes are not kept: ${sentenceOf(this.#path, error)}`)
    } finally {
      await fs.rm(join(this.#path, LOCK), { force: true })
    }
  }

  /** Gives the directory free, and leaves it as it is. */
  async abandon() {
    await fs.rm(join(this.#path, LOCK), { force: true })
  }

  async #save(database, log) {
    this.#writing = this.#write(database).then(
      () => {
        if (this.#isFailing) log(`${this.#path} can be written again`)
        this.#isFailing = false
      },
      (error) => {
        if (!this.#isFailing) log(`${sentenceOf(this.#path, error)}: changes are in memory only until it can be written`)
        this.#isFailing = true
      })
    await this.#writing
  }

  // Does nothing when nothing has changed.
  async #write(database) {
    if (!database.beginDump()) return
    let isKept = false
    try {
      await this.#writeDump(database)
      isKept = true
    } finally {
      database.endDump(isKept)
    }
  }

  async #writeDump(database) {
    const part = join(this.#path, PART)
    const hash = createHash('sha256')
    const file = await fs.open(part, 'w', 0o600)
    try {
      const add = async (bytes) => {
        hash.update(bytes)
        await file.appendFile(bytes)
      }
      await add(`${JSON.stringify({ hashrange: 'module', format: FORMAT, version, shared: this.#shared })}\n`)
      for (let lines = database.nextDumpLines(); lines; lines = database.nextDumpLines()) await add(lines)
      await file.appendFile(`${JSON.stringify({ sha256: hash.digest('hex') })}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await fs.rename(part, join(this.#path, DUMP))
    await flushFolder(this.#path)
  }
}

// Puts the lines of a dump into a database, in calls of seeds.
class TableLoader {
  #database
  #loaded
  #table // {name, account, region, definition, stream}; undefined: none yet
  #lines = []
  #bytes = 0

  constructor(database, loaded) {
    this.#database = database
    this.#loaded = loaded
  }

  add(line) {
    if (line.startsWith('{"Item":')) {
      if (this.#bytes > 0 && this.#bytes + line.length > SEED_BYTES) this.#seed(false)
      this.#lines.push(line)
      this.#bytes += line.length + 1
      this.#loaded.items += 1
    } else if (line.startsWith('{"account":')) {
      this.end()
      this.#begin(line)
    }
  }

  #begin(line) {
    const { account, region, ...definition } = JSON.parse(line)
    const { TableName: name, StreamSpecification: stream } = definition.Table
    this.#table = { name, account, region: region || 'us-east-1', definition, stream, isNew: true }
    this.#loaded.tables += 1
  }

  /** Loads what is left of a table. */
  end() {
    if (this.#table) this.#seed(true)
    this.#table = undefined
  }

  // A stream does not have the items of the seed that makes its table, but those of later seeds: a table of several seeds gets its
  // stream after them.
  #seed(isLast) {
    const { name, account, region, definition, stream, isNew } = this.#table
    const getsStreamLast = stream?.StreamEnabled && !(isNew && isLast)
    if (isNew && getsStreamLast) delete definition.Table.StreamSpecification
    const body = { account, region, table: name, format: 'dynamodb', data: this.#lines.join('\n'), ...(isNew && { definition }) }
    if (isNew || this.#lines.length > 0) this.#call(() => this.#database.control('POST', 'seed', JSON.stringify(body)))
    if (isLast && getsStreamLast) {
      const update = JSON.stringify({ TableName: name, StreamSpecification: stream })
      this.#call(() => this.#database.call('UpdateTable', update, { accessKey: account, region }))
    }
    this.#table.isNew = false
    this.#lines = []
    this.#bytes = 0
  }

  #call(send) {
    const { status, body } = send()
    if (status === 200) return
    const { error, message } = JSON.parse(Buffer.from(body).toString() || '{}')
    throw new DataError(`the table ${this.#table.name} cannot be loaded: ${error ?? message ?? status}`)
  }
}

async function makeFolder(path) {
  try {
    await fs.mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (error.code !== 'EEXIST') throw new DataError(`${path} cannot be made: ${error.message}`)
  }
}

async function checkFiles(path) {
  let names
  try {
    names = await fs.readdir(path)
  } catch (error) {
    throw new DataError(`${path} cannot be read: ${error.message}`)
  }
  if (names.includes(OF_PROGRAM)) {
    throw new DataError(`${path} is a data directory of the program, which the module does not read: name another directory`)
  }
  if (names.length > 0 && ![DUMP, PART, LOCK].some((name) => names.includes(name))) {
    throw new DataError(`${path} is not a data directory of Hashrange's module: it has files, but no file ${DUMP}`)
  }
}

// The file names its process. One whose process has ended is taken away, which only one of several processes can do.
async function lock(path) {
  const file = join(path, LOCK)
  for (;;) {
    try {
      await fs.writeFile(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw new DataError(`${file} cannot be made: ${error.message}`)
    }
    const old = `${file}.${process.pid}`
    refuseIfUsed(path, await holderOf(file))
    await fs.rename(file, old).catch(unlessAbsent)
    const holder = await holderOf(old)
    if (isRunning(holder)) await fs.rename(old, file).catch(unlessAbsent) // another process was faster
    refuseIfUsed(path, holder)
    await fs.rm(old, { force: true })
  }
}

function refuseIfUsed(path, holder) {
  if (!isRunning(holder)) return
  throw new DataError(`${path} is used by the process ${holder}; if that is another program, remove the file ${LOCK}`)
}

async function holderOf(file) {
  return Number(await fs.readFile(file, 'utf8').catch(unlessAbsent))
}

function unlessAbsent(error) {
  if (error.code !== 'ENOENT') throw new DataError(error.message)
}

// In a container, the process of a server that was killed may have had this process's number.
function isRunning(holder) {
  if (!(holder > 0) || holder === process.pid) return false
  try {
    process.kill(holder, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function checkDump(file, shared) {
  const damaged = (why) => new DataError(`${file} is damaged: ${why}. Nothing was loaded or changed`)
  const hash = createHash('sha256')
  let head
  let last
  for await (const line of linesOf(file)) {
    if (head === undefined) checkHead(file, (head = line), shared, damaged)
    if (last !== undefined) hash.update(`${last}\n`)
    last = line
  }
  if (head === undefined) throw damaged('it is empty')
  if (last !== JSON.stringify({ sha256: hash.digest('hex') })) throw damaged('its sum does not agree with its content')
}

function checkHead(file, line, shared, damaged) {
  let head
  try {
    head = JSON.parse(line)
  } catch {
    throw damaged('its first line is not that of a dump')
  }
  if (head?.hashrange !== 'module') throw damaged('its first line is not that of a dump')
  if (head.format !== FORMAT) {
    throw new DataError(`${file} has the format ${head.format} of Hashrange ${head.version}; this is ${version}, which reads the format ${FORMAT}`)
  }
  if (head.shared !== shared) {
    throw new DataError(`${file} has the tables of a server ${head.shared ? 'with' : 'without'} --shared: start this one in the same way`)
  }
}

async function* linesOf(file) {
  let rest = ''
  for await (const part of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = (rest + part).split('\n')
    rest = lines.pop()
    yield* lines
  }
  if (rest !== '') yield rest
}

const exists = (file) => fs.access(file).then(() => true, () => false)

// Windows has no such thing, and some file systems refuse it.
async function flushFolder(path) {
  const folder = await fs.open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

const sentenceOf = (path, { message }) => `${path} cannot be written: ${message}`

module.exports = { DataDirectory, DataError }
