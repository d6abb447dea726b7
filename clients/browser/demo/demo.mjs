// The demo: items of a table through the AWS SDK, and a run of the lab. Nothing leaves the page.

import { DynamoDBClient, PutItemCommand, QueryCommand, CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { openDatabase, runLab } from '@hashrange/browser'
import example from './orders.yaml?raw'

const find = (selector) => document.querySelector(selector)
const valuesOf = (form) => Object.fromEntries(new FormData(form))

const db = await openDatabase({ setup: createTable })
const client = new DynamoDBClient({ ...db.connection(), maxAttempts: 1 })

async function createTable(seed) {
  await new DynamoDBClient(seed.connection()).send(new CreateTableCommand({
    TableName: 'orders',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['customer', 'order'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'customer', KeyType: 'HASH' }, { AttributeName: 'order', KeyType: 'RANGE' }],
  }))
}

async function put({ customer, order, total, isNew }) {
  await client.send(new PutItemCommand({
    TableName: 'orders',
    Item: { customer: { S: customer }, order: { S: order }, total: { N: total } },
    ...(isNew && { ConditionExpression: 'attribute_not_exists(customer)' }),
  }))
  return `The order ${order} of ${customer} is stored.`
}

async function query({ customer, prefix }) {
  const { Items } = await client.send(new QueryCommand({
    TableName: 'orders',
    KeyConditionExpression: prefix ? 'customer = :customer AND begins_with(#order, :prefix)' : 'customer = :customer',
    ExpressionAttributeValues: { ':customer': { S: customer }, ...(prefix && { ':prefix': { S: prefix } }) },
    ...(prefix && { ExpressionAttributeNames: { '#order': 'order' } }),
  }))
  show(Items)
  return `${customer} has ${Items.length} such ${Items.length === 1 ? 'order' : 'orders'}.`
}

function show(items) {
  find('tbody').replaceChildren(...items.map(({ order, total }) => {
    const row = document.createElement('tr')
    for (const text of [order.S, total.N]) row.insertCell().textContent = text
    return row
  }))
  find('table').hidden = items.length === 0
}

/** Lets a form do `work` with its values, and shows the sentence that comes of it. */
function answer(form, place, work) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const said = await work(valuesOf(form)).then((text) => ({ text }), ({ name, message }) => ({ problem: `${name}: ${message}` }))
    place.textContent = said.text ?? said.problem
    place.classList.toggle('failed', said.problem !== undefined)
  })
}

const lab = { form: find('#lab'), stop: find('#stop'), progress: find('progress'), page: find('iframe'), details: find('details') }

async function run({ file }) {
  const ends = new AbortController()
  const begun = performance.now()
  const button = lab.form.querySelector('button')
  lab.stop.onclick = () => ends.abort()
  button.disabled = true
  lab.stop.disabled = false
  find('#verdict').textContent = 'The lab runs …'
  try {
    const { text, html } = await runLab(file, { html: true, noConfirm: true, signal: ends.signal, onProgress: (done) => (lab.progress.value = done) })
    lab.progress.value = 1
    lab.page.srcdoc = html
    lab.details.querySelector('pre').textContent = text
    lab.page.hidden = lab.details.hidden = false
    return `The run took ${((performance.now() - begun) / 1000).toFixed(1)} s.`
  } finally {
    button.disabled = false
    lab.stop.disabled = true
  }
}

answer(find('#put'), find('#answer'), put)
answer(find('#query'), find('#answer'), query)
answer(lab.form, find('#verdict'), run)
lab.form.elements.file.value = example
document.body.dataset.isReady = 'true'
