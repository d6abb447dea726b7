// A small shop in one table, as a designer draws it: users with their orders and addresses, orders with
// their items, products; orders by their status in GSI1, which projects only some attributes.

const kStatuses = ['open', 'paid', 'sent']

export const kShopTable = {
  TableName: 'shop',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
  GlobalSecondaryIndexes: [{
    IndexName: 'GSI1',
    KeySchema: [{ AttributeName: 'GSI1PK', KeyType: 'HASH' }, { AttributeName: 'GSI1SK', KeyType: 'RANGE' }],
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['total', 'status'] }
  }]
}

/** Returns the items of a number of users: plain JSON, one item in each line. */
export function shopItems(users = 60) {
  const items = []
  for (let u = 0; u < users; ++u) {
    const user = `USER#u${String(u).padStart(4, '0')}`
    items.push({ PK: user, SK: 'PROFILE', Type: 'user', name: `User ${u}`, email: `u${u}@example.com`, age: 20 + (u % 50), tags: ['new', 'eu'] })
    items.push({ PK: user, SK: 'ADDRESS#home', Type: 'address', street: `Main Street ${u}`, city: u % 2 ? 'Berlin' : 'Paris' })
    for (let o = 0; o < 3; ++o) {
      const id = `o${String(u * 3 + o).padStart(5, '0')}`
      const date = `2026-${String(1 + ((u + o) % 12)).padStart(2, '0')}-${String(1 + ((u * 7 + o) % 28)).padStart(2, '0')}`
      const status = kStatuses[(u + o) % 3]
      items.push({ PK: user, SK: `ORDER#${date}#${id}`, Type: 'order', total: 10 + o + u / 100, status })
      items.push({
        PK: `ORDER#${id}`, SK: 'META', Type: 'order', GSI1PK: `STATUS#${status}`, GSI1SK: `ORDER#${date}#${id}`, total: 10 + o + u / 100, status,
        customer: user, note: 'Leave it at the door'
      })
      items.push({ PK: `ORDER#${id}`, SK: 'ITEM#1', Type: 'item', product: `PRODUCT#p${o}`, quantity: o + 1, options: { colour: 'green', sizes: ['S', 'M'] } })
    }
  }
  return items.map((item) => JSON.stringify(item)).join('\n')
}

/** Makes the table and its items on a server of a story. */
export async function seedShop(server, users) {
  await server.control('POST', 'seed', { table: 'shop', format: 'json', definition: kShopTable, data: shopItems(users) })
}
