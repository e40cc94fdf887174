import { createHash, randomBytes } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { testAtNight } from '../support/nightly.js'
import { System } from './support/system.js'

// What the coordinator or the runner decides alone is tested beside them, and not here again.
describe('pipelines on one coordinator and one runner', () => {
  let system: System

  beforeAll(async () => {
    system = await System.startInProcess()
    await system.startRunner({ concurrent: 2 })
  })

  afterAll(async () => {
    await system.stop()
  })

  test('a push runs its stages in order and passes artifacts on', async () => {
    const project = await system.createProject()
    const pipeline = await project.pushCi(`
stages: [build, test, deploy]
compile:
  stage: build
  script: ["mkdir dist", "echo built > dist/app.txt"]
  artifacts: {paths: [dist/]}
unit:
  stage: test
  script: ["grep built dist/app.txt"]
lint:
  stage: test
  script: ["echo linted"]
ship:
  stage: deploy
  needs: [unit, compile]
  script: ["cat dist/app.txt"]
`)
    expect((await project.finished(pipeline)).status).toBe('success')
    expect(await project.statuses(pipeline)).toEqual({
      compile: 'success',
      unit: 'success',
      lint: 'success',
      ship: 'success',
    })
    const trace = await project.trace(await project.job(pipeline, 'ship'))
    expect(trace).toContain('$ cat dist/app.txt')
    expect(trace).toContain('built\n')
    expect(trace).toContain('Job succeeded')
    expect(trace).toMatch(/section_start:\d+:step_script\r/)
  })

  test('a script that exits 7 fails its job with that code and later stages are skipped', async () => {
    const project = await system.createProject()
    const pipeline = await project.pushCi(`
stages: [test, deploy]
unit:
  stage: test
  script: ["echo before", "exit 7", "echo never"]
ship:
  stage: deploy
  script: ["echo shipping"]
`)
    expect((await project.finished(pipeline)).status).toBe('failed')
    const job = await project.job(pipeline, 'unit')
    expect(job).toMatchObject({ status: 'failed', failure_reason: 'script_failure' })
    expect(await project.job(pipeline, 'ship')).toMatchObject({ status: 'skipped' })
    const trace = await project.trace(job)
    expect(trace).toContain('exit code 7')
    expect(trace).not.toContain('\nnever\n')
  })

  test('a job that sleeps is canceled, and its after_script runs', async () => {
    const project = await system.createProject()
    const pipeline = await project.pushCi(`
slow:
  script: ["echo sleeping now", "sleep 600"]
  after_script: ["echo cleaned up as $CI_JOB_STATUS"]
`)
    const job = await project.jobIn(pipeline, 'slow', 'running')
    await project.traceContaining(job, 'sleeping now\n')
    expect((await project.request('POST', `/jobs/${job.id}/cancel`)).status).toBe(201)
    await project.jobIn(pipeline, 'slow', 'canceled')
    expect((await project.finished(pipeline)).status).toBe('canceled')
    expect(await project.trace(job)).toContain('cleaned up as canceled')
  })

  testAtNight('a job that takes too long is stopped with the reason', async () => {
    const project = await system.createProject()
    const pipeline = await project.pushCi(`
slow:
  timeout: 2 seconds
  script: ["sleep 600"]
`)
    expect((await project.finished(pipeline)).status).toBe('failed')
    expect(await project.job(pipeline, 'slow')).toMatchObject({ failure_reason: 'job_execution_timeout' })
  })

  testAtNight('a tag runs the jobs of tags, on its commit', async () => {
    const project = await system.createProject()
    const branch = await project.pushCi(`
check: {except: [tags], script: ["echo checked"]}
release: {only: [tags], script: ['echo "released $CI_COMMIT_TAG"']}
`)
    expect(await project.statuses(branch)).toHaveProperty('check')
    const pipeline = await project.pushTag('v1.0')
    expect((await project.finished(pipeline)).status).toBe('success')
    expect(await project.statuses(pipeline)).toEqual({ release: 'success' })
    expect(await project.trace(await project.job(pipeline, 'release'))).toContain('released v1.0\n')
  })

  testAtNight('a job gets the sources of its commit though its branch has left it', async () => {
    const project = await system.createProject()
    await project.pushCi('first: {script: ["echo a default branch to begin with"]}')
    const manual = 'show: {when: manual, script: ["cat version.txt"]}'
    const left = await project.push({ '.gitlab-ci.yml': manual, 'version.txt': 'old' }, 'topic')
    await project.forcePushWithout('version.txt', 'topic')
    const job = await project.job(left, 'show')
    await project.request('POST', `/jobs/${job.id}/play`)
    await project.jobIn(left, 'show', 'success')
    expect(await project.trace(job)).toContain('old')
  })

  test('an artifact comes back through the API byte for byte', async () => {
    const project = await system.createProject()
    const content = randomBytes(3 * 1024 * 1024)
    const pipeline = await project.push({
      'input.bin': content,
      '.gitlab-ci.yml': `
pack:
  script: ["mkdir -p out/deep", "cp input.bin out/deep/output.bin"]
  artifacts: {paths: ["out/**/*.bin"]}
`,
    })
    expect((await project.finished(pipeline)).status).toBe('success')
    const job = await project.job(pipeline, 'pack')
    expect(job.artifacts.map((artifact) => artifact.file_type)).toContain('archive')
    const file = await project.request('GET', `/jobs/${job.id}/artifacts/out/deep/output.bin`)
    expect(file.status).toBe(200)
    expect(sha256(Buffer.from(await file.arrayBuffer()))).toBe(sha256(content))
    const archive = await project.request('GET', `/jobs/${job.id}/artifacts`)
    expect(
      Buffer.from(await archive.arrayBuffer())
        .subarray(0, 4)
        .toString('latin1'),
    ).toBe('PK\x03\x04')
  })

  testAtNight('a job fetches what the latest successful job of another project has left', async () => {
    const library = await system.createProject()
    const make = (text: string) => `
"make: [x, 1]":
  script: ["echo ${text} > made.txt", "echo MADE=${text} > made.env"]
  artifacts: {paths: [made.txt], reports: {dotenv: made.env}}
`
    expect((await library.finished(await library.pushCi(make('old')))).status).toBe('success')
    expect((await library.finished(await library.pushCi(make('new')))).status).toBe('success')
    const project = await system.createProject()
    const pipeline = await project.pushCi(`
use:
  variables: {REF: main}
  needs: [{project: ${library.path}, ref: $REF, job: "make: [x, 1]", artifacts: true}]
  script: ["grep new made.txt", "test $MADE = new"]
lacks:
  needs: [{project: ${library.path}, ref: nowhere, job: make}]
  script: ["echo never"]
`)
    expect((await project.finished(pipeline)).status).toBe('failed')
    expect(await project.failures(pipeline)).toHaveLength(1)
    const lacks = await project.job(pipeline, 'lacks')
    expect(lacks).toMatchObject({
      failure_reason: 'missing_dependency_failure',
      waiting_for: { reason: 'missing_dependency' },
    })
  })

  test('native steps run in order', async () => {
    const project = await system.createProject()
    const pipeline = await project.pushCi(`
steps:
  run:
    - {name: make, script: "echo made > made.txt; LOST=1", env: {GREETING: hello}}
    - {name: look, script: 'cat made.txt; echo "see $GREETING \${LOST:-nothing}"', env: {GREETING: again}}
`)
    expect((await project.finished(pipeline)).status).toBe('success')
    const steps = await project.job(pipeline, 'steps')
    expect([steps.status, await project.trace(steps)]).toEqual([
      'success',
      expect.stringMatching(/section_start:\d+:step_run_1_make\r[^]*made\nsee again nothing\n/),
    ])
  })

  test('a masked value printed in two halves is masked in the trace', async () => {
    const project = await system.createProject()
    const secret = 'correct-horse-battery'
    const created = await project.request('POST', '/variables', {
      key: 'SECRET',
      value: secret,
      masked: true,
    })
    expect(created.status).toBe(201)
    const pipeline = await project.pushCi(`
whisper:
  script:
    - printf 'the value is %s' "\${SECRET%-battery}"; sleep 1; printf '%s\\n' "-battery"
    - echo done
`)
    expect((await project.finished(pipeline)).status).toBe('success')
    const trace = await project.trace(await project.job(pipeline, 'whisper'))
    expect(trace).toContain('the value is [MASKED]\n')
    expect(trace).not.toContain(secret)
  })

  test('a job clones with its token and reaches the API', async () => {
    const project = await system.createProject()
    const pipeline = await project.pushCi(`
visit:
  script:
    - 'wget -q -O - --header "JOB-TOKEN: $CI_JOB_TOKEN" "$CI_API_V4_URL/job" | grep -q visit'
    - wget -q -O /dev/null "$CI_REPOSITORY_URL/info/refs?service=git-upload-pack"
`)
    expect((await project.finished(pipeline)).status).toBe('success')
  })

  testAtNight('an image that does not exist fails the job with a sentence and the reason', async () => {
    const project = await system.createProject()
    const pipeline = await project.pushCi(`
lost:
  image: 127.0.0.1:9/no/such-image:1
  script: ["echo never"]
`)
    expect((await project.finished(pipeline)).status).toBe('failed')
    const job = await project.job(pipeline, 'lost')
    expect(job.failure_reason).toBe('runner_external_dependency_failure')
    expect(await project.trace(job)).toContain('127.0.0.1:9/no/such-image:1')
  })
})

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
