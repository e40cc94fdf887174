import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { createLogger } from '../../src/lib/logger.js'
import type { JobPayload } from '../../src/protocol/job-payload.js'
import type { RunnerRegistration } from '../../src/runner/config/settings.js'
import { type Runner, startRunner } from '../../src/runner/runner.js'
import { gitImage } from '../support/docker-image.js'
import { jobPayload } from '../support/job-payload.js'
import { MisbehavingCoordinator } from '../support/misbehaving-coordinator.js'
import { canStartEngine, PrivateEngine } from '../support/private-engine.js'
import { runnerRegistration } from '../support/running-runner.js'
import { tempDir } from '../support/temp-dir.js'
import { type GitServer, startGitServer } from './workspace/git-server.js'

interface RemoteEngine {
  engine: PrivateEngine
  coordinator: MisbehavingCoordinator
  dataDir: string
  start(registration?: Partial<RunnerRegistration>): Promise<Runner>
  /** What there is at the engine. */
  left(): Promise<string[]>
}

/** An engine that does not see the data of its runner, as one on another machine. */
async function openRemoteEngine(): Promise<RemoteEngine> {
  const directory = await tempDir()
  const dataDir = join(directory, 'data')
  await mkdir(dataDir)
  const [engine, coordinator] = [
    await PrivateEngine.start({ hides: directory }),
    await MisbehavingCoordinator.start(),
  ]
  onTestFinished(() => coordinator.stop())
  const image = await gitImage()
  await engine.take(image)
  const docker = { image, pullPolicy: ['if-not-present' as const], host: engine.host, networkMode: 'none' }
  const start = async (registration: Partial<RunnerRegistration> = {}) => {
    const settings = {
      concurrent: 1,
      checkIntervalSeconds: 0.05,
      shutdownTimeoutSeconds: 30,
      logLevel: 'info' as const,
      dataDir,
      systemId: 's_volumejobs01',
      blockMetadataAddresses: false,
      runners: [runnerRegistration(coordinator.url, { docker, ...registration })],
    }
    const runner = await startRunner(settings, createLogger('runner', 'silent'))
    onTestFinished(() => runner.stopNow('end of the test'))
    return runner
  }
  const left = async () => {
    const containers = await engine.docker.listContainers({ all: true })
    const { Volumes: volumes } = await engine.docker.listVolumes()
    return [...containers.map(({ Names }) => Names.join()), ...volumes.map(({ Name }) => Name)]
  }
  return { engine, coordinator, dataDir, start, left }
}

function job(server: GitServer, sha: string, changes: Partial<JobPayload>): JobPayload {
  const git = {
    ...jobPayload().git_info,
    repo_url: server.repoUrl,
    ref: 'main',
    sha,
    refspecs: ['+refs/heads/main:refs/remotes/origin/main'],
  }
  return jobPayload({ allow_git_fetch: true, git_info: git, ...changes })
}

describe.skipIf(!canStartEngine)('engine without access to the files of the runner', () => {
  test('runs jobs with sources, variables, a cache and artifacts, and leaves nothing', async () => {
    const server = await startGitServer()
    const sha = await server.commit(
      'mkdir dir; echo one > dir/file; echo x > run; chmod 755 run; ln -s dir link',
    )
    const { coordinator, start, left, dataDir } = await openRemoteEngine()
    const cache = [{ key: 'k', paths: ['kept/'], policy: 'pull-push', when: 'on_success' }]
    const artifacts = [
      { name: 'out', paths: ['out/**/*.txt'], artifact_type: 'archive', artifact_format: 'zip' },
    ]
    coordinator.offer(
      job(server, sha, {
        variables: [{ key: 'KEYFILE', value: 'secret\n', file: true }],
        cache,
        artifacts,
        steps: [
          {
            name: 'script',
            script: [
              'cat dir/file link/file "$KEYFILE"; test -x run',
              'git log --format="commit %s"; git status --porcelain',
              'mkdir -p kept out/sub; echo cached > kept/file; echo y > out/sub/a.txt; touch out/other',
              'ln -s /etc/passwd out/link.txt; rm -rf link; ln -s /etc link; mkfifo pipe',
              'echo LEFT=over >> "$GITLAB_ENV"; echo z > /outside',
            ],
          },
          { name: 'after_script', script: ['cat /outside; echo "$LEFT $CI_JOB_STATUS"'] },
        ],
      }),
    )
    const runner = await start()
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    const trace = coordinator.trace(124)
    expect(coordinator.finalUpdate(124)?.state, trace).toBe('success')
    expect(trace).toContain('one\none\nsecret\n')
    expect(trace).toContain('commit change\n')
    expect(trace).toContain('z\nover success\n')
    expect(trace).toContain('out/**/*.txt: found 2 matching')
    expect(coordinator.callsOf('upload')).toHaveLength(1)

    const next = await server.commit('rm run; echo two > dir/file')
    const look = [{ name: 'script', script: ['cat kept/file dir/file; ls'] }]
    coordinator.offer(job(server, next, { id: 125, cache, steps: look }))
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
    expect(coordinator.trace(125)).toContain('cached\ntwo\ndir\nkept\nlink\n')
    await runner.stopGracefully()
    expect(await left()).toEqual([])
    expect(await readdir(dataDir)).not.toContainEqual(expect.stringContaining('probe'))
  })
})
