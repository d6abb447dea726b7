// Code with clients of the AWS SDK that the declarations must accept. It is compiled, never run.

import { DynamoDB, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { connection, pattern } from '@hashrange/testing'

const client = new DynamoDBClient(connection())
pattern('the tables', client, () => client.send(new ListTablesCommand())).then(({ TableNames }) => TableNames?.length)
pattern('the tables', new DynamoDB(), async () => 7).then((seven) => seven.toFixed())
