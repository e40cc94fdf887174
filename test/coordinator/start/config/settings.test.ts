import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { DEFAULT_GIT_SLOTS } from '../../../../src/coordinator/hosting/repositories/git-semaphore.js'
import {
  readCoordinatorSecrets,
  readCoordinatorSettings,
} from '../../../../src/coordinator/start/config/settings.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'

test('everything has a default', () => {
  const settings = readCoordinatorSettings({ data_dir: '/data' }, {})
  expect(settings).toEqual({
    listen: { host: '127.0.0.1', port: 8929 },
    externalUrl: undefined,
    storage: { location: { kind: 'folder' }, previous: undefined, isDirect: false },
    dataDir: '/data',
    sharedDir: '/data',
    database: { dialect: 'sqlite', file: '/data/switchyard.db' },
    lease: { firstContactSeconds: 60, seconds: 300, taskSeconds: 60 },
    egress: { allowLocalNetwork: false },
    longPollSeconds: 50,
    shutdown: { drainSeconds: 2, seconds: 30 },
    artifactsMaxBytes: 104_857_600,
    artifactsExpireSeconds: 2_592_000,
    caches: { maxBytes: 5_368_709_120, projectMaxBytes: 21_474_836_480, unusedSeconds: 1_209_600 },
    traceMaxBytes: 104_857_600,
    pipelines: { jobsPerPipeline: 0, activeJobs: 0, deploymentsPerPipeline: 500, pipelinesPerMinute: 60 },
    rateLimits: { authenticated: 36_000, unauthenticated: 6000, failedAuthentications: 120, archives: 5 },
    retention: {
      pipelineDays: 0,
      pipelineCount: 0,
      logDays: 0,
      storageBytes: 0,
      projectStorageBytes: 0,
      activityDays: 1095,
      jobsPerSecond: 100,
    },
    commitsMaxBytes: 33_554_432,
    git: DEFAULT_GIT_SLOTS,
    trustedProxies: undefined,
    deletionAdjournedPeriod: 0,
    auditDays: 365,
    metricsAddresses: ['127.0.0.0/8', '::1/128'],
    logLevel: 'info',
    fixed: {},
    areTerminalsEnabled: true,
    artifactsUrl: undefined,
    pagesDomain: undefined,
    signIn: { isAutomatic: false, providers: [] },
  })
})

testAtNight('a flag wins over the environment, which wins over the file', async () => {
  const dataDir = await tempDir()
  await writeFile(
    join(dataDir, 'coordinator.toml'),
    'listen = "127.0.0.1:1"\nexternal_url = "http://file"\nlog_level = "warn"\n[lease]\nseconds = 10\n',
  )
  const settings = readCoordinatorSettings(
    { data_dir: dataDir, listen: '127.0.0.1:3' },
    {
      SWITCHYARD_LISTEN: '127.0.0.1:2',
      SWITCHYARD_EXTERNAL_URL: 'http://environment/',
      SWITCHYARD_LOG_LEVEL: '',
    },
  )
  expect(settings).toMatchObject({
    listen: { port: 3 },
    externalUrl: 'http://environment',
    logLevel: 'warn',
    lease: { seconds: 10, firstContactSeconds: 60, taskSeconds: 60 },
  })
})

test('mails are sent once a server and a sender are given', () => {
  const read = (environment: Record<string, string>) =>
    readCoordinatorSettings({ data_dir: '/data' }, environment).mail
  const url = 'smtps://ci:secret@mail.example.com'
  expect(read({ SWITCHYARD_MAIL_URL: url, SWITCHYARD_MAIL_FROM: 'CI of Example <ci@example.com>' })).toEqual({
    url,
    from: { name: 'CI of Example', address: 'ci@example.com' },
    replyTo: undefined,
  })
  expect(
    read({
      SWITCHYARD_MAIL_URL: 'smtp://mail:25',
      SWITCHYARD_MAIL_FROM: 'ci@example.com',
      SWITCHYARD_MAIL_REPLY_TO: 'team@example.com',
    }),
  ).toMatchObject({ from: { name: 'Switchyard' }, replyTo: 'team@example.com' })
  expect(() => read({ SWITCHYARD_MAIL_URL: url })).toThrow('mail.from: is required with mail.url')
  expect(() => read({ SWITCHYARD_MAIL_URL: 'http://mail', SWITCHYARD_MAIL_FROM: 'x' })).toThrow(
    /SWITCHYARD_MAIL_URL: must be a URL such as smtps:[^]*SWITCHYARD_MAIL_FROM: must be an address such as/,
  )
})

