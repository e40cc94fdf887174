import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect as connectTo, type Socket } from 'node:net'
import { join } from 'node:path'

import { expect, test } from 'vitest'
import { stringify } from 'yaml'

import { messageOf } from '../../../../src/lib/errors.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { createCluster } from '../../../../src/runner/executor/kubernetes/cluster/create-cluster.js'
import type { Surroundings } from '../../../../src/runner/executor/kubernetes/cluster/credentials/load-credentials.js'
import type { ClusterSettings } from '../../../../src/runner/executor/kubernetes/settings.js'
import { makeCertificates } from '../../../support/certificates.js'
import { startApiServer } from '../../../support/kubernetes/api-server.js'
import { onFinished, openForFile } from '../../../support/lifetime.js'
import { tempDir } from '../../../support/temp-dir.js'

const TOKEN = 'secret-token-1'

/** A folder with certificates of an authority, and the bytes of those of the server. */
const certificates = openForFile(async () => {
  const folder = await makeCertificates()
  const read = (name: string) => readFile(join(folder, name))
  return {
    folder,
    tls: { ca: await read('ca.pem'), cert: await read('cert.pem'), key: await read('key.pem') },
  }
})

async function startSecureServer(...tokens: string[]) {
  return await startApiServer({ tls: certificates().tls, tokens: new Set(tokens) })
}

const connect = (settings: ClusterSettings, surroundings: Surroundings = { environment: {} }) =>
  createCluster(settings, { labelSelector: 'a=b', logger: createLogger('test', 'silent'), surroundings })

interface Entries {
  server?: string
  user?: object
  namespace?: string
  more?: object
}

/** Writes a kubeconfig with one context, `main`, and returns its path. */
async function writeKubeconfig({ server = 'https://127.0.0.1:1', user = {}, namespace, more = {} }: Entries) {
  const folder = await tempDir()
  const file = join(folder, 'config')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'main',
    clusters: [
      { name: 'c', cluster: { server, 'certificate-authority': join(certificates().folder, 'ca.pem') } },
    ],
    contexts: [{ name: 'main', context: { cluster: 'c', user: 'u', ...(namespace && { namespace }) } }],
    users: [{ name: 'u', user }],
    ...more,
  }
  await writeFile(file, stringify(config))
  return { file, folder }
}

async function writeProgram(folder: string, lines: string): Promise<void> {
  await writeFile(join(folder, 'plugin'), `#!/bin/sh\n${lines}\n`)
  await chmod(join(folder, 'plugin'), 0o755)
}

/** An exec plugin beside the kubeconfig. */
const plugin = { apiVersion: 'client.authentication.k8s.io/v1', command: './plugin', args: ['a b'] }

async function connectByPlugin(server: string, lines: string, settings: object = {}) {
  const { file, folder } = await writeKubeconfig({ server, user: { exec: { ...plugin, ...settings } } })
  await writeProgram(folder, lines)
  return { cluster: await connect({ kubeconfig: file }, { environment: process.env }), folder }
}

test('the settings name a host, a token and an authority', async () => {
  const server = await startSecureServer(TOKEN)
  const caFile = join(certificates().folder, 'ca.pem')
  const cluster = await connect({ host: server.url, bearerToken: TOKEN, caFile })
  expect(await cluster.version()).toMatch(/^v1\./)
  expect(cluster.defaultNamespace).toBe('default')
  const wrong = await connect({ host: server.url, bearerToken: 'other', caFile })
  await expect(wrong.version()).rejects.toMatchObject({ status: 401, message: 'Unauthorized' })
  const untrusted = await connect({ host: server.url, bearerToken: TOKEN })
  await expect(untrusted.version()).rejects.toThrow('self-signed certificate in certificate chain')
})

test('a client certificate is shown to the API server', async () => {
  const server = await startSecureServer()
  const { folder } = certificates()
  const [caFile, certFile, keyFile] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) => join(folder, name))
  expect(await (await connect({ host: server.url, caFile, certFile, keyFile })).version()).toMatch(/^v1\./)
  const data = async (name: string) => (await readFile(join(folder, name))).toString('base64')
  const user = {
    'client-certificate-data': await data('cert.pem'),
    'client-key-data': await data('key.pem'),
  }
  const { file } = await writeKubeconfig({ server: server.url, user, namespace: 'ci' })
  const cluster = await connect({ kubeconfig: file })
  expect(cluster.defaultNamespace).toBe('ci')
  expect(await cluster.version()).toMatch(/^v1\./)
})

