import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { createLogger } from '../../../../src/lib/logger.js'
import { createCluster } from '../../../../src/runner/executor/kubernetes/cluster/create-cluster.js'
import { podOf, runPod, startCluster } from '../../../support/kubernetes/cluster-on-server.js'
import { onFinished } from '../../../support/lifetime.js'

const NEVER = new AbortController().signal

test('pods are created, read, listed by label and deleted', async () => {
  const { cluster, server } = await startCluster()
  expect(await cluster.readPod('ci', 'p')).toBeUndefined()
  const created = await cluster.createPod('ci', podOf('p'))
  expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date)
  expect(await cluster.readPod('ci', 'p')).toMatchObject({ metadata: { uid: created.metadata?.uid } })
  const names = async (selector: string) =>
    (await cluster.listPods('ci', selector)).map(({ metadata }) => metadata?.name)
  expect(await names('runner=r1')).toEqual(['p'])
  expect(await names('runner=r2')).toEqual([])
  await cluster.deletePod('ci', 'p', { uid: 'that-of-another-pod' })
  expect(server.pods.get('ci', 'p').metadata.deletionTimestamp).toBeUndefined()
  await cluster.deletePod('ci', 'p', { uid: created.metadata?.uid, graceSeconds: 0 })
  expect(await cluster.readPod('ci', 'p')).toBeUndefined()
  await cluster.deletePod('ci', 'p', {})
})

test('a secret is created, and deleted with the pod that owns it', async () => {
  const { cluster, server } = await startCluster()
  const { metadata: pod } = await cluster.createPod('ci', podOf('p'))
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: pod?.uid ?? '' }
  const metadata = { name: 's', ownerReferences: [owner] }
  await cluster.createSecret('ci', { metadata, type: 'Opaque', stringData: { key: 'value' } })
  expect(server.secrets.get('ci', 's')).toMatchObject({ type: 'Opaque', stringData: { key: 'value' } })
  await cluster.deletePod('ci', 'p', { graceSeconds: 0 })
  expect(server.secrets.all()).toEqual([])
})

test('the log of a container is read from its beginning to its end', async () => {
  const scene = await startCluster()
  await runPod(scene, 'p', 'echo one; echo two >&2; read -r line < /dev/null; exec sleep 0.1')
  const place = { namespace: 'ci', pod: 'p', container: 'build' }
  let text = ''
  for await (const chunk of await scene.cluster.logs(place, NEVER)) text += chunk.toString()
  expect(text.split('\n').toSorted()).toEqual(['', 'one', 'two'])
})

test('the signal ends the log of a container that runs', async () => {
  const scene = await startCluster()
  await runPod(scene, 'p', 'echo one; exec sleep 1000')
  const controller = new AbortController()
  const place = { namespace: 'ci', pod: 'p', container: 'build' }
  const chunks: string[] = []
  for await (const chunk of await scene.cluster.logs(place, controller.signal)) {
    chunks.push(chunk.toString())
    controller.abort()
  }
  expect(chunks).toEqual(['one\n'])
})

test('a log that is cut is an error', async () => {
  const scene = await startCluster()
  await runPod(scene, 'p', 'echo one; exec sleep 1000')
  const place = { namespace: 'ci', pod: 'p', container: 'build' }
  const chunks = (await scene.cluster.logs(place, NEVER))[Symbol.asyncIterator]()
  expect(await chunks.next()).toEqual({ done: false, value: Buffer.from('one\n') })
  scene.server.cutConnections()
  await expect(chunks.next()).rejects.toMatchObject({ name: 'ClusterError', isAway: true })
})

test('a log is read from a given second', async () => {
  const scene = await startCluster()
  await runPod(scene, 'p', 'echo one')
  const place = { namespace: 'ci', pod: 'p', container: 'build' }
  const read = async (since?: Date) => {
    let text = ''
    for await (const chunk of await scene.cluster.logs(place, NEVER, since)) text += chunk.toString()
    return text
  }
  expect(await read()).toBe('one\n')
  expect(await read(new Date(Date.now() + 5000))).toBe('')
  expect(scene.server.requests.at(-1)).toMatch(/sinceTime=\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\dZ$/)
})

test('a refused call has the words, the status and the reason of the API server', async () => {
  const { cluster, server } = await startCluster()
  await cluster.createPod('ci', podOf('p'))
  await expect(cluster.createPod('ci', podOf('p'))).rejects.toMatchObject({
    name: 'ClusterError',
    message: 'pods "p" already exists',
    status: 409,
    reason: 'AlreadyExists',
    isAway: false,
  })
  server.misbehaviour.limitPods(1)
  await expect(cluster.createPod('ci', podOf('q'))).rejects.toMatchObject({
    message: 'pods "q" is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1',
    status: 403,
    reason: 'Forbidden',
  })
  server.misbehaviour.forbid({ namespace: 'ci', verb: 'list', resource: 'pods' })
  await expect(cluster.listPods('ci', 'a=b')).rejects.toMatchObject({
    message:
      'pods is forbidden: User "system:serviceaccount:ci:runner" cannot list resource "pods" in API group "" in the namespace "ci"',
  })
})

