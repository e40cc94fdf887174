import { createHash } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import type { ScriptStep } from '../../../src/protocol/script-step.js'
import { ExecutorError } from '../../../src/runner/executor/executor.js'
import { SourcesError } from '../../../src/runner/workspace/workspace.js'
import { jobPayload } from '../../support/job-payload.js'
import { runnerUnderTest } from '../../support/running-runner.js'

const script = (...commands: string[]) => ({ name: 'script', script: commands })
const nativeJob = (run: object[]) => {
  const { steps: _, ...rest } = jobPayload({ variables: [{ key: 'CI_JOB_NAME', value: 'build' }] })
  return { ...rest, run: JSON.stringify(run) }
}
const afterScript = (...commands: string[]) => ({ name: 'after_script', script: commands })

describe('job with native steps', () => {
  test('stops at the first failing step', async () => {
    const { coordinator } = await runnerUnderTest()
    coordinator.offer(
      nativeJob([
        { name: 'one', script: 'exit 3' },
        { name: 'two', script: 'echo never' },
      ]),
    )
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)).toMatchObject({ failure_reason: 'script_failure', exit_code: 3 })
    expect(coordinator.trace(124)).not.toContain('never')
  })

  test.each<[string, object[], string]>([
    [
      'from elsewhere',
      [{ name: 'two', step: 'gitlab.com/a/b@v1' }],
      '"two" (2 of 2) under `run` has no script',
    ],
    ['by its newer name', [{ name: 'two', func: './f' }], '`step` and `func` need the step runner'],
    ['with expressions', [{ name: 'two', script: 'echo ${{ inputs.a }}' }], 'expression `${{ … }}`'],
    ['in an unknown form', [{ name: 'two', script: ['x'] }], 'not in a form that this runner knows'],
  ])('does not start with a step %s, and reports the remedy', async (_name, more, message) => {
    const { coordinator } = await runnerUnderTest()
    const failure_reasons = ['runner_unsupported']
    const job = nativeJob([{ name: 'one', script: 'echo begun' }, ...more])
    coordinator.offer({ ...job, features: { ...job.features, failure_reasons } })
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)).toMatchObject({
      state: 'failed',
      failure_reason: 'runner_unsupported',
    })
    expect(coordinator.trace(124)).toContain(message)
    expect(coordinator.trace(124)).not.toMatch(/^begun$/m)
  })
})

