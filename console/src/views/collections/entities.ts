// Entities: which entity an item is of, by the templates of its key, and how entities are shown.
//
// The server finds the templates (docs/control-api.md): "ORDER#{date}#{…}" is literal tokens and
// placeholders in braces, each of which stands for the text of one token.

import type { KeyEntity } from '../../api/control-types'
import { attributeOf, type Item } from '../../api/values'
import { parseTemplate } from '../../model/templates'

/** How many quiet colours there are: frame/theme.css. */
const kHues = 8

/** Returns the class of the entity's colour. The last colour is for items of no entity. */
export function hueClass(entity: KeyEntity | undefined): string {
  return `hue-${entity ? entity.entity % (kHues - 1) : kHues - 1}`
}

/** Returns the parts of a template: "ORDER#", "{date}", "#", "{…}". */
export function templateParts(template: string): { text: string; is_placeholder: boolean }[] {
  return parseTemplate(template).map(({ text, is_blank }) => ({ text: is_blank ? `{${text}}` : text, is_placeholder: is_blank }))
}

/** Returns the literal beginning of a template; the whole template when it has no placeholder. */
export function literalPrefix(template: string): string {
  const at = templateParts(template).findIndex((part) => part.is_placeholder)
  return templateParts(template).slice(0, at < 0 ? undefined : at).map((part) => part.text).join('')
}

export function hasPlaceholder(template: string): boolean {
  return templateParts(template).some((part) => part.is_placeholder)
}

/** Returns a function that finds the entity of an item; undefined for an item whose key fits no template. */
export function entityFinder(entities: readonly KeyEntity[]): (item: Item) => KeyEntity | undefined {
  const patterns = entities
    .map((entity) => ({
      entity,
      literal_length: Object.values(entity.key).reduce((sum, template) => sum + literalLength(template), 0),
      parts: Object.entries(entity.key).map(([name, template]) => ({ name, pattern: patternOf(template) }))
    }))
    // A key that fits several templates is of the one that says most.
    .sort((a, b) => b.literal_length - a.literal_length)
  return (item) =>
    patterns.find(({ parts }) =>
      parts.every(({ name, pattern }) => {
        const value = attributeOf(item, name)
        if (value === undefined) return false
        return 'S' in value ? pattern.text.test(value.S) : pattern.is_whole_placeholder
      }))?.entity
}

function literalLength(template: string): number {
  return templateParts(template).reduce((sum, part) => sum + (part.is_placeholder ? 0 : part.text.length), 0)
}

// A placeholder ends where the literal behind it begins. It may have a colon, as a time has some.
function patternOf(template: string): { text: RegExp; is_whole_placeholder: boolean } {
  const parts = templateParts(template)
  const text = parts.map((part, i) => {
    if (!part.is_placeholder) return escaped(part.text)
    const next = parts[i + 1]
    return next && !next.is_placeholder ? `[^${escaped(next.text[0]!)}]*` : '[^#/|]*'
  })
  return { text: new RegExp(`^${text.join('')}$`, 's'), is_whole_placeholder: parts.length === 1 && parts[0]!.is_placeholder }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
