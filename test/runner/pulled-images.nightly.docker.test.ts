import { join } from 'node:path'

import { beforeAll, expect, onTestFinished, test } from 'vitest'

import { createLogger } from '../../src/lib/logger.js'
import type { JobPayload } from '../../src/protocol/job-payload.js'
import type { RunnerRegistration } from '../../src/runner/config/settings.js'
import { startRunner } from '../../src/runner/runner.js'
import { busyboxImage } from '../support/docker-image.js'
import { jobPayload } from '../support/job-payload.js'
import { MisbehavingCoordinator } from '../support/misbehaving-coordinator.js'
import { REGISTRY_USER, startRegistry } from '../support/registry.js'
import { runnerRegistration } from '../support/running-runner.js'
import { tempDir } from '../support/temp-dir.js'
import { startFakeRegistry } from './executor/fake-registry.js'

let image: string

beforeAll(async () => {
  image = await busyboxImage()
})

/** The runner as it is started by `switchyard runner run`, on the machine's engine. */
async function startDockerRunner(
  registration: Partial<RunnerRegistration> = {},
): Promise<MisbehavingCoordinator> {
  const directory = await tempDir()
  const coordinator = await MisbehavingCoordinator.start()
  onTestFinished(() => coordinator.stop())
  const runner = await startRunner(
    {
      concurrent: 2,
      checkIntervalSeconds: 0.05,
      shutdownTimeoutSeconds: 30,
      logLevel: 'info',
      dataDir: join(directory, 'data'),
      systemId: 's_dockerjobs01',
      blockMetadataAddresses: false,
      runners: [
        runnerRegistration(coordinator.url, {
          docker: { image, pullPolicy: ['if-not-present'] },
          ...registration,
        }),
      ],
    },
    createLogger('runner', 'silent'),
  )
  onTestFinished(() => runner.stopNow('end of the test'))
  return coordinator
}

/** Sources have tests of their own. */
function withoutSources(changes: Partial<JobPayload>): JobPayload {
  const variables = [{ key: 'GIT_STRATEGY', value: 'none' }, ...(changes.variables ?? [])]
  return jobPayload({ ...changes, variables })
}

test('an image pull over prepare_timeout fails the job and names the setting', async () => {
  const registry = await startFakeRegistry()
  const coordinator = await startDockerRunner({ prepareTimeoutSeconds: 0.5 })
  const name = `${registry.host}/slow:1`
  coordinator.offer(withoutSources({ image: { name, pull_policy: ['if-not-present'] } }))
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  expect(coordinator.finalUpdate(124)).toMatchObject({ failure_reason: 'job_execution_timeout' })
  expect(coordinator.trace(124)).toContain('preparing the executor took longer than')
  expect(coordinator.trace(124)).toContain('prepare_timeout')
})

test('an image of a private registry is pulled with the credentials of the coordinator', async () => {
  const registry = await startRegistry({ withPassword: true })
  const coordinator = await startDockerRunner()
  const credentials = [{ type: 'registry', url: registry.host, ...REGISTRY_USER }]
  const name = await registry.push('group/private:1')
  coordinator.offer(
    withoutSources({
      image: { name, pull_policy: ['if-not-present'] },
      credentials,
    }),
  )
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  const trace = coordinator.trace(124)
  expect(trace).toContain('Authenticating with credentials from job payload (GitLab Registry)')
  expect(trace).toContain(`Using docker image sha256:`)
})