describe('successful job', () => {
  test('reports its start, its whole trace and then its result', async () => {
    const { coordinator, executor } = await runnerUnderTest()
    coordinator.offer(jobPayload({ steps: [script('echo hello', 'echo $CI_PROJECT_DIR')] }))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)

    const trace = coordinator.trace(124)
    expect(trace).toContain('Running with switchyard-runner')
    expect(trace).toContain('on tester runner-to, system ID: s_0123456789ab')
    expect(trace).toMatch(/section_start:\d+:step_script\r/)
    expect(trace).toContain('\x1b[32;1m$ echo hello\x1b[0;m\nhello\n')
    expect(trace.endsWith('\x1b[32;1mJob succeeded\x1b[0;m\n')).toBe(true)
    const checksum = `crc32:${crc32(coordinator.traces.get(124) ?? '')
      .toString(16)
      .padStart(8, '0')}`
    expect(coordinator.finalUpdate(124)).toMatchObject({
      state: 'success',
      output: { checksum, bytesize: coordinator.traces.get(124)?.length },
    })
    expect(coordinator.updates[0]?.update).toMatchObject({ state: 'running', output: {} })
    expect(executor.cleanedUp).toBe(1)
  })

  test('runs its hooks around the sources, inside those of the runner, in its own container', async () => {
    const { coordinator, workspaces } = await runnerUnderTest({
      registration: { preGetSourcesScript: 'echo runner first', postGetSourcesScript: 'echo runner last' },
    })
    const hooks = [
      { name: 'post_get_sources_script', script: ['echo job after'] },
      { name: 'pre_get_sources_script', script: ['echo job before', 'echo $CI_PROJECT_DIR'] },
    ]
    const skipping = [{ key: 'GIT_STRATEGY', value: 'none' }]
    coordinator.offer(jobPayload({ hooks }), jobPayload({ id: 125, hooks, variables: skipping }))
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
    const section = /section_start:\d+:get_sources([^]*)section_end:\d+:get_sources/.exec(
      coordinator.trace(124),
    )
    const printed = [...(section?.[1] ?? '').matchAll(/^(?:runner|job) \w+$/gm)].map(([line]) => line)
    expect(printed).toEqual(['runner first', 'job before', 'job after', 'runner last'])
    expect(workspaces.sources).toHaveLength(2)
    expect(coordinator.trace(125)).not.toContain('job before')
  })

  test('runs its native steps in order, each in a shell with its own variables', async () => {
    const { coordinator } = await runnerUnderTest()
    const run = [
      {
        name: 'say',
        script: 'A=lost; B=lost\necho "step $A $GREETING $CI_JOB_NAME"; cd /',
        env: { GREETING: 'hi $X' },
      },
      { name: 'say', script: 'echo "again ${A:-none} ${GREETING:-none} $PWD"' },
    ]
    coordinator.offer(nativeJob(run))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    const trace = coordinator.trace(124)
    expect(trace).toContain('step lost hi $X build\n')
    expect(trace).toMatch(/again none none \S+/)
    expect(trace).toMatch(/section_start:\d+:step_run_1_say\r[^]*section_start:\d+:step_run_2_say\r/)
    expect(coordinator.finalUpdate(124)).toMatchObject({ state: 'success' })
  })

  test('creates its release between script and after-script', async () => {
    const { coordinator } = await runnerUnderTest()
    const release = { tag_name: 'v$NUMBER', description: 'One\nTwo', ref: 'main' }
    const steps = [
      script('echo "script $NUMBER"'),
      { name: 'release', script: ['release-cli create'], release },
      afterScript('echo after'),
    ]
    coordinator.offer(jobPayload({ steps, variables: [{ key: 'NUMBER', value: '1' }] }))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)).toMatchObject({ state: 'success' })
    const [call, ...others] = coordinator.callsOf('release')
    expect(others).toEqual([])
    expect(JSON.parse(call?.body.toString() ?? '')).toEqual({ ...release, tag_name: 'v1' })
    const trace = coordinator.trace(124)
    expect(trace.indexOf('script 1')).toBeLessThan(trace.indexOf('Created the release of v1'))
    expect(trace.indexOf('Created the release of v1')).toBeLessThan(trace.lastIndexOf('after'))
    expect(trace).toMatch(/section_start:\d+:step_release\r/)
  })

  test('creates no release after a failed script, and fails if the release is rejected', async () => {
    const { coordinator } = await runnerUnderTest()
    const body = JSON.stringify({ message: 'Release already exists' })
    const headers = { 'content-type': 'application/json' }
    coordinator.misbehave('release', { status: 409, headers, body })
    const step = { name: 'release', script: [], release: { tag_name: 'v1', description: 'x', ref: 'main' } }
    coordinator.offer(
      jobPayload({ steps: [script('exit 3'), step] }),
      jobPayload({ id: 125, steps: [script('true'), step] }),
    )
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
    expect(coordinator.callsOf('release')).toHaveLength(1)
    expect(coordinator.finalUpdate(124)).toMatchObject({ state: 'failed', exit_code: 3 })
    expect(coordinator.finalUpdate(125)).toMatchObject({ state: 'failed', exit_code: 1 })
    expect(coordinator.trace(125)).toContain('The release of v1 was not created: Release already exists')
  })

  test('has its project in the requested directory', async () => {
    const { coordinator, workspaces, directory } = await runnerUnderTest({
      registration: { buildsDir: tmpdir() },
    })
    const path = `${directory}/chosen`
    const variables = [{ key: 'GIT_CLONE_PATH', value: path }]
    coordinator.offer(jobPayload({ variables, steps: [script('echo "at $CI_PROJECT_DIR"; pwd')] }))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(workspaces.requests[0]).toMatchObject({ projectDir: path, buildsDir: tmpdir() })
    expect(coordinator.trace(124)).toContain(`\nat ${path}\n${path}\n`)
  })

  test('restores caches before dependencies and saves them before artifacts', async () => {
    const { coordinator } = await runnerUnderTest()
    coordinator.artifacts.set(123, Buffer.from('archive'))
    const dependency = {
      id: 123,
      name: 'prepare',
      token: 'token-of-123',
      artifacts_file: { filename: 'a.zip', size: 7 },
    }
    coordinator.offer(
      jobPayload({
        steps: [script('exit 1'), afterScript('true')],
        cache: [{ key: 'gems', paths: ['vendor/'], when: 'always' }],
        artifacts: [{ paths: ['dist/'], when: 'always' }],
        dependencies: [dependency],
      }),
    )
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    const sections = [...coordinator.trace(124).matchAll(/section_start:\d+:(\w+)/g)].map(([, name]) => name)
    expect(sections.slice(2, -1)).toEqual([
      'get_sources',
      'restore_cache',
      'download_artifacts',
      'step_script',
      'after_script',
      'archive_cache_on_failure',
      'upload_artifacts_on_failure',
    ])
    expect(coordinator.finalUpdate(124)).toMatchObject({ failure_reason: 'script_failure', exit_code: 1 })
  })

  test('fails before the script if a cache has an unknown policy', async () => {
    const { coordinator } = await runnerUnderTest()
    const cache = [{ key: 'gems', paths: ['vendor/'], policy: 'sometimes' }]
    coordinator.offer(jobPayload({ steps: [script('echo never')], cache }))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.trace(124)).toContain('ERROR: unknown cache policy "sometimes"')
    expect(coordinator.trace(124)).not.toContain('never')
    expect(coordinator.finalUpdate(124)?.state).toBe('failed')
  })

  test('runs its stages in order, each in a section', async () => {
    const { coordinator } = await runnerUnderTest()
    coordinator.artifacts.set(123, Buffer.from('archive'))
    coordinator.offer(
      jobPayload({
        steps: [script('echo one'), { name: 'release', script: ['echo two'] }, afterScript('echo three')],
        artifacts: [{ paths: ['dist/'] }],
        dependencies: [
          { id: 123, name: 'prepare', token: 'token-of-123', artifacts_file: { filename: 'a.zip', size: 7 } },
          { id: 122, name: 'lint', token: 'token-of-122' },
        ],
      }),
    )
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    const sections = [...coordinator.trace(124).matchAll(/section_start:\d+:(\w+)/g)].map(([, name]) => name)
    expect(sections).toEqual([
      'prepare_executor',
      'prepare_script',
      'get_sources',
      'download_artifacts',
      'step_script',
      'step_release',
      'after_script',
      'upload_artifacts_on_success',
      'cleanup_file_variables',
    ])
    expect(coordinator.callsOf('download').map((call) => call.headers['job-token'])).toEqual(['token-of-123'])
  })

  test('leaves no files of the runner', async () => {
    const { coordinator, runner, workspaces, directory } = await runnerUnderTest()
    coordinator.artifacts.set(123, Buffer.from('archive'))
    const artifacts_file = { filename: 'a.zip', size: 7 }
    coordinator.offer(
      jobPayload({ dependencies: [{ id: 123, name: 'p', token: 'token-of-123', artifacts_file }] }),
    )
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    await runner.stopGracefully()
    expect(workspaces.unpacked).toHaveLength(1)
    expect(workspaces.unpacked.filter((file) => existsSync(file))).toEqual([])
    expect(readdirSync(join(directory, 'data', 'tmp'))).toEqual([])
  })
})

