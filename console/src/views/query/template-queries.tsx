// Beside a Scan: the Queries that key templates offer for what it asks equality for, where their collections exist.
//
// A Scan asks customer = "u00001", and a template of the table's key is USER#{…}: the collection USER#u00001 may be what is meant.

import { useEffect, useState } from 'preact/hooks'
import type { Place } from '../../frame/routes'
import { buildRequest, type Equalities, type QueryForm } from '../../model/request'
import type { TablePlan } from '../../model/tables'
import { kPriceBasis, usdPerMillion, usdText } from '../../model/price'
import { offeredKeys, type OfferedKey } from '../../model/templates'
import { Button } from '../../ui/button'
import { countOf } from '../../ui/figures'
import { DataText } from '../../ui/item-value'
import { keyTemplates, needKeyTemplates } from './key-templates'
import { explain } from './run'

interface Offer {
  key: OfferedKey
  items: number
  has_more: boolean
  units: number
}

// The reader is still typing the value before this time.
const kPauseMs = 250

export function TemplateQueries({ place, table, form, equalities, onChoose }: {
  place: Place; table: TablePlan; form: QueryForm; equalities: Equalities; onChoose: (form: QueryForm) => void
}) {
  const [offers, setOffers] = useState<readonly Offer[]>([])
  const plans = [table.table, ...table.indexes]
  useEffect(() => {
    if (equalities.size > 0) for (const plan of plans) void needKeyTemplates(place, plan.index ?? '')
  }, [place, equalities.size > 0])
  const keys = plans.flatMap((plan) => offeredKeys(plan, keyTemplates(place, plan.index ?? '').entities.map(({ key }) => key), equalities))
  useEffect(() => {
    let is_wanted = true
    const timer = setTimeout(async () => {
      const found = await Promise.all(keys.map((key) => offerOf(place, table, form, key)))
      if (is_wanted) setOffers(found.filter((offer) => offer !== undefined))
    }, kPauseMs)
    return () => {
      is_wanted = false
      clearTimeout(timer)
    }
  }, [JSON.stringify([keys, form])])
  // While the reader types, offers for the value before are gone.
  const wanted = new Set(keys.map((key) => JSON.stringify(key)))
  const shown = offers.filter(({ key }) => wanted.has(JSON.stringify(key)))
  if (shown.length === 0) return null
  return (
    <>
      <p>Key templates have this value. A Query of a key reads only its items; it does without the filter that the key stands for. The prices are of a million such Queries, {kPriceBasis}:</p>
      <ul class="offers">
        {shown.map((offer) => (
          <li key={offer.key.index + offer.key.value + offer.key.begins_with}>
            <Button onClick={() => onChoose(formOfOffer(form, offer.key))}>
              <span>Query {offer.key.index && `${offer.key.index} `}<DataText text={offer.key.value} max_length={60} />{offer.key.begins_with && <> · <DataText text={offer.key.begins_with} max_length={60} />…</>}</span>
            </Button>{' '}
            {countOf(offer.items, 'item')}{offer.has_more && ' on its first page'}, {usdText(usdPerMillion([{ read_units: offer.units, write_units: 0 }], table.has_infrequent_access))}
          </li>
        ))}
      </ul>
    </>
  )
}

function formOfOffer(form: QueryForm, key: OfferedKey): QueryForm {
  return {
    ...form, index: key.index, hash: [key.value], is_consistent: false,
    range: key.begins_with ? [{ operator: 'begins_with', values: [key.begins_with] }] : [],
    filters: form.filters.filter((filter) => filter.path.trim() !== key.attribute)
  }
}

/** Returns the Query of a key with what it costs; undefined where no item has the key. */
async function offerOf(place: Place, table: TablePlan, form: QueryForm, key: OfferedKey): Promise<Offer | undefined> {
  const { input, problems } = buildRequest({ ...formOfOffer(form, key), limit: '' }, table)
  if (problems.length > 0) return undefined
  const told = await explain(place, 'Query', input)
  const access = told.ok ? told.value.accesses[0] : undefined
  if (!told.ok || !access?.items_examined) return undefined
  return { key, items: access.items_examined, has_more: access.has_more === true, units: told.value.read_units }
}
