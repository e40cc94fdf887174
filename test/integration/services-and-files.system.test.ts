import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { busyboxImage } from '../support/docker-image.js'
import { testAtNight } from '../support/nightly.js'
import { webImage } from '../support/service-images.js'
import { VaultServer } from '../support/vault-server.js'
import { System } from './support/system.js'

let system: System

beforeAll(async () => {
  system = await System.startInProcess()
  await system.startRunner({ networkMode: 'default', flags: ['--allowed-local-hosts', '127.0.0.1'] })
})

afterAll(async () => {
  await system.stop()
})

test('a job with services, as its CI file has them', async () => {
  const project = await system.createProject()
  const pipeline = await project.pushCi(`
default:
  image: {name: ${await busyboxImage()}, pull_policy: if-not-present, docker: {user: "1000"}}
variables: {GREETING: hello}
unit:
  cache: {key: {files: [.gitlab-ci.yml]}, paths: [vendor/]}
  services:
    - ${await webImage()}
    - name: ${await busyboxImage()}
      alias: echo, speaker
      entrypoint: [sh, -c]
      command: ["printf '%s' \\"$WHAT\\" >/tmp/index.html; exec httpd -f -p 8080 -h /tmp"]
      variables: {WHAT: "$GREETING, $CI_JOB_NAME", HEALTHCHECK_TCP_PORT: 8080}
      pull_policy: if-not-present
  script:
    - id -u
    - wget -q -O - http://switchyard-test-web/passwd | grep -c root
    - wget -q -O - http://speaker:8080/
  artifacts: {when: always, name: result, untracked: true, exclude: ["*.tmp"], expire_in: 1 day}
`)
  const finished = await project.finished(pipeline)
  expect(finished.status, (await project.failures(pipeline)).join('\n')).toBe('success')
  const trace = await project.trace(await project.job(pipeline, 'unit'))
  expect(trace).toContain('\n1000\n')
  expect(trace).toContain('hello, unit')
  expect(trace).not.toContain('probably')
})

testAtNight('a hook, a cache under the digest of a file and a report, as the CI file has them', async () => {
  const project = await system.createProject()
  const pipeline = await project.push({
    'deps.lock': 'one',
    '.gitlab-ci.yml': `
image: {name: ${await busyboxImage()}, pull_policy: if-not-present}
hooks-and-all:
  hooks: {pre_get_sources_script: ["echo before the sources"]}
  cache: {key: {files: [deps.lock], prefix: deps}, paths: [vendor/], fallback_keys: [deps-main]}
  script: ["mkdir vendor", "echo kept >vendor/file", "echo '<testsuites/>' >report.xml"]
  artifacts: {reports: {junit: report.xml}}
`,
  })
  const finished = await project.finished(pipeline)
  expect(finished.status, (await project.failures(pipeline)).join('\n')).toBe('success')
  const trace = await project.trace(await project.job(pipeline, 'hooks-and-all'))
  expect(trace).toMatch(/Creating cache deps-[0-9a-f]{40}-(non_)?protected/)
  expect(trace).toContain('before the sources')
  expect(trace).toMatch(/Uploading artifacts as "junit"/)
})

testAtNight('variables of dotenv reports are in the environment of later jobs', async () => {
  const project = await system.createProject()
  const pipeline = await project.pushCi(`
image: {name: ${await busyboxImage()}, pull_policy: if-not-present}
stages: [make, use]
make:
  stage: make
  script: ["echo VERSION=1.2 >one.env", "echo 'TAG = v$VERSION' >two.env"]
  artifacts: {reports: {dotenv: [one.env, two.env]}}
use: {stage: use, script: ['echo "this is <$TAG>"']}
alone: {stage: use, script: ['echo "this is <$TAG>"'], dependencies: []}
`)
  const finished = await project.finished(pipeline)
  expect(finished.status, (await project.failures(pipeline)).join('\n')).toBe('success')
  expect(await project.trace(await project.job(pipeline, 'use'))).toContain('this is <v1.2>')
  expect(await project.trace(await project.job(pipeline, 'alone'))).toContain('this is <>')
})

testAtNight('a job gets its secrets from a Vault that trusts the tokens of this coordinator', async () => {
  const keys = createRemoteJWKSet(new URL(`${system.api.url}/oauth/discovery/keys`))
  const subjects: unknown[] = []
  const vault = await VaultServer.start(async (jwt) => {
    const { payload } = await jwtVerify(jwt, keys, {
      audience: 'https://vault.example',
      issuer: system.api.url,
    })
    return subjects.push(payload.sub) > 0
  })
  vault.contents.set('kv-v2/data/production/db', { data: { data: { password: 'correct-horse' } } })
  const project = await system.createProject()
  const pipeline = await project.pushCi(`
default:
  image: {name: ${await busyboxImage()}, pull_policy: if-not-present}
  id_tokens: {VAULT_TOKEN: {aud: "https://vault.example"}}
known:
  variables: {VAULT_SERVER_URL: "${vault.url}"}
  secrets: {DB_PASSWORD: {vault: production/db/password}}
  script: ['test "$(cat $DB_PASSWORD)" = correct-"horse"', 'cat $DB_PASSWORD']
unknown:
  secrets: {DB_PASSWORD: {vault: production/db/password}}
  script: [echo never]
`)
  await project.finished(pipeline)
  const known = await project.job(pipeline, 'known')
  expect(known.status, await project.trace(known)).toBe('success')
  expect(await project.trace(known)).toContain('[MASKED]')
  expect(await project.trace(known)).not.toContain('correct-horse\n')
  expect(subjects).toEqual([`project_path:${project.path}:ref_type:branch:ref:main`])
  expect(await project.job(pipeline, 'unknown')).toMatchObject({
    status: 'failed',
    failure_reason: 'secrets_provider_not_found',
  })
})