describe('failed job', () => {
  test('script: reports the exit code, runs the after-script, uploads artifacts for failures', async () => {
    const { coordinator, workspaces } = await runnerUnderTest()
    workspaces.files = ['report.txt']
    coordinator.offer(
      jobPayload({
        steps: [script('exit 7', 'echo never'), afterScript('echo status=$CI_JOB_STATUS')],
        artifacts: [
          { name: 'good', paths: ['dist/'], artifact_type: 'archive' },
          { name: 'bad', paths: ['report.txt'], when: 'on_failure', artifact_type: 'archive' },
        ],
      }),
    )
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)).toMatchObject({
      state: 'failed',
      failure_reason: 'script_failure',
      exit_code: 7,
    })
    expect(coordinator.trace(124)).toContain('status=failed\n')
    expect(coordinator.trace(124)).not.toContain('\nnever\n')
    expect(coordinator.trace(124)).toContain('ERROR: Job failed: exit code 7')
    expect(coordinator.callsOf('upload')).toHaveLength(1)
    expect(coordinator.callsOf('upload')[0]?.body.toString()).toContain('filename="bad.zip"')
  })

  test('image: reports that reason, or one that the coordinator knows', async () => {
    const { coordinator, executor } = await runnerUnderTest()
    executor.failPreparation = () => {
      throw new ExecutorError('no such image: nowhere/nothing', 'image_pull_failure')
    }
    coordinator.offer(jobPayload(), jobPayload({ id: 125, features: {} }))
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
    expect(coordinator.finalUpdate(124)?.failure_reason).toBe('image_pull_failure')
    expect(coordinator.finalUpdate(125)?.failure_reason).toBe('runner_system_failure')
    expect(coordinator.trace(124)).toContain('ERROR: Job failed: no such image: nowhere/nothing')
    expect(executor.jobs).toHaveLength(2)
  })

  test('engine: tries three times, then reports a system failure', async () => {
    const { coordinator, executor } = await runnerUnderTest()
    executor.failPreparation = () => {
      throw new ExecutorError('the engine does not respond', 'runner_system_failure')
    }
    coordinator.offer(jobPayload())
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(executor.jobs).toHaveLength(3)
    expect(coordinator.trace(124)).toContain(
      'ERROR: Job failed (system failure): the engine does not respond',
    )
  })

  test('sources: tries as often as configured, without running the script', async () => {
    const { coordinator, workspaces } = await runnerUnderTest()
    workspaces.failSources = () => {
      throw new SourcesError('git fetch failed: not found', 128)
    }
    coordinator.offer(jobPayload({ variables: [{ key: 'GET_SOURCES_ATTEMPTS', value: '3' }] }))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(workspaces.sources).toHaveLength(3)
    const sections = [...coordinator.trace(124).matchAll(/section_start:\d+:(\w+)/g)].map(([, name]) => name)
    expect(sections.slice(2, 6)).toEqual(['get_sources', 'clear_worktree', 'get_sources', 'get_sources'])
    expect(workspaces.cleared).toBe(1)
    expect(coordinator.finalUpdate(124)).toMatchObject({ failure_reason: 'script_failure', exit_code: 128 })
    expect(coordinator.trace(124)).not.toContain('$ echo hello')
  })

  test('hook: reports its exit code, without sources and script', async () => {
    const { coordinator, workspaces } = await runnerUnderTest()
    const hooks = [{ name: 'pre_get_sources_script', script: ['exit 9'] }]
    coordinator.offer(jobPayload({ hooks }))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)).toMatchObject({ failure_reason: 'script_failure', exit_code: 9 })
    expect(coordinator.trace(124)).toContain('pre_get_sources_script failed: exit code 9')
    expect(workspaces.sources).toEqual([])
    expect(coordinator.trace(124)).not.toContain('$ echo hello')
  })

  test('sources: stops at the time limit of the runner', async () => {
    const { coordinator } = await runnerUnderTest({ registration: { getSourcesTimeoutSeconds: 0.2 } })
    const hooks = [{ name: 'pre_get_sources_script', script: ['sleep 600'] }]
    coordinator.offer(jobPayload({ hooks }))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)?.failure_reason).toBe('job_execution_timeout')
    expect(coordinator.trace(124)).not.toContain('$ echo hello')
  })

  test('project directory: rejects one outside the builds directory', async () => {
    const { coordinator } = await runnerUnderTest()
    coordinator.offer(jobPayload({ variables: [{ key: 'GIT_CLONE_PATH', value: '/builds/../etc' }] }))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)?.failure_reason).toBe('script_failure')
    expect(coordinator.trace(124)).toContain('GIT_CLONE_PATH: "/builds/../etc" is not below /builds')
  })

  test('timeout: stops the job', async () => {
    const { coordinator } = await runnerUnderTest()
    coordinator.offer(
      jobPayload({ runner_info: { timeout: 1 }, steps: [script('sleep 600'), afterScript('echo after')] }),
    )
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)?.failure_reason).toBe('job_execution_timeout')
    expect(coordinator.trace(124)).toContain('execution took longer than 1s seconds')
    expect(coordinator.trace(124)).not.toContain('$ echo after')
  })

  test('script timeout: later stages still run', async () => {
    const { coordinator } = await runnerUnderTest()
    coordinator.offer(
      jobPayload({
        variables: [{ key: 'RUNNER_SCRIPT_TIMEOUT', value: '200ms' }],
        steps: [script('sleep 600'), afterScript('echo status=$CI_JOB_STATUS')],
      }),
    )
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)?.failure_reason).toBe('job_execution_timeout')
    expect(coordinator.trace(124)).toContain('status=timedout\n')
  })

  test('after-script: only a warning, unless the job requests otherwise', async () => {
    const { coordinator } = await runnerUnderTest()
    const steps = [script('true'), afterScript('exit 3')]
    const strict = [{ key: 'AFTER_SCRIPT_IGNORE_ERRORS', value: 'false' }]
    coordinator.offer(jobPayload({ steps }), jobPayload({ id: 125, steps, variables: strict }))
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
    expect(coordinator.finalUpdate(124)?.state).toBe('success')
    expect(coordinator.trace(124)).toContain(
      'after_script failed, but job will continue unaffected: exit code 3',
    )
    expect(coordinator.finalUpdate(125)).toMatchObject({ state: 'failed', exit_code: 3 })
  })
})

