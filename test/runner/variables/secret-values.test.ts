import { expect, test } from 'vitest'

import { registrySecretsOf, secretsOf } from '../../../src/runner/variables/job-variables.js'
import { jobPayload } from '../../support/job-payload.js'

const LOGIN = JSON.stringify({
  auths: {
    'registry.example': { auth: Buffer.from('user:pass:word').toString('base64') },
    'other.example': { username: 'user', password: 'plain', identitytoken: 'identity' },
  },
})

test('the secrets of a job are its masked values, raw and expanded, and its tokens and passwords', () => {
  const payload = jobPayload({
    variables: [
      { key: 'SHOWN', value: 'half' },
      { key: 'HIDDEN', value: 'one-$SHOWN', masked: true },
      { key: 'DOCKER_AUTH_CONFIG', value: LOGIN },
    ],
    services: [{ name: 'db', variables: [{ key: 'PASSWORD', value: 'of-service', masked: true }] }],
    dependencies: [{ id: 1, name: 'build', token: 'dependency-token' }],
    credentials: [{ type: 'registry', url: 'registry.example', username: 'ci', password: 'pull' }],
  })
  expect(secretsOf(payload).sort()).toEqual(
    [
      'job-token-of-124',
      'one-$SHOWN',
      'one-half',
      'of-service',
      'dependency-token',
      'pull',
      Buffer.from('user:pass:word').toString('base64'),
      'pass:word',
      'plain',
      'identity',
    ].sort(),
  )
})

test('credentials in the settings of the runner are secret', () => {
  const configured = [{ key: 'DOCKER_AUTH_CONFIG', value: LOGIN }]
  expect(secretsOf(jobPayload(), configured)).toContain('pass:word')
})

test.each(['', 'no json', '[]', '{"auths":null}', '{"auths":{"a":null}}', '{"auths":{"a":{"auth":1}}}'])(
  'credentials of the form %j have no password',
  (text) => {
    expect(registrySecretsOf([{ key: 'DOCKER_AUTH_CONFIG', value: text }])).toEqual([])
  },
)
