import { Command } from 'commander'
import { afterEach, expect, test, vi } from 'vitest'

import {
  registrationFrom,
  registrationOptions,
} from '../../../src/cli/commands/runner/registration-options.js'
import type { Table } from '../../../src/runner/config/table-reader.js'

afterEach(() => vi.unstubAllEnvs())

/** The table that these flags make. */
function table(...flags: string[]): Table {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  registrationOptions().forEach((option) => command.addOption(option))
  command.parse(flags, { from: 'user' })
  return registrationFrom(command.opts())
}

test.each<[string, string[], Table]>([
  ['a text', ['--docker-hostname', 'job'], { docker: { hostname: 'job' } }],
  ['a number below zero', ['--docker-services-limit', '-1'], { docker: { services_limit: -1 } }],
  ['a switch', ['--docker-privileged'], { docker: { privileged: true } }],
  ['a switch that is off', ['--docker-privileged=false'], { docker: { privileged: false } }],
  [
    'a list, with commas in it',
    ['--docker-volumes', '/a:/a:ro,z', '--docker-volumes', '/b'],
    {
      docker: { volumes: ['/a:/a:ro,z', '/b'] },
    },
  ],
  ['one policy', ['--docker-pull-policy', 'never'], { docker: { pull_policy: 'never' } }],
  [
    'two policies',
    ['--docker-pull-policy', 'always', '--docker-pull-policy', 'never'],
    {
      docker: { pull_policy: ['always', 'never'] },
    },
  ],
  [
    'a map',
    ['--docker-tmpfs', '/a:rw,size=1g', '--docker-tmpfs', '/b=rw'],
    {
      docker: { tmpfs: { '/a': 'rw,size=1g', '/b': 'rw' } },
    },
  ],
  [
    'a map as JSON',
    ['--docker-ulimit', '{"nofile":"1024:2048","nproc":64}'],
    {
      docker: { ulimit: { nofile: '1024:2048', nproc: '64' } },
    },
  ],
  [
    'feature flags',
    ['--feature-flags', 'FF_A:true', '--feature-flags', 'FF_B=0'],
    {
      feature_flags: { FF_A: true, FF_B: false },
    },
  ],
  [
    'services',
    ['--docker-services', 'redis', '--docker-services', '{"name":"postgres","alias":"db"}'],
    {
      docker: { services: [{ name: 'redis' }, { name: 'postgres', alias: 'db' }] },
    },
  ],
  [
    'devices of services',
    ['--docker-services-devices', '{"postgres:*":["/dev/null"]}'],
    {
      docker: { services_devices: { 'postgres:*': ['/dev/null'] } },
    },
  ],
  [
    'a cache',
    ['--cache-type', 's3', '--cache-s3-server-side-encryption-key-id', 'k'],
    {
      cache: { Type: 's3', s3: { ServerSideEncryptionKeyID: 'k' } },
    },
  ],
  [
    'the spellings that the reference runner has kept',
    [
      '--docker-tlsverify',
      '--docker-cert-path',
      '/c',
      '--docker-userns',
      'host',
      '--description',
      'd',
      '--cache-max_uploaded_archive_size',
      '5',
      '--cache-s3-authentication_type',
      'iam',
      '--custom_build_dir-enabled',
      '--env',
      'A=1',
    ],
    {
      name: 'd',
      environment: ['A=1'],
      custom_build_dir: { enabled: true },
      docker: { tls_verify: true, tls_cert_path: '/c', userns_mode: 'host' },
      cache: { MaxUploadedArchiveSize: 5, s3: { AuthenticationType: 'iam' } },
    },
  ],
])('flags give %s', (_, flags, expected) => {
  expect(table(...flags)).toEqual(expected)
})

test('variables replace missing flags, one item per line', () => {
  const variables = {
    DOCKER_VOLUMES: '/a\n/b:/b',
    DOCKER_IMAGE: 'from-environment',
    DOCKER_TLS_VERIFY: '1',
    FEATURE_FLAGS: '{"FF_A": true}',
    CACHE_S3_BUCKET_NAME: 'bucket',
    RUNNER_NAME: 'n',
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  expect(table('--docker-image', 'from-flag')).toMatchObject({
    name: 'n',
    feature_flags: { FF_A: true },
    docker: { volumes: ['/a', '/b:/b'], image: 'from-flag', tls_verify: true },
    cache: { s3: { BucketName: 'bucket' } },
  })
})

test.each([
  [['--limit', 'two'], 'It must be a whole number.'],
  [['--docker-privileged=maybe'], 'It must be true or false.'],
  [['--docker-sysctls', 'nothing'], 'It must have the form key=value.'],
  [['--docker-services-devices', '[1]'], 'It must be a JSON object.'],
])('%s is rejected with the reason', (flags, reason) => {
  expect(() => table(...flags)).toThrow(reason)
})