describe('job cancel', () => {
  test('graceful: the script ends and the after-script runs', async () => {
    const { coordinator } = await runnerUnderTest({ timings: { heartbeat: 200 } })
    coordinator.traceInterval = 1
    coordinator.offer(
      jobPayload({ steps: [script('echo begun', 'sleep 600'), afterScript('echo status=$CI_JOB_STATUS')] }),
    )
    await coordinator.until(() => coordinator.trace(124).includes('\nbegun\n'))
    coordinator.jobStatus.set(124, 'canceling')
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.trace(124)).toContain('status=canceled\n')
    expect(coordinator.trace(124)).toContain('script canceled externally (UI, API)')
    expect(coordinator.finalUpdate(124)?.state).toBe('failed')
  })

  test('forced: nothing further runs, and the container is removed', async () => {
    const { coordinator, executor } = await runnerUnderTest({ timings: { heartbeat: 200 } })
    coordinator.traceInterval = 1
    coordinator.offer(jobPayload({ steps: [script('echo begun', 'sleep 600'), afterScript('echo after')] }))
    await coordinator.until(() => coordinator.trace(124).includes('\nbegun\n'))
    coordinator.jobStatus.set(124, 'canceled')
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.trace(124)).not.toContain('$ echo after')
    expect(executor.cleanedUp).toBe(1)
  })

  test('before the start: the job does not start', async () => {
    const { coordinator, executor } = await runnerUnderTest()
    coordinator.misbehave('update', { status: 403, headers: { 'job-status': 'canceled' } })
    coordinator.offer(jobPayload(), jobPayload({ id: 125 }))
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
    expect(executor.jobs.map((job) => job.jobId)).toEqual([125])
    expect(coordinator.calls.filter((call) => call.path.includes('/124'))).toHaveLength(1)
  })
})

