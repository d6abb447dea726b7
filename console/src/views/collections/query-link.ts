// From the board to the query view: a link with the index, the template and the values filled in.

import type { KeyEntity } from '../../api/control-types'
import type { Key } from '../../api/values'
import { hrefOf } from '../../frame/routes'
import { entityName } from '../../model/template-choice'
import type { Source } from './item-store'

/** Returns the URL of a Query of a collection (`key`: its HASH attributes), of an entity, or of both; of neither: of the table or the index. */
export function queryHref(source: Source, { key, entity }: { key?: Key; entity?: KeyEntity | undefined }): string {
  const parameters = {
    index: source.index?.IndexName,
    key: key && JSON.stringify(key),
    template: entity && entityName(entity),
    // Without any of them, the view would show what was asked last.
    form: source.index || key || entity ? undefined : '{}'
  }
  return hrefOf({ view: 'query', parameters })
}
