// Stands in for a Docker engine: it answers the calls that Testcontainers makes for one container. Instead of a container, it runs
// the program on this machine. As a program, it prints its address, and at the end of its standard input what became of the containers.

import { execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** The environment with which Testcontainers finds an engine, and starts no container of its own. */
export const environmentOf = (engine) => ({ DOCKER_HOST: engine.address, TESTCONTAINERS_RYUK_DISABLED: 'true' })

/** Starts the engine. Returns {address, containers, stop()}: what it was asked to create, and what became of it. */
export async function startEngine(binary = process.env.HASHRANGE_BINARY) {
  const containers = []
  const server = createServer((request, response) => {
    answer(request, { binary, containers }).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }, (error) => {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ message: error.message }))
    })
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  const stop = async () => {
    await Promise.all(containers.map(remove))
    server.close()
    server.closeAllConnections()
  }
  return { address: `tcp://127.0.0.1:${server.address().port}`, containers, stop }
}

async function answer(request, engine) {
  const body = await bodyOf(request)
  const [, method, path] = /^(\w+) (?:\/v[\d.]+)?(\/[^?]*)/.exec(`${request.method} ${request.url}`)
  const [, number, action] = /^\/containers\/c(\d+)\/?(\w*)$/.exec(path) ?? []
  const container = engine.containers[number]
  switch (`${method} ${container ? `/${action}` : path}`) {
    case 'GET /info': return [200, { OSType: 'linux', OperatingSystem: 'a stand-in for Docker', ServerVersion: '1' }]
    case 'GET /containers/json': return [200, []]
    case 'POST /containers/create': return [201, create(engine, JSON.parse(body))]
    case 'PUT /archive': return [200, unpack(container, body)]
    case 'POST /start': return [204, await run(container, engine.binary)]
    case 'GET /json': return [200, inspect(container)]
    case 'POST /stop': return [204, await end(container)]
    case 'DELETE /': return [204, await remove(container)]
  }
  return path.startsWith('/images/') ? [200, {}] : [404, { message: `there is no ${method} ${path} here` }]
}

async function bodyOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

function create({ containers }, wanted) {
  containers.push({ wanted, number: containers.length, files: [], isHealthy: false })
  return { Id: `c${containers.length - 1}`, Warnings: [] }
}

// Files are unpacked where the server will look for them; remove() deletes them.
function unpack(container, archive) {
  const names = execFileSync('tar', ['-tvPf', '-'], { input: archive, encoding: 'utf8' }).trim().split('\n')
  const seeds = new Set(names.map((line) => /\/?tmp\/hashrange-seed-[\w-]+/.exec(line)?.[0]))
  if (seeds.has(undefined)) throw new Error(`these files are not for this container: ${names}`)
  container.files = names
  container.folders = [...seeds].map((folder) => folder.replace(/^\/?/, '/'))
  execFileSync('tar', ['-xf', '-', '-C', '/'], { input: archive, stdio: ['pipe', 'ignore', 'ignore'] })
}

async function run(container, binary) {
  const { Entrypoint: [, ...words], Cmd: more, Env } = container.wanted
  const env = { ...Object.fromEntries(Env.map((line) => line.split(/=(.*)/s))), PATH: process.env.PATH }
  const own = ['--port', '0', '--ready-fd', '3', `--exit-with-parent=${process.pid}`]
  container.child = spawn(binary, [...words, ...(more ?? []), ...own], { env, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  container.ended = new Promise((ended) => container.child.once('close', ended))
  const line = await Promise.race([container.ended.then(() => ''), new Promise((read) => container.child.stdio[3].once('data', read))])
  container.port = line ? new URL(JSON.parse(line).endpoint).port : undefined
  checkHealth(container, binary)
}

// As an engine does, at the intervals of the health check.
async function checkHealth(container, binary) {
  const { Test: [kind, name, ...words], Interval } = container.wanted.Healthcheck
  if (kind !== 'CMD' || name !== 'hashrange') throw new Error(`another health check: ${name}`)
  while (container.child.exitCode === null && !container.isHealthy) {
    await pause(Interval / 1_000_000)
    const check = spawn(binary, [...words, '--port', container.port], { stdio: 'ignore' })
    container.isHealthy = await new Promise((done) => check.once('close', (code) => done(code === 0)))
  }
}

function inspect({ wanted, number, port, isHealthy, child }) {
  const isRunning = child !== undefined && child.exitCode === null
  const ports = Object.fromEntries(Object.keys(wanted.ExposedPorts).map((name) => [name, [{ HostIp: '0.0.0.0', HostPort: port }]]))
  return { Id: `c${number}`, Name: `/c${number}`, Config: { Hostname: 'container', Labels: wanted.Labels },
    State: { Status: isRunning ? 'running' : 'exited', Running: isRunning, StartedAt: '', FinishedAt: '', Health: { Status: isHealthy ? 'healthy' : 'starting' } },
    NetworkSettings: { Ports: isRunning ? ports : {}, Networks: {} } }
}

async function end(container) {
  container.child?.kill('SIGTERM')
  await container.ended
}

async function remove(container) {
  await end(container)
  for (const folder of container.folders ?? []) rmSync(folder, { recursive: true, force: true })
  container.isRemoved = true
}

if (process.argv[1] === import.meta.filename) {
  const engine = await startEngine()
  console.log(engine.address)
  process.stdin.resume().once('end', async () => {
    for (const { wanted, isRemoved } of engine.containers) console.log(`${wanted.Image} was ${isRemoved ? 'stopped and removed' : 'left running'}`)
    await engine.stop()
  })
}
