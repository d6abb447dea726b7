// The types of the control API. Those of bodies, queries and answers are made from the rows of
// src/control/routes.def by scripts/update-control-types.

export type * from '../../../clients/js/control-api'
