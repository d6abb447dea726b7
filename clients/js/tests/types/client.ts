// Code with clients of the AWS SDK and with containers that the declarations must accept. It is compiled, never run.

import { DynamoDB, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { connection, pattern } from '@hashrange/testing'
import { HashrangeContainer } from '@hashrange/testing/testcontainers'

const client = new DynamoDBClient(connection())
pattern('the tables', client, () => client.send(new ListTablesCommand())).then(({ TableNames }) => TableNames?.length)
pattern('the tables', new DynamoDB(), async () => 7).then((seven) => seven.toFixed())

const container = new HashrangeContainer('hashrange', { seed: './seed', args: ['--shared'], token: 'secret', setup: (seed) => seed.id })
container.withStartupTimeout(60_000).start().then(async (started) => {
  await new DynamoDBClient((await started.account(2)).connection()).send(new ListTablesCommand())
  Object.assign(process.env, started.environment())
  return [started.endpoint.length, started.token.length, started.seed.id, (await started.stop()).getId()]
})
// @ts-expect-error
new HashrangeContainer('hashrange', { binary: '/bin/hashrange' })
