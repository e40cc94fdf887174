import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

import { execa } from 'execa'
import { beforeAll, expect, test } from 'vitest'

import { localCommand } from '../../../src/cli/commands/local/index.js'
import { type CommandResult, SWITCHYARD } from '../../integration/support/processes.js'
import { runInProcess } from '../../integration/support/run-in-process.js'
import { busyboxImage } from '../../support/docker-image.js'
import { dockerLeftovers } from '../../support/docker-leftovers.js'
import { testAtNight } from '../../support/nightly.js'
import { webImage } from '../../support/service-images.js'
import { tempDir } from '../../support/temp-dir.js'

const OWN = ['com.gitlab.gitlab-runner.runner.system_id=local']

let image: string
beforeAll(async () => {
  image = await busyboxImage()
})

interface Project {
  folder: string
  cacheDir: string
}

/** A repository with one commit, and a folder for its caches. */
async function projectWith(ciFile: string, files: Record<string, string> = {}): Promise<Project> {
  const folder = await tempDir()
  await execa('git', ['init', '--quiet', '--initial-branch', 'main', folder])
  for (const [path, content] of Object.entries({ '.gitlab-ci.yml': ciFile, ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  await execa('git', ['add', '--all'], { cwd: folder })
  const people = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  await execa('git', [...people, 'commit', '--quiet', '--message', 'First'], { cwd: folder })
  return { folder, cacheDir: await tempDir() }
}

function start({ folder, cacheDir }: Project, args: string[], environment: Record<string, string> = {}) {
  return spawn(process.execPath, [SWITCHYARD, 'local', '--image', image, '--cache-dir', cacheDir, ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function local({ folder, cacheDir }: Project, ...args: string[]): Promise<CommandResult> {
  return runInProcess(localCommand, ['--image', image, '--cache-dir', cacheDir, ...args], { folder })
}

async function localProcess(
  project: Project,
  args: string[] = [],
  environment: Record<string, string> = {},
): Promise<CommandResult> {
  const child = start(project, args, environment)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { exitCode: child.exitCode, stdout, stderr }
}

const PIPELINE = `
stages: [build, test, deploy]
build:
  stage: build
  script:
    - cat greeting untracked > out
    - echo VERSION=1.2.3 > build.env
    - echo "key $API_KEY"
  artifacts:
    paths: [out]
    reports: { dotenv: build.env }
test:
  stage: test
  cache: { key: { files: [greeting] }, paths: [kept] }
  script:
    - cat out
    - echo "version $VERSION for $TARGET on $CI_COMMIT_BRANCH by $CI_PIPELINE_SOURCE"
    - cat kept 2>/dev/null || echo "nothing kept"
    - echo "kept from before" > kept
broken:
  stage: test
  needs: []
  allow_failure: true
  script: exit 3
later:
  stage: test
  when: delayed
  start_in: 30 minutes
  script: echo now
deploy:
  stage: deploy
  when: manual
  environment: production
  script: echo "deploying $VERSION"
child:
  stage: deploy
  trigger: { include: child.yml, strategy: depend }
elsewhere:
  stage: deploy
  trigger: group/other
on failure:
  stage: deploy
  when: on_failure
  script: echo never
`

test('a pipeline runs with uncommitted changes, passes files and variables on, and leaves nothing', async () => {
  const child = 'inner: { script: echo "inside by $CI_PIPELINE_SOURCE" }\n'
  const project = await projectWith(PIPELINE, { greeting: 'committed\n', 'child.yml': child })
  await writeFile(join(project.folder, 'greeting'), 'changed\n')
  await writeFile(join(project.folder, 'untracked'), 'untracked\n')
  const before = await execa('git', ['status', '--porcelain'], { cwd: project.folder })
  const args = ['--var', 'TARGET=here', '--secret', 'API_KEY']
  const { exitCode, stdout } = await localProcess(project, args, { API_KEY: 'hidden-from-logs' })
  expect(exitCode, stdout).toBe(0)
  const lines = stdout.split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'Left out: Pipelines of other projects are not started, so these jobs do not run (elsewhere)',
      'Left out: Environments and deployments are not recorded (deploy)',
      'build      | key [MASKED]',
      'test       | changed',
      'test       | untracked',
      'test       | version 1.2.3 for here on main by push',
      'test       | nothing kept',
      'later      | delayed by 30m0s in a pipeline; starts at once here',
      'later      | now',
      'child / inner | inside by parent_pipeline',
    ]),
  )
  expect(stdout).not.toContain('hidden-from-logs')
  expect(summaryOf(stdout)).toEqual([
    'build build success',
    'test test success',
    'test broken failed script failure, exit code 3, allowed to fail',
    'test later success',
    'deploy deploy manual manual jobs run if they are named',
    'deploy child success',
    'deploy on failure skipped',
    expect.stringMatching(/^Child pipeline of child: success/),
    'test inner success',
  ])
  expect((await execa('git', ['status', '--porcelain'], { cwd: project.folder })).stdout).toBe(before.stdout)
  expect(await dockerLeftovers(OWN)).toEqual([])
  expect(await runFolders(project)).toEqual([])

  const secret = `API_KEY=${'x'.repeat(8)}`
  const again = await local(
    project,
    'test',
    '--needs',
    '--artifacts',
    'left',
    '--var',
    'TARGET=here',
    '--secret',
    secret,
  )
  expect(again.stdout.split('\n')).toContain('test  | kept from before')
  expect(await readFile(join(project.folder, 'left/build/out'), 'utf8')).toBe('changed\nuntracked\n')
})

/** Of each job: stage, name, status and remark, without its duration. */
function summaryOf(output: string): string[] {
  const [, summary = ''] = output.split('\nPipeline: ')
  return summary
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) =>
      line
        .replace(/\d+\.\d s/, '')
        .replace(/ +/g, ' ')
        .trim(),
    )
}

/** What runs that are over, or were killed, have left. */
async function runFolders({ cacheDir }: Project): Promise<string[]> {
  const [project = ''] = await readdir(cacheDir)
  return readdir(join(cacheDir, project, 'tmp'))
}

test('a failure sets the exit status, also the failure of a chosen job', async () => {
  const project = await projectWith(
    'bad: { script: exit 4 }\nexcused: { script: exit 5, allow_failure: true }\nnext: { stage: deploy, script: echo next }\n',
  )
  const whole = await local(project)
  expect(whole.exitCode).toBe(1)
  expect(summaryOf(whole.stdout)).toEqual([
    'test bad failed script failure, exit code 4',
    'test excused failed script failure, exit code 5, allowed to fail',
    'deploy next skipped',
  ])
  const excused = await local(project, 'excused')
  expect(excused).toMatchObject({ exitCode: 1 })
  expect(excused.stdout).toContain('Named, but not successful: excused')
})

test('jobs are listed by stage with their "when", and nothing runs', async () => {
  const project = await projectWith(PIPELINE)
  expect(await local(project, '--list')).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: [
      'A push to main gives 8 jobs:',
      'build',
      '  build       on_success',
      'test',
      '  test        on_success',
      '  broken      on_success; may fail; needs nothing',
      '  later       delayed; after 30m0s, here at once',
      'deploy',
      '  deploy      manual; environment production',
      '  child       on_success; starts a child pipeline',
      '  elsewhere   does not run locally: it is for the pipeline of another project',
      '  on failure  on_failure',
      '',
    ].join('\n'),
  })
  expect(await readdir(project.cacheDir)).toEqual([])
})