test('the rights that the credentials lack are named', async () => {
  const { cluster, server } = await startCluster()
  const right = { namespace: 'ci', verb: 'create', resource: 'pods/exec' }
  const others = [
    { namespace: 'ci', verb: 'create', resource: 'pods' },
    { namespace: 'default', verb: 'create', resource: 'pods/exec' },
  ]
  server.misbehaviour.forbid(right)
  expect(await cluster.missingRights([right, ...others])).toEqual([right])
})

test('an API server that refuses connections is away until it is back', async () => {
  const { cluster, server } = await startCluster()
  server.goAway('refuses')
  await expect(cluster.version()).rejects.toMatchObject({
    message: expect.stringMatching(
      /^The API server at http:\S+ cannot be reached: connect ECONNREFUSED/,
    ) as string,
    status: undefined,
    isAway: true,
  })
  await server.comeBack()
  expect(await cluster.version()).toMatch(/^v1\./)
})

test('an API server that hangs is away', async () => {
  const { cluster, server } = await startCluster({ call: 100 })
  server.goAway('hangs')
  await expect(cluster.version()).rejects.toMatchObject({
    message: `The API server at ${server.url} did not respond within 0.1 seconds`,
    isAway: true,
  })
})

test('the signal, and closing the client, end a call', async () => {
  const { cluster, server } = await startCluster()
  server.goAway('hangs')
  const controller = new AbortController()
  const call = cluster.version(controller.signal)
  await expect.poll(() => server.requests).toHaveLength(1)
  controller.abort(new Error('too late'))
  await expect(call).rejects.toThrow('too late')
  const other = cluster.version()
  await expect.poll(() => server.requests).toHaveLength(2)
  cluster.close()
  await expect(other).rejects.toThrow('the client of the cluster was closed')
})

test('closing the client ends its commands, logs, watches and calls at once, and refuses others', async () => {
  const scene = await startCluster({ eventDelay: 1 })
  const { cluster, server } = scene
  await runPod(scene, 'p', 'echo one; exec sleep 1000')
  const uid = server.pods.get('ci', 'p').metadata.uid
  const place = { namespace: 'ci', pod: 'p', container: 'build' }
  const command = { command: ['sleep', '1000'], size: undefined }
  cluster.follow('ci', 'p', { changed: () => undefined, deleted: () => undefined })
  cluster.followWarnings('ci', uid, () => undefined)
  const shell = await cluster.exec(place, command, NEVER)
  const chunks = (await cluster.logs(place, NEVER))[Symbol.asyncIterator]()
  await chunks.next()
  await expect.poll(() => server.watches.count).toBe(2)
  const disconnected = cluster.disconnected(NEVER)
  server.goAway('hangs')
  const before = server.requests.length
  const calls = [cluster.version(), cluster.exec(place, command, NEVER), cluster.logs(place, NEVER)]
  await expect.poll(() => server.requests).toHaveLength(before + calls.length)
  cluster.close()
  for (const call of calls) await expect(call).rejects.toThrow('the client of the cluster was closed')
  await expect(shell.exitCode()).rejects.toMatchObject({ name: 'ClusterError' })
  await expect(chunks.next()).rejects.toMatchObject({ name: 'ClusterError' })
  await disconnected
  await expect.poll(() => server.connections).toBe(0)
  await cluster.disconnected(NEVER)
  cluster.follow('ci', 'p', { changed: () => undefined, deleted: () => undefined })
  cluster.followWarnings('ci', uid, () => undefined)
  await expect(cluster.exec(place, command, NEVER)).rejects.toThrow('the client of the cluster was closed')
  await expect(cluster.version()).rejects.toThrow('the client of the cluster was closed')
  expect(server.requests).toHaveLength(before + calls.length)
})

test.each([
  [502, '<html>Bad Gateway</html>', 'responded with the HTTP status 502 and no explanation', true],
  [200, '{"hello":"world"}', 'sent what no API server of Kubernetes sends: check its address', true],
  [200, 'hello', 'sent what no API server of Kubernetes sends: check its address', true],
])('another server than that of a cluster is named: %i %s', async (code, body, message, isAway) => {
  const server = createServer((_request, response) => response.writeHead(code).end(body))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onFinished(() => server.close())
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const cluster = await createCluster(
    { host },
    { labelSelector: 'a=b', logger: createLogger('test', 'silent') },
  )
  await expect(cluster.version()).rejects.toMatchObject({
    message: expect.stringContaining(message) as string,
    isAway,
  })
})
