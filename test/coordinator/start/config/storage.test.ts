import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { readCoordinatorSettings } from '../../../../src/coordinator/start/config/settings.js'
import { tempDir } from '../../../support/temp-dir.js'

const KEY = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }

const storageOf = (environment: Record<string, string>) => readCoordinatorSettings({}, environment).storage

test('files are in the data folder by default', () => {
  expect(storageOf(KEY)).toEqual({ location: { kind: 'folder' }, previous: undefined, isDirect: false })
})

test('a bucket takes key, region and endpoint from the variables of Amazon', () => {
  const { location } = storageOf({
    ...KEY,
    AWS_SESSION_TOKEN: 'session',
    AWS_DEFAULT_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:9000',
    SWITCHYARD_STORAGE_URL: 's3://builds/ci/files/',
  })
  expect(location).toMatchObject({
    kind: 's3',
    prefix: 'ci/files',
    bucket: {
      bucketName: 'builds',
      serverAddress: '127.0.0.1:9000',
      isInsecure: true,
      bucketLocation: 'eu-central-1',
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret', sessionToken: 'session' },
    },
  })
})

test('without a key, a bucket at Amazon takes that of the role', () => {
  const url = { SWITCHYARD_STORAGE_URL: 's3://builds' }
  expect(storageOf(url).location).toMatchObject({ bucket: { credentials: { kind: 'machine' } } })
  const role = { AWS_ROLE_ARN: 'arn', AWS_WEB_IDENTITY_TOKEN_FILE: '/token', AWS_REGION: 'eu-west-1' }
  expect(storageOf({ ...url, ...role }).location).toMatchObject({
    bucket: { credentials: { kind: 'web-identity', endpoint: 'https://sts.eu-west-1.amazonaws.com' } },
  })
  expect(storageOf({ ...url, ...role, ...KEY }).location).toMatchObject({
    bucket: { credentials: { accessKeyId: 'key' } },
  })
})

test('settings take precedence, and a key in them is used without the session of another', async () => {
  const file = join(await tempDir(), 'coordinator.toml')
  await writeFile(
    file,
    `[storage]
     url = "s3://builds"
     endpoint = "https://s3.example.com"
     access_key_id = "mine"
     secret_access_key = "my secret"
     [storage.previous]
     url = "folder"`,
  )
  const { storage } = readCoordinatorSettings(
    { config: file },
    { ...KEY, AWS_SESSION_TOKEN: 'session', AWS_ENDPOINT_URL: 'https://other.example.com' },
  )
  expect(storage).toMatchObject({
    location: {
      prefix: '',
      bucket: {
        serverAddress: 's3.example.com',
        isInsecure: false,
        credentials: { accessKeyId: 'mine', secretAccessKey: 'my secret' },
      },
    },
    previous: { kind: 'folder' },
  })
  expect(storage.location).not.toHaveProperty('bucket.credentials.sessionToken')
})

test.each([
  [
    { SWITCHYARD_STORAGE_URL: 's3://builds', SWITCHYARD_STORAGE_ENDPOINT: 'https://s3.example.com' },
    'storage: a bucket needs a key: set storage.access_key_id',
  ],
  [
    { SWITCHYARD_STORAGE_URL: 's3://builds', AWS_ACCESS_KEY_ID: 'half of a key' },
    'storage: a bucket needs a key: set storage.access_key_id',
  ],
  [{ ...KEY, SWITCHYARD_STORAGE_URL: 's3://b' }, 'must be s3://bucket'],
  [{ ...KEY, SWITCHYARD_STORAGE_URL: 's3://builds/../x' }, 'must be s3://bucket'],
  [{ ...KEY, SWITCHYARD_STORAGE_URL: 'https://builds' }, 'must be s3://bucket'],
  [
    { ...KEY, SWITCHYARD_STORAGE_URL: 's3://builds', SWITCHYARD_STORAGE_ENDPOINT: 'https://s3/x' },
    'must be the address of a server without a path',
  ],
  [
    { ...KEY, SWITCHYARD_STORAGE_URL: 's3://builds', AWS_ENDPOINT_URL: 'nonsense' },
    'AWS_ENDPOINT_URL: must be the address',
  ],
  [
    {
      SWITCHYARD_STORAGE_URL: 'folder',
      SWITCHYARD_STORAGE_PREVIOUS_URL: 's3://builds',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    'storage.previous: a bucket needs a key',
  ],
  [
    { ...KEY, SWITCHYARD_STORAGE_URL: 's3://builds', SWITCHYARD_STORAGE_PREVIOUS_URL: 's3://builds' },
    'storage.previous: is the same location as storage',
  ],
])('%j is refused', (environment, problem) => {
  expect(() => storageOf(environment as Record<string, string>)).toThrow(problem)
})
