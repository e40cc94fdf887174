import { expect, test } from 'vitest'

import {
  idTokenClaims,
  type IdTokenFacts,
  idTokenVariables,
} from '../../../../../src/coordinator/ci/jobs/payload/id-tokens.js'
import { facts } from './payload-facts.js'

const NOW = 1_800_000_000

function claims(
  job: Partial<IdTokenFacts['job']> = {},
  pipeline: Partial<IdTokenFacts['pipeline']> = {},
  isEnvironmentProtected = false,
) {
  const merged = { ...facts, job: { ...facts.job, ...job }, pipeline: { ...facts.pipeline, ...pipeline } }
  return idTokenClaims({ ...merged, isEnvironmentProtected }, NOW)
}

test('ID tokens identify the project, user and ref of the job', () => {
  expect(claims()).toEqual({
    sub: 'project_path:Top/sub/app:ref_type:branch:ref:feature/x',
    iat: NOW,
    nbf: NOW - 5,
    exp: NOW + 1800,
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    namespace_id: '5',
    namespace_path: 'Top/sub',
    project_id: '7',
    project_path: 'Top/sub/app',
    project_visibility: 'private',
    user_id: '9',
    user_login: 'ada',
    user_email: 'ada@example.com',
    pipeline_id: '55',
    pipeline_source: 'push',
    job_id: '124',
    ref: 'feature/x',
    ref_type: 'branch',
    ref_path: 'refs/heads/feature/x',
    ref_protected: 'true',
    runner_id: 4,
    runner_environment: 'self-hosted',
    sha: facts.pipeline.sha,
    ci_config_ref_uri: 'ci.example:8929/Top/sub/app//.gitlab-ci.yml@refs/heads/feature/x',
    ci_config_sha: facts.pipeline.sha,
  })
})

test('ID tokens of a tag job name the tag; without a timeout they are valid for five minutes', () => {
  expect(claims({ timeout: null }, { tag: true, ref: 'v1' })).toMatchObject({
    sub: 'project_path:Top/sub/app:ref_type:tag:ref:v1',
    ref_path: 'refs/tags/v1',
    exp: NOW + 300,
  })
})

test('ID tokens of a merge request name its ref, not the branch that may be in a fork', () => {
  expect(claims({}, { ref: 'refs/merge-requests/1/head' })).toMatchObject({
    sub: 'project_path:Top/sub/app:ref_type:branch:ref:refs/merge-requests/1/head',
    ref: 'refs/merge-requests/1/head',
    ref_path: 'refs/merge-requests/1/head',
    ci_config_ref_uri: 'ci.example:8929/Top/sub/app//.gitlab-ci.yml@refs/merge-requests/1/head',
  })
})

test('ID tokens of a job with an environment name the environment', () => {
  const environment = { name: 'prod/eu', action: 'start' } as const
  expect(claims({ options: { ...facts.job.options, environment } })).toMatchObject({
    environment: 'prod/eu',
    environment_protected: 'false',
    environment_action: 'start',
    deployment_tier: 'production',
  })
  expect(claims({ options: { ...facts.job.options, environment } }, {}, true)).toMatchObject({
    environment_protected: 'true',
  })
})

test('come as masked variables, each with its audience expanded', async () => {
  const idTokens = {
    ONE: { aud: ['https://$HOST'] },
    TWO: { aud: ['a', '$NOBODY', `$LONG`] },
  }
  const job = { ...facts.job, options: { ...facts.job.options, idTokens } }
  const signer = { sign: async (signed: { aud?: string | string[] }) => JSON.stringify(signed.aud) }
  const variables = [
    { key: 'HOST', value: 'old' },
    { key: 'HOST', value: 'vault.example' },
    { key: 'LONG', value: 'x'.repeat(5000) },
  ]
  expect(await idTokenVariables(signer, { ...facts, job, isEnvironmentProtected: false }, variables)).toEqual(
    [
      { key: 'ONE', value: '"https://vault.example"', public: false, masked: true },
      { key: 'TWO', value: '["a","",""]', public: false, masked: true },
    ],
  )
})
