// The DynamoDB API of the server that served this page.

import type { Answer, CallOptions } from './answer'
import { noteOwnRequest } from '../state/own-requests'
import { parseJson, unansweredError } from './answer'

export interface Owner {
  account: string
  region: string
}

/**
 * Makes a call of the DynamoDB API, or of DynamoDB Streams, in an account and Region.
 * Numbers of AttributeValues are strings on the wire, so that no digit is lost.
 */
export async function call<Output = Record<string, unknown>>(
  owner: Owner,
  operation: string,
  input: object,
  options: CallOptions = {}
): Promise<Answer<Output>> {
  const epoch_ms = Date.now()
  const answer = await send<Output>(owner, operation, input, options)
  if (!options.signal?.aborted) noteOwnRequest(owner, operation, input, epoch_ms, answer)
  return answer
}

async function send<Output>(owner: Owner, operation: string, input: object, options: CallOptions): Promise<Answer<Output>> {
  const service = kStreamOperations.has(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810'
  try {
    const response = await fetch('/', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': `${service}.${operation}`,
        // The server takes the account and the Region from the Credential, and checks no signature.
        'X-Amz-Date': '20260101T000000Z',
        Authorization:
          `AWS4-HMAC-SHA256 Credential=${owner.account}/20260101/${owner.region}/dynamodb/aws4_request, ` +
          'SignedHeaders=host, Signature=0'
      },
      body: JSON.stringify(input),
      ...(options.signal && { signal: options.signal })
    })
    const body = parseJson(await response.text())
    if (response.ok && body !== undefined) return { ok: true, value: body as Output }
    const members = (body ?? {}) as { __type?: string; message?: string; Message?: string; error?: string }
    return {
      ok: false,
      error: {
        type: members.__type?.split('#').pop() ?? '',
        message: members.message ?? members.Message ?? members.error ?? `The server answered ${response.status}.`,
        status: response.status,
        body
      }
    }
  } catch (thrown) {
    return { ok: false, error: unansweredError(thrown) }
  }
}

const kStreamOperations = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'])
