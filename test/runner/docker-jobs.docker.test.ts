import { join } from 'node:path'

import { beforeAll, expect, onTestFinished, test } from 'vitest'

import { createLogger } from '../../src/lib/logger.js'
import type { JobPayload } from '../../src/protocol/job-payload.js'
import type { RunnerRegistration } from '../../src/runner/config/settings.js'
import { startRunner } from '../../src/runner/runner.js'
import { busyboxImage, shelllessImage } from '../support/docker-image.js'
import { jobPayload } from '../support/job-payload.js'
import { MisbehavingCoordinator } from '../support/misbehaving-coordinator.js'
import { testAtNight } from '../support/nightly.js'
import { REGISTRY_USER, startRegistry } from '../support/registry.js'
import { runnerRegistration } from '../support/running-runner.js'
import { webImage } from '../support/service-images.js'
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

test('a job with variables, a file, an artifact and an after-script', async () => {
  const coordinator = await startDockerRunner()
  coordinator.offer(
    withoutSources({
      variables: [
        { key: 'KEYFILE', value: 'first\nsecond\n', file: true },
        { key: 'GREETING', value: "it's $CI_CONCURRENT_ID" },
      ],
      steps: [
        {
          name: 'script',
          script: [
            'echo "$GREETING in $PWD"',
            'cat "$KEYFILE"',
            'echo LEFT=over >> "$GITLAB_ENV"',
            'mkdir out; echo x > out/a; echo y > /outside',
          ],
        },
        { name: 'after_script', script: ['cat /outside', 'echo "$LEFT $CI_JOB_STATUS"'] },
      ],
      artifacts: [{ name: 'result', paths: ['out/'], artifact_type: 'archive', artifact_format: 'zip' }],
    }),
  )
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  const trace = coordinator.trace(124)
  expect(trace).toContain("it's 0 in /builds/group/app\n")
  expect(trace).toContain('first\nsecond\n')
  expect(trace).toContain('\ny\n')
  expect(trace).toContain('over success\n')
  expect(coordinator.finalUpdate(124)?.state, trace).toBe('success')
  expect(coordinator.callsOf('upload')[0]?.body.toString('latin1')).toContain('\r\n\r\nPK\x03\x04')
})

test('a failing script reports its exit code', async () => {
  const coordinator = await startDockerRunner()
  coordinator.offer(withoutSources({ steps: [{ name: 'script', script: ['exit 7'] }] }))
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  expect(coordinator.finalUpdate(124)).toMatchObject({ failure_reason: 'script_failure', exit_code: 7 })
})

test('an image without a shell and a missing image are distinguished', async () => {
  const coordinator = await startDockerRunner()
  const never = { pull_policy: ['if-not-present'] }
  coordinator.offer(
    withoutSources({ image: { name: await shelllessImage() } }),
    withoutSources({ id: 125, image: { name: '127.0.0.1:1/none/such:1', ...never } }),
  )
  await coordinator.until(
    () => coordinator.finalUpdate(124) !== undefined && coordinator.finalUpdate(125) !== undefined,
  )
  expect(coordinator.finalUpdate(124)?.state).toBe('failed')
  expect(coordinator.trace(124)).toMatch(/ERROR: Job failed.*sh/)
  expect(coordinator.trace(125)).toContain('127.0.0.1:1/none/such:1')
  expect(coordinator.finalUpdate(125)?.state).toBe('failed')
})

test('a canceled job ends its container and then runs its after-script', async () => {
  const coordinator = await startDockerRunner()
  coordinator.traceInterval = 1
  coordinator.offer(
    withoutSources({
      steps: [
        { name: 'script', script: ['echo begun', 'sleep 600'] },
        { name: 'after_script', script: ['echo "status=$CI_JOB_STATUS"'] },
      ],
    }),
  )
  await coordinator.until(() => coordinator.trace(124).includes('\nbegun\n'))
  coordinator.jobStatus.set(124, 'canceling')
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  expect(coordinator.trace(124)).toContain('status=canceled\n')
})

test('a job reaches its services, and their output is masked', async () => {
  const coordinator = await startDockerRunner()
  const serve = 'echo "key is $KEY"; exec httpd -f -p 80 -h /etc'
  coordinator.offer(
    withoutSources({
      variables: [
        { key: 'CI_DEBUG_SERVICES', value: 'true' },
        { key: 'SECRET', value: 'a-masked-value', masked: true },
      ],
      services: [
        {
          name: await webImage(),
          alias: 'db',
          command: ['sh', '-c', serve],
          variables: [{ key: 'KEY', value: '$SECRET' }],
        },
      ],
      steps: [{ name: 'script', script: ['wget -q -O - http://db/passwd | grep -c root'] }],
    }),
  )
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  const trace = coordinator.trace(124)
  expect(coordinator.finalUpdate(124)?.state, trace).toBe('success')
  expect(trace).toContain('[service:switchyard-test-web-db] key is [MASKED]')
  expect(trace).not.toContain('a-masked-value')
})

testAtNight('an image pull over prepare_timeout fails the job and names the setting', async () => {
  const registry = await startFakeRegistry()
  const coordinator = await startDockerRunner({ prepareTimeoutSeconds: 0.5 })
  const name = `${registry.host}/slow:1`
  coordinator.offer(withoutSources({ image: { name, pull_policy: ['if-not-present'] } }))
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  expect(coordinator.finalUpdate(124)).toMatchObject({ failure_reason: 'job_execution_timeout' })
  expect(coordinator.trace(124)).toContain('preparing the executor took longer than')
  expect(coordinator.trace(124)).toContain('prepare_timeout')
})

testAtNight('an image of a private registry is pulled with the credentials of the coordinator', async () => {
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

test('an unknown option fails the job before anything is created', async () => {
  const coordinator = await startDockerRunner()
  coordinator.offer(withoutSources({ image: { name: image, executor_opts: { docker: { memory: '1g' } } } }))
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  expect(coordinator.finalUpdate(124)).toMatchObject({ failure_reason: 'runner_system_failure' })
  expect(coordinator.trace(124)).toContain('the image of the job has the option "docker.memory"')
  expect(coordinator.trace(124)).not.toContain('Using Docker executor')
})
