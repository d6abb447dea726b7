// Document paths as people type them, "address.lines[0]" or "\"a.b\".c", and the placeholders of expressions. Pure functions.

import { attributeOf, type AttributeValue, type Item } from '../api/values'

export type Path = (string | number)[]

const kStep = /"(?:[^"]|"")*"|\[\d{1,9}\]|[^".[\]]+|\./y

/** Returns the steps of a path; undefined where the text is no path. A name with a dot, bracket or quote stands in double quotes. */
export function parsePath(text: string): Path | undefined {
  const path: Path = []
  let is_name_expected = true
  kStep.lastIndex = 0
  while (kStep.lastIndex < text.length) {
    const step = kStep.exec(text)?.[0]
    if (step === undefined) return undefined
    if (step === '.') {
      if (is_name_expected) return undefined
      is_name_expected = true
    } else if (step.startsWith('[')) {
      if (is_name_expected) return undefined
      path.push(Number(step.slice(1, -1)))
    } else {
      if (!is_name_expected) return undefined
      path.push(step.startsWith('"') ? step.slice(1, -1).replaceAll('""', '"') : step)
      is_name_expected = false
    }
  }
  return is_name_expected ? undefined : path
}

/** Returns the value at a path of an item; undefined where there is none. */
export function valueAt(item: Item, path: Path): AttributeValue | undefined {
  return path.reduce<AttributeValue | undefined>((value, step) => {
    if (typeof step === 'number') return value && 'L' in value ? value.L[step] : undefined
    return value && 'M' in value ? attributeOf(value.M, step) : undefined
  }, { M: item })
}

/** Returns the text that `parsePath` reads as this path. */
export function printPath(path: Path): string {
  return path.map((step, at) => {
    if (typeof step === 'number') return `[${step}]`
    const name = step === '' || /[".[\]]/.test(step) ? `"${step.replaceAll('"', '""')}"` : step
    return at === 0 ? name : `.${name}`
  }).join('')
}

/**
 * The placeholders of one request. Every name has one, so no reserved word and no odd character matters; they are made from the
 * names, so that a request can be read: "#PK = :PK".
 */
export class Placeholders {
  readonly names = new Map<string, string>()
  readonly values = new Map<string, AttributeValue>()

  /** Returns the placeholder of an attribute's name. */
  name(name: string): string {
    for (const [placeholder, known] of this.names) if (known === name) return placeholder
    const placeholder = unused('#', name, this.names)
    this.names.set(placeholder, name)
    return placeholder
  }

  path(path: Path): string {
    return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : (at === 0 ? '' : '.') + this.name(step))).join('')
  }

  /** Returns the placeholder of a value; `hint` is the name of the attribute that the value is compared with. */
  value(value: AttributeValue, hint: string): string {
    const placeholder = unused(':', hint, this.values)
    this.values.set(placeholder, value)
    return placeholder
  }

  /** Returns the two members of a request; a member without content is left out. */
  members(): { ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues?: Record<string, AttributeValue> } {
    return {
      ...(this.names.size > 0 && { ExpressionAttributeNames: Object.fromEntries(this.names) }),
      ...(this.values.size > 0 && { ExpressionAttributeValues: Object.fromEntries(this.values) }),
    }
  }
}

function unused(sign: string, name: string, taken: ReadonlyMap<string, unknown>): string {
  const stem = sign + (name.replace(/[^A-Za-z0-9_]/g, '').slice(0, 40) || 'a')
  let placeholder = stem
  for (let number = 2; taken.has(placeholder); number += 1) placeholder = `${stem}_${number}`
  return placeholder
}