test('a kubeconfig names contexts, tokens and files beside it; KUBECONFIG names several', async () => {
  const server = await startSecureServer(TOKEN)
  const { file, folder } = await writeKubeconfig({ server: server.url, user: { tokenFile: 'token' } })
  await writeFile(join(folder, 'token'), `${TOKEN}\n`)
  expect(await (await connect({ kubeconfig: file })).version()).toMatch(/^v1\./)
  const other = join(folder, 'other')
  const context = { name: 'second', context: { cluster: 'c', user: 'v', namespace: 'two' } }
  await writeFile(other, stringify({ contexts: [context], users: [{ name: 'v', user: { token: TOKEN } }] }))
  const environment = { KUBECONFIG: `${file}:${other}` }
  const cluster = await connect({ context: 'second' }, { environment })
  expect([cluster.defaultNamespace, await cluster.version()]).toEqual(['two', expect.stringMatching(/^v1\./)])
  const usual = await tempDir()
  await mkdir(join(usual, '.kube'))
  await writeFile(join(usual, '.kube', 'config'), await readFile(file))
  await writeFile(join(usual, '.kube', 'token'), TOKEN)
  expect(await (await connect({}, { environment: { HOME: usual } })).version()).toMatch(/^v1\./)
})

test('a pod has a service account, whose token is read again when it was renewed', async () => {
  const server = await startSecureServer(TOKEN)
  const folder = await tempDir()
  await writeFile(join(folder, 'ca.crt'), await readFile(join(certificates().folder, 'ca.pem')))
  await writeFile(join(folder, 'token'), TOKEN)
  await writeFile(join(folder, 'namespace'), 'ci')
  const { port } = new URL(server.url)
  const environment = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: port }
  const cluster = await connect({}, { environment, serviceAccountFolder: folder })
  expect([cluster.defaultNamespace, await cluster.version()]).toEqual(['ci', expect.stringMatching(/^v1\./)])
  server.tokens.clear()
  server.tokens.add('renewed')
  await writeFile(join(folder, 'token'), 'renewed')
  expect(await cluster.version()).toMatch(/^v1\./)
})

