// The account, Region and table that the page shows. The URL decides: see frame/routes.ts.

import { computed } from '@preact/signals'
import { route } from '../frame/routes'

export type { Place } from '../frame/routes'

const place_text = computed(() => JSON.stringify(route.value.place))

/** Changes only when the account, the Region or the table is another. */
export const place = computed(() => JSON.parse(place_text.value) as typeof route.value.place)