describe('unreliable coordinator', () => {
  test('no byte and no result is lost, whatever happens to the calls', async () => {
    const { coordinator } = await runnerUnderTest()
    coordinator.traceInterval = 1
    coordinator.misbehave('trace', 'cut', 'done-then-cut', { status: 500 }, 'cut', 'done-then-cut')
    coordinator.misbehave('update', 'cut', 'done-then-cut', { status: 400 }, { status: 202 }, { status: 412 })
    const lines = Array.from({ length: 2000 }, (_, index) => `line ${index}`)
    coordinator.offer(
      jobPayload({ steps: [script('i=0; while [ $i -lt 2000 ]; do echo "line $i"; i=$((i+1)); done')] }),
    )
    await coordinator.until(() => coordinator.updates.some(({ update }) => update.state === 'success'))
    await coordinator.until(() => coordinator.trace(124).includes('Job succeeded'))
    const printed = coordinator
      .trace(124)
      .split('\n')
      .filter((line) => /^line \d+$/.test(line))
    expect(printed).toEqual(lines)
    const { output } = coordinator.updates.at(-1)?.update ?? {}
    expect(output?.bytesize).toBe(coordinator.traces.get(124)?.length)
  })

  test('the first lines of a script are sent at once, for any update interval', async () => {
    const { coordinator, directory } = await runnerUnderTest()
    coordinator.traceInterval = 900
    const wait = `echo begun; while [ ! -e ${directory}/go ]; do sleep 0.05; done`
    coordinator.offer(jobPayload({ steps: [script(wait)] }))
    await coordinator.until(() => coordinator.trace(124).includes('\nbegun\n'))
    expect(coordinator.finalUpdate(124)).toBeUndefined()
    writeFileSync(`${directory}/go`, '')
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  })

  test('a large log arrives completely', async () => {
    const { coordinator } = await runnerUnderTest()
    const command = 'head -c 3000000 /dev/zero | tr "\\000" x; echo'
    coordinator.offer(jobPayload({ steps: [script(command)] }))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    const expected = createHash('sha1').update('x'.repeat(3000000)).digest('hex')
    const [run = ''] = /x{1000,}/.exec(coordinator.trace(124)) ?? []
    expect(createHash('sha1').update(run).digest('hex')).toBe(expected)
    expect(Math.max(...coordinator.callsOf('trace').map((call) => call.body.length))).toBeLessThanOrEqual(
      1024 * 1024,
    )
  })

  test('a job that this runner cannot read is rejected with the reason', async () => {
    const { coordinator } = await runnerUnderTest()
    const broken = { ...jobPayload(), steps: 'none' }
    coordinator.offer(broken as never)
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.trace(124)).toContain('this runner cannot read the job: /steps')
    expect(coordinator.finalUpdate(124)?.failure_reason).toBe('runner_system_failure')
  })
})

