import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'

import { pushPipeline, startCiCoordinator } from '../support/ci-coordinator.js'
import { RunnerClient } from '../support/runner-client.js'
import { EXTERNAL_URL } from '../support/test-app.js'

const FILE = `
job:
  script: [a]
  variables: { HOST: vault.example }
  id_tokens:
    VAULT: { aud: 'https://$HOST' }
    BOTH: { aud: [one, two] }
`

test('a job gets the tokens that it asks for, each masked and for its audience', async () => {
  const coordinator = await startCiCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, FILE)
  const job = await runner.takeJob()
  const tokens = job.variables.filter(({ key }) => key === 'VAULT' || key === 'BOTH')
  expect(tokens.map(({ public: isPublic, masked }) => [isPublic, masked])).toEqual([
    [false, true],
    [false, true],
  ])
  const [vault, both] = tokens.map(({ value }) => decodeJwt(value))
  expect(vault).toMatchObject({ iss: EXTERNAL_URL, aud: 'https://vault.example', job_id: String(job.id) })
  expect(both).toMatchObject({ iss: EXTERNAL_URL, aud: ['one', 'two'] })
  expect(vault?.jti).not.toBe(both?.jti)
})

const DEPLOYMENTS = `
default: { id_tokens: { TOKEN: { aud: one } } }
live: { script: [a], environment: live }
other: { script: [a], environment: other }
`

test('the token of a job says whether the environment of the job is protected in its project', async () => {
  const coordinator = await startCiCoordinator()
  const { app, admin, project } = coordinator
  const protection = { name: 'live', deploy_access_levels: [{ access_level: 40 }] }
  const created = await app.call(admin, `POST /projects/${project.id}/protected_environments`, protection)
  expect(created.statusCode).toBe(201)
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, DEPLOYMENTS)
  const claims = []
  for (const job of [await runner.takeJob(), await runner.takeJob()]) {
    const { environment, environment_protected } = decodeJwt(valueOf(job.variables, 'TOKEN'))
    claims.push([environment, environment_protected])
  }
  expect(claims.sort()).toEqual([
    ['live', 'true'],
    ['other', 'false'],
  ])
})

function valueOf(variables: { key: string; value: string }[], key: string): string {
  return variables.find((variable) => variable.key === key)?.value ?? ''
}
