// The answers of operations, in a form in which tests compare them as a whole.

import { expect } from 'vitest'
import { isAws } from './endpoint.js'

const INDEX_DELAY_MS = 20_000

/** Returns the answer's body: everything but the SDK's own metadata. */
export async function answer(promise) {
  const { $metadata, ...body } = await promise
  return body
}

/** Returns the error that an operation answers. Throws if the operation succeeds. */
export async function failure(promise) {
  let body
  try {
    body = await promise
  } catch (error) {
    const { name, message, Item, CancellationReasons, $metadata } = error
    return withoutAbsent({ name, message, status: $metadata?.httpStatusCode, Item, CancellationReasons })
  }
  throw new Error(`expected an error, got ${JSON.stringify(body)}`)
}

const refusal = (name) => (message, members = {}) => ({ name, message, status: 400, ...members })

export const validation = refusal('ValidationException')
export const notFound = (message = 'Requested resource not found') => refusal('ResourceNotFoundException')(message)
export const inUse = refusal('ResourceInUseException')
export const conditionFailed = (Item) =>
  refusal('ConditionalCheckFailedException')('The conditional request failed', Item ? { Item } : {})
export const mismatch = refusal('IdempotentParameterMismatchException')

/** `cancelled('None', 'ConditionalCheckFailed')`, or whole reasons in place of codes. */
export function cancelled(...reasons) {
  const texts = { ConditionalCheckFailed: 'The conditional request failed' }
  const CancellationReasons = reasons.map((reason) =>
    typeof reason === 'string' ? withoutAbsent({ Code: reason, Message: texts[reason] }) : reason)
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ')
  return refusal('TransactionCanceledException')(
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`, { CancellationReasons })
}

/** Returns the page of a Query or Scan whose filter dropped no item. */
export const page = (Items, LastEvaluatedKey) =>
  withoutAbsent({ Items, Count: Items.length, ScannedCount: Items.length, LastEvaluatedKey })

/** Asserts the answer of `read`: at once, or on AWS after some time, because global indexes follow their table later. */
export async function expectAnswer(read, expected) {
  const deadline = Date.now() + (isAws ? INDEX_DELAY_MS : 0)
  for (;;) {
    const actual = await answer(read())
    try {
      expect(actual).toEqual(expected)
      return
    } catch (difference) {
      if (Date.now() >= deadline) throw difference
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

export function withoutAbsent(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