test('an invalid command line has the exit status 2, an invalid file 1', async () => {
  const project = await projectWith('build: { script: make }\n')
  expect(await local(project, 'biuld')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'switchyard: There is no job biuld in this pipeline. Its jobs are: build\n',
  })
  expect(await localProcess(project, ['--concurrency', 'many'])).toMatchObject({ exitCode: 2 })
  expect(await localProcess(project, ['--secret', 'NOT_IN_THE_ENVIRONMENT'])).toMatchObject({ exitCode: 2 })
  await writeFile(join(project.folder, '.gitlab-ci.yml'), 'build: { script: { make: x } }\n')
  const wrong = await local(project)
  expect(wrong.exitCode).toBe(1)
  expect(wrong.stderr).toContain('.gitlab-ci.yml:1:10: error: jobs:build:script config should be a string')
  expect(await runFolders(project)).toEqual([])
})

testAtNight('artifacts that cannot be copied to the chosen folder are reported as a failure', async () => {
  const project = await projectWith('build: { script: echo > out, artifacts: { paths: [out] } }\n', {
    taken: '',
  })
  const { exitCode, stdout } = await local(project, '--artifacts', 'taken')
  expect(exitCode).toBe(1)
  expect(stdout).toContain(`The files cannot be written to ${join(project.folder, 'taken/build')}: ENOTDIR`)
})

