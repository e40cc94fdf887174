import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'

import {
  readCoordinatorSecrets,
  readCoordinatorSettings,
} from '../../../src/coordinator/start/config/settings.js'
import { warningsPath } from '../../../src/coordinator/start/warnings.js'
import { writeSupportBundle } from '../../../src/coordinator/support-bundle/write-support-bundle.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'

/** The contents of the bundle by their names. */
async function bundle(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<{ parts: Record<string, string>; problems: string[]; mode: number }> {
  const target = join(await tempDir(), 'bundle.zip')
  const settings = readCoordinatorSettings({ data_dir: dataDir }, environment)
  const secrets = readCoordinatorSecrets(environment)
  const problems = await writeSupportBundle({ settings, secrets, environment, target })
  const zip = await fromBufferPromise(await readFile(target))
  const parts: Record<string, string> = {}
  for await (const entry of zip.eachEntry())
    parts[entry.fileName] = await text(await zip.openReadStreamPromise(entry))
  return { parts, problems, mode: (await stat(target)).mode & 0o777 }
}

/** A server that responds with these metrics; its address. */
async function servesMetrics(metrics: string): Promise<string> {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/metrics' ? 200 : 404
    response.end(metrics)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Secrets of every kind, by what they are. */
const SECRETS = {
  database: 'pw-of-the-database',
  storage: 'key-of-the-storage',
  previous: 'key-of-the-old-storage',
  backup: 'key-of-the-backup',
  session: 'session-of-amazon',
  mail: 'pw/of the mail',
  collector: 'pw-of-the-collector',
  collectorQuery: 'query-of-the-collector',
  header: 'header-of-the-collector',
  client: 'secret-at-the-provider',
  directory: 'password-of-the-directory',
  admin: 'token-of-the-administrator',
  registration: 'token-of-registration',
  adminFile: 'token-in-the-admin-file',
  registrationFile: 'token-in-the-runner-file',
  secretKey: 'c2VjcmV0LWtleS1vZi10aGUtaW5zdGFsbGF0aW9u',
  hostKey: 'b3BlbnNzaC1rZXktb2YtdGhlLWhvc3Q',
  personal: 'glpat-tokenOfSomebody1',
  url: 'pw-in-a-url',
  query: 'token-in-a-query',
}

async function plantSecrets(dataDir: string): Promise<Record<string, string>> {
  const files = {
    'coordinator.toml': `
database_url = "postgres://switchyard:${SECRETS.database}@127.0.0.1:1/ci"
[storage]
url = "s3://blobs/ci"
endpoint = "http://127.0.0.1:2"
access_key_id = "A"
secret_access_key = "${SECRETS.storage}"
[storage.previous]
url = "s3://old/ci"
endpoint = "http://127.0.0.1:2"
access_key_id = "B"
secret_access_key = "${SECRETS.previous}"
[backup]
url = "s3://backups/ci"
endpoint = "http://127.0.0.1:2"
access_key_id = "C"
secret_access_key = "${SECRETS.backup}"
[mail]
url = "smtps://mailer:${encodeURIComponent(SECRETS.mail)}@mail.example.com"
from = "Switchyard <switchyard@example.com>"
[sign_in.providers.corp]
kind = "openid"
issuer = "https://id.example.com"
client_id = "ci"
client_secret = "${SECRETS.client}"
[sign_in.providers.directory]
kind = "ldap"
urls = "ldaps://ldap.example.com"
base = "dc=example"
bind_dn = "cn=ci,dc=example"
bind_password = "${SECRETS.directory}"
`,
    'admin-token': `${SECRETS.adminFile}\n`,
    'runner-registration-token': `${SECRETS.registrationFile}\n`,
    'secret.key': `1 ${SECRETS.secretKey}\n${SECRETS.secretKey}\n`,
    ssh_host_ed25519_key: `-----BEGIN OPENSSH PRIVATE KEY-----\n${SECRETS.hostKey}\n-----END OPENSSH PRIVATE KEY-----\n`,
    'warnings.log': `${JSON.stringify({ level: 40, msg: everySecret() })}\n`,
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(dataDir, name), content)
  return {
    AWS_SESSION_TOKEN: SECRETS.session,
    SWITCHYARD_ADMIN_TOKEN: SECRETS.admin,
    SWITCHYARD_REGISTRATION_TOKEN: SECRETS.registration,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `https://otel:${SECRETS.collector}@otel.example.com/?key=${SECRETS.collectorQuery}`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${SECRETS.header}`,
  }
}

/** A warning that the log should never have had. */
function everySecret(): string {
  const { personal, url, query, ...known } = SECRETS
  return [
    ...Object.values(known),
    encodeURIComponent(SECRETS.mail),
    Buffer.from(SECRETS.storage).toString('base64'),
    personal,
    `https://user:${url}@example.com`,
    `https://example.com/?private_token=${query}`,
  ].join(' ; ')
}

test('a bundle has no secret of any kind, and only its owner can read it', async () => {
  const dataDir = await tempDir()
  const environment = await plantSecrets(dataDir)
  environment['SWITCHYARD_LISTEN'] = await servesMetrics(`# ${everySecret()}\nswitchyard_runners 3\n`)
  const { parts, problems, mode } = await bundle(dataDir, environment)
  expect(mode).toBe(0o600)
  const all = Object.values(parts).join('\n')
  const planted = [
    ...Object.values(SECRETS),
    encodeURIComponent(SECRETS.mail),
    Buffer.from(SECRETS.storage).toString('base64'),
  ]
  expect(planted.filter((secret) => all.includes(secret) || problems.join('\n').includes(secret))).toEqual([])
  expect(JSON.parse(parts['settings.json'] ?? '')).toMatchObject({
    database: { dialect: 'postgres', server: 'postgres://127.0.0.1:1', name: 'ci' },
    storage: {
      kind: 's3',
      bucket: 'blobs',
      prefix: 'ci',
      server: '127.0.0.1:2',
      previous: { bucket: 'old' },
    },
    backup: { bucket: 'backups' },
    mail: { server: 'smtps://mail.example.com', from: 'switchyard@example.com' },
    sign_in: {
      providers: [
        { kind: 'openid', name: 'corp', servers: ['https://id.example.com'] },
        { kind: 'ldap', name: 'directory', servers: ['ldaps://ldap.example.com'] },
      ],
    },
    trace_export: 'https://otel.example.com',
  })
  expect(parts['metrics.txt']).toContain('switchyard_runners 3')
  expect(parts['warnings.log']).toContain('"level":40')
  // Nobody listens there.
  expect(problems).toEqual([expect.stringMatching(/^database\.json: /)])
})

test('a bundle has no secret of a data folder beside a shared folder', async () => {
  const dataDir = await tempDir()
  await writeFile(join(dataDir, 'admin-token'), `${SECRETS.adminFile}\n`)
  await writeFile(warningsPath(dataDir), `{"level":50,"msg":"refused ${SECRETS.adminFile}"}\n`)
  const { parts } = await bundle(dataDir, {
    SWITCHYARD_SHARED_DIR: await tempDir(),
    SWITCHYARD_LISTEN: '127.0.0.1:1',
  })
  expect(parts['warnings.log']).toContain('refused')
  expect(Object.values(parts).join('\n')).not.toContain(SECRETS.adminFile)
})

test('a bundle is written without a coordinator, and says what is left out', async () => {
  const dataDir = await tempDir()
  await writeFile(warningsPath(dataDir), '{"level":50,"msg":"The disk is full"}\n')
  const { parts, problems } = await bundle(dataDir, { SWITCHYARD_LISTEN: '127.0.0.1:1' })
  expect(problems).toEqual([expect.stringMatching(/^metrics\.txt: /)])
  expect(parts['metrics.txt']).toMatch(/^This could not be read: /)
  expect(parts['warnings.log']).toContain('The disk is full')
  expect(JSON.parse(parts['versions.json'] ?? '')).toMatchObject({
    node: process.version,
    git: expect.stringMatching(/^git version/) as unknown,
  })
  expect(JSON.parse(parts['database.json'] ?? '')).toEqual({
    dialect: 'sqlite',
    version: 'there is no database yet',
  })
})