test('a file that is named is read instead of the one in the data directory', async () => {
  const directory = await tempDir()
  const file = join(directory, 'other.toml')
  await writeFile(file, `data_dir = "${directory}/data"\nlong_poll_seconds = 0\n`)
  const settings = readCoordinatorSettings({ config: file }, {})
  expect(settings).toMatchObject({ dataDir: `${directory}/data`, longPollSeconds: 0 })
})

test('every problem is listed, with the place it comes from', async () => {
  const directory = await tempDir()
  const file = join(directory, 'settings.toml')
  await writeFile(file, 'long_poll_seconds = "soon"\nsurprise = 1\n[lease]\nhours = 1\n')
  const read = () =>
    readCoordinatorSettings(
      { config: file, listen: 'nowhere', database_url: 'mysql://x' },
      { SWITCHYARD_ARTIFACTS_MAX_BYTES: '-1', SWITCHYARD_EXTERNAL_URL: 'ftp://x' },
    )
  expect(read).toThrow(
    expect.objectContaining({
      problems: [
        '--listen: must be an address and a port, such as 127.0.0.1:8929',
        'SWITCHYARD_EXTERNAL_URL: must be a URL such as https://switchyard.example.com',
        '--database-url: must be a URL such as postgres://user:password@host/database',
        'long_poll_seconds in the settings file: must be a whole number of seconds, 0 or more',
        'SWITCHYARD_ARTIFACTS_MAX_BYTES: must be a whole number of bytes, 1 or more',
        'surprise in the settings file: unknown setting',
        'lease.hours in the settings file: unknown setting',
      ],
    }) as Error,
  )
})

test('an external URL has no path, because pages and cookies are those of a host', () => {
  const read = (externalUrl: string) => readCoordinatorSettings({ external_url: externalUrl }, {}).externalUrl
  expect(read('https://Example.com:8443/')).toBe('https://example.com:8443')
  expect(() => read('https://example.com/ci/')).toThrow(
    /external.url: must have no path: give the coordinator a host name .+ https:\/\/example\.com, instead of \/ci\//,
  )
})

test('artifacts have a host name other than that of the coordinator, because ports share cookies', () => {
  const read = (artifactsUrl: string) =>
    readCoordinatorSettings(
      { external_url: 'https://ci.example.com' },
      { SWITCHYARD_WEB_ARTIFACTS_URL: artifactsUrl },
    ).artifactsUrl
  expect(read('https://Artifacts.example.net/')).toBe('https://artifacts.example.net')
  expect(() => read('https://ci.example.com:8443')).toThrow(
    /web\.artifacts_url: must have a host name of its own/,
  )
})

test('the domain of sites is apart from the hosts that have cookies', () => {
  const read = (domain: string) =>
    readCoordinatorSettings(
      { external_url: 'https://ci.example.com' },
      { SWITCHYARD_PAGES_DOMAIN: domain, SWITCHYARD_WEB_ARTIFACTS_URL: 'https://files.example.org' },
    ).pagesDomain
  expect(read('Pages.Example.net')).toBe('pages.example.net')
  for (const domain of ['example.com', 'ci.example.com', 'pages.ci.example.com', 'files.example.org']) {
    expect(() => read(domain), domain).toThrow(/pages\.domain: must be a domain of its own/)
  }
  for (const domain of [
    'https://pages.example.net',
    'pages.example.net:8443',
    '-a.example',
    'a..b',
    '*.a.b',
  ]) {
    expect(() => read(domain), domain).toThrow(/must be a host name such as pages\.example\.net/)
  }
})

test('a file that is named must be there', () => {
  expect(() => readCoordinatorSettings({ config: '/nowhere/x.toml' }, {})).toThrow(/x\.toml.*ENOENT/)
})

test.each([
  ['[::1]:80', { host: '::1', port: 80 }],
  [':8080', { host: '0.0.0.0', port: 8080 }],
  ['0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
])('--listen %s', (listen, expected) => {
  expect(readCoordinatorSettings({ listen }, {}).listen).toEqual(expected)
})

test('secrets come from the environment, apart from the settings', () => {
  expect(readCoordinatorSecrets({ SWITCHYARD_ADMIN_TOKEN: 'a', SWITCHYARD_REGISTRATION_TOKEN: '' })).toEqual({
    adminToken: 'a',
    registrationToken: undefined,
  })
})