describe('secrets', () => {
  test('a masked value that is printed in two writes is masked', async () => {
    const { coordinator } = await runnerUnderTest()
    coordinator.offer(
      jobPayload({
        variables: [{ key: 'PASSWORD', value: 'correct-horse', masked: true }],
        steps: [
          script('printf correct-; sleep 0.2; echo horse', 'echo "token $CI_JOB_TOKEN job-token-of-124"'),
        ],
      }),
    )
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.trace(124)).not.toContain('correct-horse')
    expect(coordinator.trace(124)).not.toContain('job-token-of-124')
    expect(coordinator.trace(124)).toContain('\n[MASKED]\n')
  })
})

describe('the lines of the scripts', () => {
  const steps = [
    script('echo one', 'echo correct-horse >/dev/null', 'exit 3', 'echo never'),
    afterScript('echo after'),
  ]
  const variables = [{ key: 'PASSWORD', value: 'correct-horse', masked: true }]

  test('are reported with the result, masked', async () => {
    const { coordinator } = await runnerUnderTest()
    const job = jobPayload({ steps, variables })
    coordinator.offer({ ...job, features: { ...job.features, script_steps: true } })
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    const reported = coordinator.finalUpdate(124)?.script_steps as ScriptStep[]
    expect(
      reported.map(({ section, line, of, text, exit_code }) => [section, line, of, text, exit_code]),
    ).toEqual([
      ['step_script', 1, 4, 'echo one', 0],
      ['step_script', 2, 4, 'echo [MASKED] >/dev/null', 0],
      ['step_script', 3, 4, 'exit 3', 3],
      ['step_script', 4, 4, 'echo never', null],
      ['after_script', 1, 1, 'echo after', 0],
    ])
    expect(reported[3]).toMatchObject({ started_at: null, duration: null })
  })

  test('are not reported to a coordinator that does not store them, and the log is the same', async () => {
    const { coordinator } = await runnerUnderTest()
    const job = jobPayload({ steps, variables })
    const features = { ...job.features, script_steps: true }
    coordinator.offer(job, { ...job, id: 125, features })
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)).not.toHaveProperty('script_steps')
    const outputOf = (id: number) =>
      /\$ echo one[^]*after/.exec(coordinator.trace(id))?.[0].replaceAll(/\d{10}/g, '')
    expect(outputOf(125)).toBe(outputOf(124))
  })
})

