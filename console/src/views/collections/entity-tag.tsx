// An entity as a quiet tag, in its colour: the templates of its key.

import type { KeyEntity } from '../../api/control-types'
import { DataText } from '../../ui/item-value'
import { hueClass, templateParts } from './entities'

/** A template with its placeholders set back: "ORDER#{date}". */
export function TemplateText({ template }: { template: string }) {
  return (
    <>
      {templateParts(template).map((part) =>
        part.is_placeholder ? <span class="placeholder"><DataText text={part.text} max_length={60} /></span> : <DataText text={part.text} max_length={60} />)}
    </>
  )
}

/** `names`: the key attributes whose templates the tag shows; the others are clear from where it stands. */
export function EntityTag({ entity, names, count }: { entity: KeyEntity | undefined; names: readonly string[]; count?: number }) {
  const shown = entity ? names.filter((name) => Object.hasOwn(entity.key, name)) : []
  return (
    <span class={`tag entity-tag ${hueClass(entity)}`} title={entity ? Object.entries(entity.key).map(([name, template]) => `${name} ${template}`).join(', ') : 'No template fits'}>
      {shown.length === 0 && (entity ? 'item' : 'other')}
      {shown.map((name, i) => (
        <>
          {i > 0 && ' · '}
          <TemplateText template={entity!.key[name]!} />
        </>
      ))}
      {count !== undefined && <span class="tag-count">{count.toLocaleString('en')}</span>}
    </span>
  )
}
