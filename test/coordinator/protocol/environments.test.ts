import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import type { JobPayload } from '../../../src/protocol/job-payload.js'
import { describeOnDatabase } from '../../support/databases.js'
import { type CiCoordinator, pushPipeline, startCiCoordinator } from '../support/ci-coordinator.js'
import { RunnerClient } from '../support/runner-client.js'

/** What a runner announces that can send more than the archive. */
const REPORTS = { info: { features: { upload_multiple_artifacts: true } } }

function environmentValues({ variables }: JobPayload): Record<string, string> {
  const seen = variables.filter(({ key }) => key.startsWith('CI_ENVIRONMENT_'))
  return Object.fromEntries(seen.map(({ key, value }) => [key, value]))
}

function requireEnvironment({ database }: CiCoordinator) {
  return database.selectFrom('environment').selectAll().executeTakeFirstOrThrow()
}

describeOnDatabase('a job with an environment', (open) => {
  test('the job payload contains the environment and the variables scoped to it', async () => {
    const coordinator = await startCiCoordinator({}, open)
    const runner = await RunnerClient.register(coordinator)
    const { database, engine, project } = coordinator
    const scopes = { '*': 'anywhere', 'review/*': 'reviewed', production: 'live' }
    for (const [environment_scope, value] of Object.entries(scopes)) {
      await database
        .insertInto('ci_variable')
        .values({
          project_id: project.id,
          key: 'WHERE',
          variable_type: 'env_var' as const,
          environment_scope,
          value_encrypted: engine.secrets.encrypt(value),
          created_at: Date.now(),
          updated_at: Date.now(),
        })
        .execute()
    }
    const none = await pushPipeline(coordinator, 'plain: { script: x }')
    const plain = await runner.takeJob()
    expect(plain.job_info.pipeline_id).toBe(none.id)
    expect(environmentValues(plain)).toEqual({})
    expect(plain.variables.findLast(({ key }) => key === 'WHERE')?.value).toBe('anywhere')

    await pushPipeline(
      coordinator,
      `
deploy:
  script: x
  environment: { name: "review/$CI_COMMIT_REF_NAME", url: "https://$CI_ENVIRONMENT_SLUG.example" }
`,
    )
    const job = await runner.takeJob()
    const { id, slug } = await requireEnvironment(coordinator)
    expect(environmentValues(job)).toEqual({
      CI_ENVIRONMENT_NAME: 'review/main',
      CI_ENVIRONMENT_ACTION: 'start',
      CI_ENVIRONMENT_TIER: 'development',
      CI_ENVIRONMENT_ID: String(id),
      CI_ENVIRONMENT_SLUG: slug,
      CI_ENVIRONMENT_URL: `https://${slug}.example`,
    })
    expect(job.variables.findLast(({ key }) => key === 'WHERE')?.value).toBe('reviewed')
  })

  test('a dotenv report sets the URL of the environment, which later jobs receive', async () => {
    const coordinator = await startCiCoordinator({}, open)
    const runner = await RunnerClient.register(coordinator)
    await pushPipeline(
      coordinator,
      `
stages: [deploy, check]
deploy:
  stage: deploy
  script: x
  variables: { HOST: "not-yet" }
  artifacts: { reports: { dotenv: a.env } }
  environment: { name: review, url: "https://$HOST.example/$CI_JOB_STAGE" }
check: { stage: check, script: x, environment: { name: review, action: verify } }
`,
    )
    const job = await runner.takeJob(REPORTS)
    expect(environmentValues(job).CI_ENVIRONMENT_URL).toBe('https://not-yet.example/deploy')
    await runner.upload(job, gzipSync('HOST=found-out'), {
      query: 'artifact_type=dotenv&artifact_format=gzip',
      filename: '.env.gz',
    })
    expect((await runner.update(job, 'success')).status).toBe(200)
    expect((await requireEnvironment(coordinator)).external_url).toBe('https://found-out.example/deploy')

    await coordinator.database.updateTable('environment').set({ tier: 'staging' }).execute()
    expect(environmentValues(await runner.takeJob(REPORTS))).toMatchObject({
      CI_ENVIRONMENT_ACTION: 'verify',
      CI_ENVIRONMENT_TIER: 'staging',
      CI_ENVIRONMENT_URL: 'https://found-out.example/deploy',
    })
  })
})