describe('artifacts', () => {
  test('are uploaded as one multipart file, in chunks, and again after a failure', async () => {
    const { coordinator, workspaces } = await runnerUnderTest()
    workspaces.files = ['dist/', 'dist/app']
    coordinator.misbehave('upload', 'cut', { status: 500 })
    coordinator.offer(
      jobPayload({
        variables: [{ key: 'NAME', value: 'thing' }],
        artifacts: [
          {
            name: 'a/$NAME',
            paths: ['dist/'],
            expire_in: '1 week',
            artifact_type: 'archive',
            artifact_format: 'zip',
          },
        ],
      }),
    )
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)?.state).toBe('success')
    const uploads = coordinator.callsOf('upload')
    expect(uploads).toHaveLength(3)
    expect(uploads[2]?.path).toBe(
      '/api/v4/jobs/124/artifacts?expire_in=1+week&artifact_format=zip&artifact_type=archive',
    )
    expect(uploads[2]?.headers).toMatchObject({
      'job-token': 'job-token-of-124',
      'transfer-encoding': 'chunked',
    })
    expect(uploads[2]?.body.toString()).toContain(
      'name="file"; filename="thing.zip"\r\nContent-Type: application/octet-stream\r\n\r\nzip of dist/ dist/app\r\n--',
    )
    expect(coordinator.trace(124)).toContain('dist/: found 2 matching artifact files and directories')
  })

  test('over the size limit fail the job without a retry', async () => {
    const { coordinator, workspaces } = await runnerUnderTest()
    workspaces.files = ['big']
    coordinator.misbehave('upload', { status: 413 })
    coordinator.offer(jobPayload({ artifacts: [{ paths: ['big'] }] }))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.callsOf('upload')).toHaveLength(1)
    expect(coordinator.finalUpdate(124)).toMatchObject({ state: 'failed', failure_reason: 'script_failure' })
    expect(coordinator.trace(124)).toContain('413 Payload Too Large')
  })

  test('with patterns that match nothing are a warning', async () => {
    const { coordinator } = await runnerUnderTest()
    coordinator.offer(jobPayload({ artifacts: [{ paths: ['missing/'] }] }))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)?.state).toBe('success')
    expect(coordinator.trace(124)).toContain('WARNING: missing/: no matching files')
    expect(coordinator.callsOf('upload')).toHaveLength(0)
  })

  test('of earlier jobs that cannot be downloaded fail the job', async () => {
    const { coordinator } = await runnerUnderTest()
    coordinator.misbehave('download', { status: 404 })
    const artifacts_file = { filename: 'a.zip', size: 7 }
    coordinator.offer(jobPayload({ dependencies: [{ id: 123, name: 'p', token: 't', artifacts_file }] }))
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)).toMatchObject({ state: 'failed', exit_code: 1 })
    expect(coordinator.callsOf('download')).toHaveLength(1)
  })
})
