// The key templates that a form can be filled by: one for each entity, and one for whole collections. Pure functions.

import type { KeyEntity } from '../api/control-types'
import type { QueryForm } from './request'
import type { KeyPlan } from './tables'
import { readFillings, sortCondition, type Filling } from './templates'

export interface KeyTemplate {
  /** As a URL has it. */
  name: string
  /** In the order of the plan's attributes; `range` is empty for whole collections. */
  hash: string[]
  range: string[]
  items: number
}

/** Returns a text for the URL that stays the same when the server numbers the entities anew. */
export function entityName(entity: KeyEntity): string {
  return Object.values(entity.key).join(' · ')
}

/** Returns the templates of the entities, and before the first one of each HASH template the one of whole collections. */
export function keyTemplatesOf(plan: KeyPlan, entities: readonly KeyEntity[]): KeyTemplate[] {
  const found: KeyTemplate[] = []
  const wholes = new Map<string, KeyTemplate>()
  for (const entity of entities) {
    const all = (part: 'hash' | 'range') => plan[part].flatMap(({ name }) => (Object.hasOwn(entity.key, name) ? [entity.key[name]!] : []))
    const template = { name: entityName(entity), hash: all('hash'), range: all('range'), items: entity.items }
    if (template.hash.length !== plan.hash.length || template.range.length !== plan.range.length) continue
    const name = template.hash.join(' · ')
    const whole = wholes.get(name)
    if (whole) whole.items += entity.items
    else if (!meansWhole(plan, template)) {
      wholes.set(name, { name, hash: template.hash, range: [], items: entity.items })
      found.push(wholes.get(name)!)
    }
    found.push(template)
  }
  return found
}

/** Returns whether a template sets no condition on the sort key. */
function meansWhole(plan: KeyPlan, { range }: KeyTemplate): boolean {
  return range.every((template, at) => sortCondition(template, [], plan.range[at]!.type) === undefined)
}

/**
 * Returns the template that says the most of the key in a form, and what its blanks hold: that of an item where the form has
 * its whole key, else that of whole collections. `name`: only the template with this name.
 */
export function templateOfForm(
  templates: readonly KeyTemplate[], plan: KeyPlan, form: QueryForm, name?: string
): { template: KeyTemplate; fillings: Filling[] } | undefined {
  const range = form.range.filter(({ operator }) => operator === '=').map(({ values }) => values[0] ?? '')
  const fits = templates.flatMap((template) => {
    if (name !== undefined && template.name !== name) return []
    const hash = fillingsOf(template.hash, form.hash)
    // A link to a template may leave its blanks open.
    if (!hash) return name !== undefined && form.hash.every((text) => text === '') ? [{ template, fillings: [], said: 0 }] : []
    if (range.length > 0) {
      const rest = range.length === template.range.length ? fillingsOf(template.range, range) : undefined
      return rest ? [{ template, fillings: [...hash, ...rest], said: 2 }] : []
    }
    return name !== undefined || meansWhole(plan, template) ? [{ template, fillings: hash, said: template.range.length === 0 ? 1 : 0 }] : []
  })
  return fits.sort((a, b) => b.said - a.said)[0]
}

function fillingsOf(templates: readonly string[], texts: readonly string[]): Filling[] | undefined {
  const found = templates.map((template, at) => readFillings(template, texts[at] ?? ''))
  return found.every((each) => each !== undefined) ? found.flat() : undefined
}
