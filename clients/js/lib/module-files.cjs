// The functions of WASI by which a module opens and reads files of this machine, such as those of a seed. It changes none.
//
// The module has one folder that is open from the start, "/", and names files without this beginning. So it knows absolute paths
// only: a relative path of a call would begin there, too. On Windows, a path such as C:\fixtures is found in it as well.

'use strict'

const fs = require('node:fs')
const { resolve } = require('node:path')

const ROOT = 3 // the descriptor of the folder
const ROOT_NAME = '/'

const DONE = 0
const IS_NO_FILE = 8 // EBADF
const IS_INVALID = 28
const CODES = { EACCES: 2, EBADF: 8, EINVAL: 28, EIO: 29, EISDIR: 31, ELOOP: 32, EMFILE: 33, ENAMETOOLONG: 37, ENFILE: 41, ENOENT: 44, ENOMEM: 48, ENOTDIR: 54, EPERM: 63 }

const KIND = { other: 0, folder: 3, file: 4, link: 7 }
const ALL_RIGHTS = 0xffffffffn
const OPENS_FOLDER = 2
const FOLLOWS_LINKS = 1
const ENTRY_BYTES = 24

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Returns the functions. `buffer` returns the module's memory. */
function filesOf(buffer) {
  const open = new Map([[ROOT, { path: resolve(ROOT_NAME), isFolder: true }]])
  const view = () => new DataView(buffer())
  const bytesAt = (at, size) => new Uint8Array(buffer(), at, size)
  const pathAt = (folder, at, size) => resolve(open.get(folder).path, decoder.decode(bytesAt(at, size)))

  // An error of Node.js becomes the number of WASI.
  const attempt = (fd, work) => {
    const file = open.get(fd)
    if (!file) return IS_NO_FILE
    try {
      return work(file) ?? DONE
    } catch ({ code }) {
      return CODES[code] ?? CODES.EIO
    }
  }

  const put = (path, makesFolder) => {
    const fd = fs.openSync(path, 'r')
    const isFolder = fs.fstatSync(fd).isDirectory()
    if (makesFolder && !isFolder) {
      fs.closeSync(fd)
      throw Object.assign(new Error(path), { code: 'ENOTDIR' })
    }
    let number = ROOT
    while (open.has(number)) ++number
    open.set(number, { path, fd, isFolder, at: 0 })
    return number
  }

  return {
    fd_prestat_get: (fd, at) => attempt(fd === ROOT ? fd : -1, () => {
      view().setUint32(at, 0, true)
      view().setUint32(at + 4, ROOT_NAME.length, true)
    }),
    fd_prestat_dir_name: (fd, at, size) => attempt(fd === ROOT ? fd : -1, () => {
      bytesAt(at, size).set(encoder.encode(ROOT_NAME).subarray(0, size))
    }),
    fd_fdstat_get: (fd, at) => attempt(fd, ({ isFolder }) => {
      bytesAt(at, 24).fill(0)
      view().setUint8(at, isFolder ? KIND.folder : KIND.file)
      view().setBigUint64(at + 8, ALL_RIGHTS, true)
      view().setBigUint64(at + 16, ALL_RIGHTS, true)
    }),
    fd_fdstat_set_flags: (fd) => attempt(fd, () => DONE),
    fd_filestat_get: (fd, at) => attempt(fd, (file) => writeFacts(view(), at, file.fd === undefined ? fs.statSync(file.path) : fs.fstatSync(file.fd))),
    path_filestat_get: (folder, flags, path, size, at) => attempt(folder, () => {
      const facts = (flags & FOLLOWS_LINKS ? fs.statSync : fs.lstatSync)(pathAt(folder, path, size))
      writeFacts(view(), at, facts)
    }),
    path_open: (folder, _, path, size, flags, _rights, _inherited, _fdFlags, at) => attempt(folder, () => {
      view().setUint32(at, put(pathAt(folder, path, size), (flags & OPENS_FOLDER) !== 0), true)
    }),
    fd_read: (fd, parts, count, read) => attempt(fd, (file) => {
      let total = 0
      for (let part = parts; part < parts + 8 * count; part += 8) {
        const room = bytesAt(view().getUint32(part, true), view().getUint32(part + 4, true))
        const size = room.length === 0 ? 0 : fs.readSync(file.fd, room, 0, room.length, file.at)
        file.at += size
        total += size
        if (size < room.length) break
      }
      view().setUint32(read, total, true)
    }),
    fd_seek: (fd, offset, from, at) => attempt(fd, (file) => {
      const base = [0, file.at, from === 2 ? fs.fstatSync(file.fd).size : 0][from]
      if (base === undefined || base + Number(offset) < 0) return IS_INVALID
      file.at = base + Number(offset)
      view().setBigUint64(at, BigInt(file.at), true)
    }),
    // The cookie of an entry is the number of the next one. An entry that has not enough room is cut: the module asks again.
    fd_readdir: (fd, at, size, cookie, used) => attempt(fd, (file) => {
      if (cookie === 0n) file.names = fs.readdirSync(file.path)
      let written = 0
      for (let number = Number(cookie); number < file.names.length && written < size; ++number) {
        const name = encoder.encode(file.names[number])
        const entry = new Uint8Array(ENTRY_BYTES + name.length)
        const facts = new DataView(entry.buffer)
        facts.setBigUint64(0, BigInt(number + 1), true)
        facts.setBigUint64(8, BigInt(number + 1), true) // 0 would mean that the entry is gone
        facts.setUint32(16, name.length, true)
        entry.set(name, ENTRY_BYTES)
        const part = entry.subarray(0, size - written)
        bytesAt(at + written, part.length).set(part)
        written += part.length
      }
      view().setUint32(used, written, true)
    }),
    fd_close: (fd) => attempt(fd, (file) => {
      open.delete(fd)
      if (file.fd !== undefined) fs.closeSync(file.fd)
    }),
  }
}

function writeFacts(view, at, facts) {
  const kind = facts.isFile() ? KIND.file : facts.isDirectory() ? KIND.folder : facts.isSymbolicLink() ? KIND.link : KIND.other
  const fields = [BigInt(facts.dev), BigInt(Math.trunc(facts.ino)), BigInt(kind), BigInt(facts.nlink), BigInt(facts.size)]
  fields.forEach((field, number) => view.setBigUint64(at + 8 * number, field, true))
  for (const [number, ms] of [facts.atimeMs, facts.mtimeMs, facts.ctimeMs].entries()) {
    view.setBigUint64(at + 40 + 8 * number, BigInt(Math.max(0, Math.round(ms * 1e6))), true)
  }
}

module.exports = { filesOf }
