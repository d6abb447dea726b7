// Short functions that make AttributeValues.

export const S = (text) => ({ S: text })
export const N = (number) => ({ N: String(number) })
export const B = (...bytes) => ({ B: Uint8Array.from(bytes) })
export const BOOL = (truth) => ({ BOOL: truth })
export const NULL = { NULL: true }
export const L = (...members) => ({ L: members })
export const M = (members) => ({ M: members })
export const SS = (...members) => ({ SS: members })
export const NS = (...members) => ({ NS: members.map(String) })
export const BS = (...members) => ({ BS: members.map((bytes) => Uint8Array.from(bytes)) })

/** Returns a string within `levels` maps of one key each. */
export const nested = (levels) => (levels === 0 ? S('deep') : M({ m: nested(levels - 1) }))