test('an exec plugin gives a token, which is kept until the API server refuses it', async () => {
  const server = await startSecureServer(TOKEN)
  const lines = `echo "$1 $EXTRA $KUBERNETES_EXEC_INFO" >> calls
printf '{"kind":"ExecCredential","status":{"token":"%s"}}' "$(cat token)"`
  const { file, folder } = await writeKubeconfig({
    server: server.url,
    user: { exec: { ...plugin, env: [{ name: 'EXTRA', value: 'x' }], provideClusterInfo: true } },
  })
  await writeProgram(folder, `cd ${folder}\n${lines}`)
  await writeFile(join(folder, 'token'), TOKEN)
  const cluster = await connect({ kubeconfig: file }, { environment: process.env })
  const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n')
  await Promise.all([cluster.version(), cluster.version()])
  await cluster.version()
  expect(await calls()).toHaveLength(1)
  expect((await calls())[0]).toMatch(
    /^a b x \{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io\/v1"/,
  )
  expect((await calls())[0]).toContain(`"server":"${server.url}"`)
  server.tokens.clear()
  server.tokens.add('next')
  await writeFile(join(folder, 'token'), 'next')
  expect(await cluster.version()).toMatch(/^v1\./)
  expect(await calls()).toHaveLength(2)
})

test('an exec plugin is run again when its token has expired, and may give a certificate', async () => {
  const server = await startSecureServer()
  const { folder: files } = certificates()
  const [cert, key] = await Promise.all(
    ['cert.pem', 'key.pem'].map((name) => readFile(join(files, name), 'utf8')),
  )
  const status = {
    clientCertificateData: cert,
    clientKeyData: key,
    expirationTimestamp: '2020-01-01T00:00:00Z',
  }
  const output = JSON.stringify({ kind: 'ExecCredential', status })
  const { cluster, folder } = await connectByPlugin(
    server.url,
    `echo call >> "$(dirname "$0")/calls"\ncat <<'END'\n${output}\nEND`,
  )
  await cluster.version()
  await cluster.version()
  expect((await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n')).toHaveLength(2)
})

test.each([
  ['echo login needed >&2; exit 3', 'failed: exit code 3: login needed'],
  ['echo secret-token-1', 'did not print JSON'],
  [`echo '{"status":{}}'`, 'gave neither a token nor a certificate'],
  [`echo '{"token":"secret-token-1"}'`, 'printed no ExecCredential'],
])('a plugin that fails is named, without its output: %s', async (lines, problem) => {
  const { cluster } = await connectByPlugin('https://127.0.0.1:1', lines)
  const error: unknown = await cluster.version().catch((reason: unknown) => reason)
  expect(messageOf(error)).toMatch(/^The exec plugin "\/.*\/plugin" of the user "u" of the kubeconfig /)
  expect(messageOf(error)).toContain(problem)
  expect(JSON.stringify(error)).not.toContain(TOKEN)
})

test('a plugin that is not installed is named with its hint', async () => {
  const settings = { command: 'no-such-plugin', installHint: 'Install it with apt.' }
  const { cluster } = await connectByPlugin('https://127.0.0.1:1', '', settings)
  await expect(cluster.version()).rejects.toThrow(
    'it is not installed, or not in PATH (Install it with apt.)',
  )
})

test('what is wrong with a kubeconfig is said with its name', async () => {
  const folder = await tempDir()
  const missing = join(folder, 'none')
  await expect(connect({ kubeconfig: missing })).rejects.toThrow(
    `The kubeconfig ${missing} cannot be read: ENOENT: no such file or directory, open '${missing}'. Check its path and its owner.`,
  )
  const broken = join(folder, 'broken')
  await writeFile(broken, `users: [{name: u, user: {token: ${TOKEN}`)
  const error: unknown = await connect({ kubeconfig: broken }).catch((reason: unknown) => reason)
  expect(messageOf(error)).toContain(`The kubeconfig ${broken} is not valid: `)
  expect(messageOf(error)).not.toContain(TOKEN)
  await writeFile(broken, 'text')
  await expect(connect({ kubeconfig: broken })).rejects.toThrow(
    'it is no list of clusters, users and contexts',
  )
})

test.each([
  [{ more: { 'current-context': 'gone' } }, 'has no context "gone": its contexts are "main"'],
  [
    { more: { 'current-context': '' } },
    'has no current context: name one of its contexts in the settings ("main")',
  ],
  [{ more: { clusters: [] } }, 'names the cluster "c", which is not there'],
  [{ more: { users: [] } }, 'names the user "u", which is not there'],
  [{ more: { clusters: [{ name: 'c', cluster: {} }] } }, 'clusters[0].cluster.server is missing'],
  [{ user: { exec: { args: [] } } }, '"exec" of the user "u" of the kubeconfig has no command'],
  [
    { user: { 'auth-provider': { name: 'gcp' } } },
    'has the auth-provider "gcp", which Kubernetes has removed',
  ],
  [{ server: 'nowhere' }, 'The address "nowhere" of the cluster "c" is not valid'],
])('what a kubeconfig lacks is named: %j', async (entries, problem) => {
  const { file } = await writeKubeconfig(entries)
  await expect(connect({ kubeconfig: file })).rejects.toThrow(problem)
})

/** A proxy that wants the user `u` with the password `p`. Returns its address without them, and what was asked of it. */
async function startProxy() {
  const targets: string[] = []
  const proxy = createServer()
  proxy.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    targets.push(url)
    if (headers['proxy-authorization'] !== `Basic ${Buffer.from('u:p').toString('base64')}`) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    const server = connectTo(Number(url.split(':')[1]), '127.0.0.1')
    for (const each of [socket, server]) each.on('error', () => undefined)
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    socket.pipe(server).pipe(socket)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onFinished(() => proxy.close())
  return { host: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, targets }
}

test('the API server is reached through the proxy of the environment, or that of the kubeconfig', async () => {
  const server = await startSecureServer(TOKEN)
  const { host, targets } = await startProxy()
  const settings = { host: server.url, bearerToken: TOKEN, caFile: join(certificates().folder, 'ca.pem') }
  const through = (proxy: string, more = {}) =>
    connect(settings, { environment: { HTTPS_PROXY: proxy, ...more } })
  expect(await (await through(`http://u:p@${host}`)).version()).toMatch(/^v1\./)
  expect(targets).toEqual([new URL(server.url).host])
  const refused = await through(`http://u:secret@${host}`)
  await expect(refused.version()).rejects.toThrow(
    `cannot be reached: the proxy http://${host}: refused the connection (407 Proxy Authentication Required)`,
  )
  expect(await (await through(`http://u:p@${host}`, { NO_PROXY: '127.0.0.1' })).version()).toMatch(/^v1\./)
  expect(targets).toHaveLength(2)
  const authority = join(certificates().folder, 'ca.pem')
  const cluster = {
    server: server.url,
    'certificate-authority': authority,
    'proxy-url': `http://u:p@${host}`,
  }
  const more = { clusters: [{ name: 'c', cluster }] }
  const { file } = await writeKubeconfig({ user: { token: TOKEN }, more })
  const byKubeconfig = await connect({ kubeconfig: file })
  expect(await byKubeconfig.version()).toMatch(/^v1\./)
  const place = { namespace: 'ci', pod: 'none', container: 'none' }
  const command = byKubeconfig.exec(
    place,
    { command: ['true'], size: undefined },
    new AbortController().signal,
  )
  await expect(command).rejects.toThrow('pods "none" not found')
  expect(targets).toHaveLength(4)
})

test('without any cluster, the ways to name one are named', async () => {
  const surroundings = { environment: { HOME: await tempDir() }, serviceAccountFolder: await tempDir() }
  await expect(connect({}, surroundings)).rejects.toThrow(
    'No cluster is known: name one by "host" or "kubeconfig"',
  )
})

test('a certificate that cannot be read is named', async () => {
  const cluster = await connect({ host: 'https://127.0.0.1:1', caFile: '/no/ca.pem' })
  await expect(cluster.version()).rejects.toThrow(
    "The certificate of the authority for the API server cannot be read: ENOENT: no such file or directory, open '/no/ca.pem'",
  )
})
