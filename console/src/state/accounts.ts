// The accounts that have tables, and the names of Regions that the page suggests.

import { signal } from '@preact/signals'
import { control } from '../api/control'
import type { Account } from '../api/control-types'

/** Null until they are known. */
export const accounts = signal<readonly Account[] | null>(null)

/** Any other name of a Region is as good: the server takes each as a Region of its own. */
export const kRegions: readonly string[] = [
  'us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'sa-east-1', 'eu-central-1', 'eu-west-1', 'eu-west-2',
  'eu-west-3', 'eu-north-1', 'eu-south-1', 'ap-south-1', 'ap-northeast-1', 'ap-northeast-2', 'ap-southeast-1', 'ap-southeast-2'
]

export async function loadAccounts(): Promise<void> {
  const answer = await control('GET', 'accounts', undefined)
  if (answer.ok) accounts.value = answer.value.accounts
}
