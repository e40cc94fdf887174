import { expect, test } from 'vitest'

import { planned } from './planned-pod.js'

const auth = (user: string, password: string) => ({
  username: user,
  password,
  auth: Buffer.from(`${user}:${password}`).toString('base64'),
})

const config = (auths: object) => JSON.stringify({ auths })

function authsIn({ secret }: ReturnType<typeof planned>): unknown {
  return JSON.parse(Buffer.from(secret?.data?.['.dockerconfigjson'] ?? '', 'base64').toString())
}

test('credentials of the job come before those of the runner and of the coordinator', () => {
  const plan = planned({
    job: {
      authConfig: config({ 'a.example.com': { auth: auth('job', 'j').auth } }),
      credentials: [
        { type: 'registry', url: 'c.example.com', username: 'token', password: 't' },
        { type: 'registry', url: 'a.example.com', username: 'token', password: 't' },
      ],
    },
    settings: {
      authConfig: config({
        'a.example.com': auth('runner', 'r'),
        'https://index.docker.io/v1/': auth('hub', 'h'),
      }),
      imagePullSecrets: ['first'],
    },
  })
  expect(authsIn(plan)).toEqual({
    auths: {
      'a.example.com': auth('job', 'j'),
      'https://index.docker.io/v1/': auth('hub', 'h'),
      'c.example.com': auth('token', 't'),
    },
  })
  const { metadata, spec } = plan.pod
  expect(plan.secret).toMatchObject({
    type: 'kubernetes.io/dockerconfigjson',
    metadata: { name: metadata?.name, namespace: 'ci', labels: metadata?.labels },
  })
  expect(spec?.imagePullSecrets).toEqual([{ name: 'first' }, { name: metadata?.name }])
})

test('credentials that Kubernetes cannot use are left out, with a warning', () => {
  const { secret, warnings } = planned({
    job: { authConfig: config({ 'a.example.com': { identitytoken: 'x' } }) },
    settings: { authConfig: JSON.stringify({ credHelpers: { 'b.example.com': 'ecr-login' } }) },
  })
  expect(secret).toBeUndefined()
  expect(warnings).toEqual([
    'The token for a.example.com in $DOCKER_AUTH_CONFIG is not used: Kubernetes needs a user name and a password',
    '"credHelpers" and "credsStore" in $DOCKER_AUTH_CONFIG are ignored: images are pulled by the nodes of the cluster',
  ])
})

test('a runner that uses the secrets of the service account creates none and names none', () => {
  const { secret, pod } = planned({
    job: { authConfig: config({ 'a.example.com': auth('job', 'j') }) },
    settings: { useServiceAccountImagePullSecrets: true, imagePullSecrets: ['first'] },
  })
  expect({ secret, names: pod.spec?.imagePullSecrets }).toEqual({ secret: undefined, names: undefined })
})
