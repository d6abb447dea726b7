// The sum of bytes in the header x-amz-crc32, for hosts that have no function for it.

'use strict'

let table // byte -> its rest

function tableOf() {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte
    for (let bit = 0; bit < 8; ++bit) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0)
    return rest
  })
}

function tableCrc32(bytes) {
  table ??= tableOf()
  let rest = 0xffffffff
  for (const byte of bytes) rest = (rest >>> 8) ^ table[(rest ^ byte) & 255]
  return ~rest >>> 0
}

module.exports = { tableCrc32 }
