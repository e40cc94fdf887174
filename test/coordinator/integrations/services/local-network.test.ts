import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { EgressClient } from '../../../../src/coordinator/egress/egress-client.js'
import { sendToSocket } from '../../../../src/coordinator/integrations/webhooks/deliveries/send-to-socket.js'
import { onFinished, openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { HookReceiver } from '../../ci/signals/hook-receiver.js'
import { type Body, openScene } from './scene.js'

const LOCAL = 'http://127.0.0.1:1/owner/name'
const account = { username: 'x', password: 'x' }

const withoutLocalNetwork = openForFile(() =>
  openScene(undefined, { settings: { egress: { allowLocalNetwork: false } } }),
)

test.each<[string, Body]>([
  ['jira', { url: LOCAL, ...account }],
  ['jira', { url: 'https://192.0.2.1', api_url: LOCAL, ...account }],
  ['teamcity', { teamcity_url: LOCAL, build_type: 'x', ...account }],
  ['bamboo', { bamboo_url: LOCAL, build_key: 'x', ...account }],
  ['drone-ci', { drone_url: LOCAL, token: 'x' }],
  ['hipchat', { server: LOCAL, token: 'x' }],
  ['matrix', { hostname: LOCAL, token: 'x', room: 'x' }],
  ['github', { repository_url: LOCAL, token: 'x' }],
  ['irker', { recipients: 'irc://irc.example.com/x', server_host: '127.0.0.1' }],
  ['irker', { recipients: 'irc://irc.example.com/x' }],
])('%s is not set to an address of the local network', async (slug, values) => {
  const { call, P } = withoutLocalNetwork()
  const [status, { error }] = await call(`PUT ${P}/integrations/${slug}`, values)
  expect([status, error]).toEqual([422, 'Url is blocked: Requests to localhost are not allowed'])
})

/** A server on loopback, and how many connections it got. */
async function startServer() {
  const connections: unknown[] = []
  const server = createServer((socket) => {
    connections.push(socket)
    socket.end('nobody reads this')
    socket.on('error', () => {}).resume()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onFinished(() => new Promise<void>((done) => server.close(() => done())))
  return { port: (server.address() as AddressInfo).port, connections }
}

test.each(['127.0.0.1', 'localhost'])(
  'nothing is sent to a socket of the local network: %s',
  async (host) => {
    const { port, connections } = await startServer()
    const closed = new EgressClient({ allowLocalNetwork: false })
    const open = new EgressClient({ allowLocalNetwork: true })
    onFinished(() => Promise.all([closed.close(), open.close()]).then(() => {}))
    expect(await sendToSocket(closed, { host, port, body: 'x\n' })).toMatchObject({
      kind: 'failed',
      isWorthRetrying: false,
    })
    expect(connections).toHaveLength(0)
    if (host === '127.0.0.1')
      expect(await sendToSocket(open, { host, port, body: 'x\n' })).toMatchObject({ kind: 'sent' })
  },
)

test('a socket that is not open, and a host that is none, are failures', async () => {
  const egress = new EgressClient({ allowLocalNetwork: true })
  onFinished(() => egress.close())
  for (const host of ['127.0.0.1', 'no host', '']) {
    expect(await sendToSocket(egress, { host, port: 1, body: 'x' })).toMatchObject({
      kind: 'failed',
      isWorthRetrying: true,
    })
  }
})

testAtNight('a response of a tracker that leads elsewhere is not followed', async () => {
  const { ok, P, call } = await openScene()
  const [jira, other] = [await HookReceiver.start(), await HookReceiver.start()]
  jira.respond = (response) => {
    response.statusCode = 302
    response.setHeader('Location', `${other.url}/rest/api/2/serverInfo`)
    response.end()
  }
  await ok(`PUT ${P}/integrations/jira`, { url: jira.url, ...account })
  expect(await call(`POST ${P}/integrations/jira/test`)).toEqual([201, {}])
  expect([jira.received.length, other.received.length]).toEqual([1, 0])
})
