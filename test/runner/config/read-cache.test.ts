import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'

import type { CacheSettings } from '../../../src/runner/cache/cache-settings.js'
import { readCache } from '../../../src/runner/config/read-cache.js'
import { type Findings, TableReader } from '../../../src/runner/config/table-reader.js'

function read(text: string, environment: Record<string, string> = {}): { cache: CacheSettings } & Findings {
  const findings: Findings = { problems: [], warnings: [] }
  const entry = new TableReader(parse(text), 'runners[0]', findings)
  return { cache: readCache(entry, 'runners[0]', findings, environment), ...findings }
}

const S3 = `
[cache]
  Type = "s3"
  Path = "ci"
  Shared = true
  MaxUploadedArchiveSize = 1000
  [cache.s3]
    ServerAddress = "minio.example:9000"
    AccessKey = "access"
    SecretKey = "secret"
    BucketName = "caches"
`

function withoutKey(text: string): string {
  return text.replace(/(Access|Secret)Key = .*\n/g, '')
}

describe('[runners.cache]', () => {
  test.each([
    ['nothing', ''],
    [
      'what the reference runner writes',
      '[cache]\nMaxUploadedArchiveSize = 0\n[cache.s3]\n[cache.gcs]\n[cache.azure]',
    ],
    ['an empty type', '[cache]\nType = ""'],
  ])('%s leaves the choice of the store to the coordinator', (_what, text) => {
    expect(read(text)).toEqual({
      cache: { kind: 'automatic', maximumUploadBytes: 0 },
      problems: [],
      warnings: [],
    })
  })

  test('keeps caches on the machine if set', () => {
    expect(read('[cache]\nType = "local"').cache).toEqual({ kind: 'local', maximumUploadBytes: 0 })
  })

  test.each(['gcs', 'azure'])('reports that %s is not supported, and the fallback', (type) => {
    const { cache, warnings, problems } = read(`[cache]\nType = "${type}"\n[cache.${type}]\nBucketName = "x"`)
    expect(cache.kind).toBe('local')
    expect(warnings).toEqual([
      `runners[0].cache.Type is "${type}", which this runner does not support: caches are stored in a local folder`,
    ])
    expect(problems).toEqual([])
  })

  test('reads an S3 bucket', () => {
    expect(read(S3)).toEqual({
      cache: {
        kind: 's3',
        maximumUploadBytes: 1000,
        prefix: 'ci',
        isShared: true,
        s3: {
          serverAddress: 'minio.example:9000',
          bucketName: 'caches',
          bucketLocation: undefined,
          credentials: { accessKeyId: 'access', secretAccessKey: 'secret' },
          isInsecure: false,
          pathStyle: undefined,
          isDualStack: true,
          isAccelerated: false,
          encryption: undefined,
          names: expect.objectContaining({ bucket: 'BucketName in [runners.cache.s3]' }) as unknown,
        },
      },
      problems: [],
      warnings: [],
    })
  })

  test('reads every other setting of an S3 bucket', () => {
    const { cache, problems, warnings } = read(`${S3}
      SessionToken = "session"
      BucketLocation = "eu-west-1"
      Insecure = true
      PathStyle = false
      DualStack = false
      Accelerate = true
      AuthenticationType = "access-key"
      ServerSideEncryption = "KMS"
      ServerSideEncryptionKeyID = "key-1"
      RoleARN = "arn:aws:iam::1:role/x"`)
    expect(cache).toMatchObject({
      s3: {
        bucketLocation: 'eu-west-1',
        credentials: { sessionToken: 'session' },
        isInsecure: true,
        pathStyle: false,
        isDualStack: false,
        isAccelerated: true,
        encryption: { kind: 'KMS', keyId: 'key-1' },
      },
    })
    expect(problems).toEqual([])
    expect(warnings).toEqual(['runners[0].cache.s3.RoleARN has no effect on this runner'])
  })

  test.each([
    ['half of a key', S3.replace('SecretKey = "secret"', ''), 'SecretKey must both be set'],
    ['no key for another server than Amazon', withoutKey(S3), 'SecretKey must both be set'],
    ['no key with access-key', `${withoutKey(S3)}\nAuthenticationType = "access-key"`, 'must both be set'],
    ['no bucket', S3.replace('BucketName = "caches"', ''), 'BucketName is missing'],
    ['an address with a scheme', S3.replace('"minio', '"https://minio'), 'ServerAddress must be a host'],
    ['another type', S3.replace('"s3"', '"ftp"'), 'Type must be one of'],
  ])('rejects %s', (_what, text, problem) => {
    expect(read(text).problems.join()).toContain(problem)
  })

  test.each([
    ['iam', `${S3}\nAuthenticationType = "iam"`, {}, { kind: 'machine' }],
    ['no key at Amazon', withoutKey(S3).replace(/ServerAddress.*/, ''), {}, { kind: 'machine' }],
    [
      'no key and a web identity',
      `${withoutKey(S3)}\nBucketLocation = "eu-west-1"`,
      { AWS_ROLE_ARN: 'arn', AWS_WEB_IDENTITY_TOKEN_FILE: '/token' },
      { kind: 'web-identity', endpoint: 'https://sts.eu-west-1.amazonaws.com' },
    ],
  ])('uses the key of a role with %s', (_what, text, environment: Record<string, string>, credentials) => {
    const { cache, problems, warnings } = read(text, environment)
    expect(cache).toMatchObject({ s3: { credentials } })
    expect([problems, warnings]).toEqual([[], []])
  })

  test('rejects iam where the machine must not be asked', () => {
    const { problems } = read(`${S3}\nAuthenticationType = "iam"`, { AWS_EC2_METADATA_DISABLED: 'true' })
    expect(problems.join()).toContain('AWS_EC2_METADATA_DISABLED')
  })

  test('treats keys as case-sensitive', () => {
    expect(read('[cache]\ntype = "s3"').warnings).toEqual(['runners[0].cache.type is not a known setting'])
  })
})
