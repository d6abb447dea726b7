import testing from './index.cjs'

export const {
  Account, ControlError, account, clock, connection, control, faults, fork, hold, requests, reset, restore, snapshot, start,
} = testing
