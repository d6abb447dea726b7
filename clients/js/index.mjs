import testing from './index.cjs'

export const {
  Account, ControlError, account, clock, connection, control, faults, fork, hold, measure, pattern, requests, reset, restore, snapshot, start,
} = testing