test('a pipeline with only triggers of other projects has nothing to run locally', async () => {
  const project = await projectWith('other: { trigger: group/other }\n')
  const { exitCode, stdout } = await local(project)
  expect([exitCode, stdout.split('\n').slice(1)]).toEqual([
    0,
    ['Left out: Pipelines of other projects are not started, so these jobs do not run (other)', ''],
  ])
})

testAtNight('the command ends after a job whose service ended early', async () => {
  const project = await projectWith(`
early:
  services: ["${image}"]
  script: [echo done]
`)
  const { exitCode, stdout } = await localProcess(project)
  expect(exitCode, stdout).toBe(0)
  expect(stdout).toContain('done')
})

testAtNight('a job has its services and its retries', async () => {
  const project = await projectWith(`
fetch:
  services: [{ name: "${await webImage()}", alias: web }]
  retry: 1
  script:
    - wget -q -O - http://web/
    - exit 1
`)
  const { stdout, exitCode } = await local(project)
  expect(exitCode, stdout).toBe(1)
  expect(stdout).toContain('fetch | is retried')
  expect(stdout).toContain('fetch | started (attempt 2)')
  expect(await dockerLeftovers(OWN)).toEqual([])
})

const SLOW = `
slow:
  script: [echo begun, sleep 600]
  after_script: [echo tidied, 'test -z "$HANG" || sleep 600']
next: { stage: deploy, script: echo next }
`

/** What a run prints, as it comes. */
function follow(child: ChildProcess) {
  let printed = ''
  const arrived = new EventEmitter()
  child.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
    arrived.emit('more')
  })
  const closed = once(child, 'close').then(() => 'closed' as const)
  return {
    closed,
    printed: () => printed,
    until: async (wanted: string) => {
      while (!printed.includes(wanted)) {
        const news = await Promise.race([closed, once(arrived, 'more')])
        if (news === 'closed') throw new Error(`The run ended without "${wanted}":\n${printed}`)
      }
    },
  }
}

test('an interrupt lets jobs run their cleanup, and nothing is left', async () => {
  const project = await projectWith(SLOW)
  const child = start(project, [])
  const run = follow(child)
  await run.until('slow | begun')
  child.kill('SIGINT')
  await run.closed
  expect(child.exitCode).toBe(130)
  expect(run.printed()).toContain('slow | tidied')
  expect(summaryOf(run.printed())).toEqual(['test slow canceled', 'deploy next canceled'])
  expect(await dockerLeftovers(OWN)).toEqual([])
  expect(await runFolders(project)).toEqual([])
})

testAtNight('a second interrupt ends them at once, and nothing is left', async () => {
  const project = await projectWith(SLOW)
  const child = start(project, ['--var', 'HANG=yes'])
  const run = follow(child)
  await run.until('slow | begun')
  child.kill('SIGINT')
  await run.until('slow | tidied')
  child.kill('SIGINT')
  await run.closed
  expect(child.exitCode).toBe(130)
  expect(summaryOf(run.printed())).toEqual(['test slow canceled', 'deploy next canceled'])
  expect(await dockerLeftovers(OWN)).toEqual([])
  expect(await runFolders(project)).toEqual([])
})

testAtNight('leftovers of a killed run are removed by the next one', async () => {
  const project = await projectWith(SLOW)
  const child = start(project, [])
  const run = follow(child)
  await run.until('slow | begun')
  child.kill('SIGKILL')
  await run.closed
  expect(await dockerLeftovers(OWN)).toHaveLength(1)
  expect(await local(project, 'next')).toMatchObject({ exitCode: 0 })
  expect(await dockerLeftovers(OWN)).toEqual([])
  expect(await runFolders(project)).toEqual([])
})
