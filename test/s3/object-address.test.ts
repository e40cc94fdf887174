import { describe, expect, test } from 'vitest'

import { objectAddress } from '../../src/s3/object-address.js'
import type { S3Settings } from '../../src/s3/s3-settings.js'
import { SETTING_NAMES } from '../support/s3-server.js'

describe('S3 object URLs', () => {
  const base: S3Settings = {
    serverAddress: undefined,
    bucketName: 'bucket',
    bucketLocation: undefined,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    isInsecure: false,
    pathStyle: undefined,
    isDualStack: true,
    isAccelerated: false,
    encryption: undefined,
    names: SETTING_NAMES,
  }
  test.each<[string, Partial<S3Settings>, string]>([
    ['at Amazon', {}, 'https://bucket.s3.dualstack.us-east-1.amazonaws.com/k'],
    ['in a region', { bucketLocation: 'eu-west-1' }, 'https://bucket.s3.dualstack.eu-west-1.amazonaws.com/k'],
    ['without IPv6', { isDualStack: false }, 'https://bucket.s3.us-east-1.amazonaws.com/k'],
    ['accelerated', { isAccelerated: true }, 'https://bucket.s3-accelerate.amazonaws.com/k'],
    ['with a dot in its name', { bucketName: 'a.b' }, 'https://s3.dualstack.us-east-1.amazonaws.com/a.b/k'],
    [
      'at an address of Amazon',
      { serverAddress: 's3.eu-west-1.amazonaws.com' },
      'https://bucket.s3.eu-west-1.amazonaws.com/k',
    ],
    ['at another server', { serverAddress: 'minio:9000', isInsecure: true }, 'http://minio:9000/bucket/k'],
    [
      'by name at another server',
      { serverAddress: 'minio:9000', pathStyle: false },
      'https://bucket.minio:9000/k',
    ],
  ])('%s', (_where, changes, url) => {
    const { origin, path } = objectAddress({ ...base, ...changes }, 'k')
    expect(origin + path).toBe(url)
  })

  test('encode each component of a name once', () => {
    const { path } = objectAddress({ ...base, serverAddress: 'minio' }, "project/1/a b+c/é'(*)%2f")
    expect(path).toBe('/bucket/project/1/a%20b%2Bc/%C3%A9%27%28%2A%29%252f')
  })
})
