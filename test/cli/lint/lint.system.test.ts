import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

import { execa } from 'execa'
import { expect, test } from 'vitest'

import { lintCommand } from '../../../src/cli/commands/lint/index.js'
import { type CommandResult, SWITCHYARD } from '../../integration/support/processes.js'
import { runInProcess } from '../../integration/support/run-in-process.js'
import { tempDir } from '../../support/temp-dir.js'

const CI_FILE = `include: [{ local: /ci/test.yml }]
stages: [build, test]
.base:
  tags: [linux]
build:
  extends: .base
  stage: build
  script: make
`

const TEST_FILE = `test:
  stage: test
  script: make test
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
    - if: $DEEP
`

/** A repository with nothing committed yet. */
async function repositoryWith(files: Record<string, string>): Promise<string> {
  const folder = await tempDir()
  await execa('git', ['init', '--quiet', '--initial-branch', 'main', folder])
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

function lint(folder: string, ...args: string[]): Promise<CommandResult> {
  return runInProcess(lintCommand, args, { folder })
}

/** For what reads its standard input or does not accept its arguments. */
async function lintProcess(folder: string, args: string[] = [], input = ''): Promise<CommandResult> {
  const child = spawn(process.execPath, [SWITCHYARD, 'lint', ...args], { cwd: folder })
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { exitCode: child.exitCode, stdout, stderr }
}

test('a correct file is reported as valid, with its jobs', async () => {
  const folder = await repositoryWith({ '.gitlab-ci.yml': CI_FILE, 'ci/test.yml': TEST_FILE })
  expect(await lintProcess(folder)).toEqual({
    exitCode: 0,
    stdout: '.gitlab-ci.yml is valid; a push to main gives 2 jobs:\n  build: build\n  test: test\n',
    stderr: '',
  })
})

test('the jobs are those of the given ref, source and variables', async () => {
  const folder = await repositoryWith({ '.gitlab-ci.yml': CI_FILE, 'ci/test.yml': TEST_FILE })
  const other = await lint(folder, '--ref', 'other', '--source', 'web')
  expect(other.stdout).toBe('.gitlab-ci.yml is valid; a web to other gives 1 job:\n  build: build\n')
  expect((await lint(folder, '--ref', 'other', '--var', 'DEEP=yes')).stdout).toContain('gives 2 jobs')
})

test('inputs of the file are given as text, for any type', async () => {
  const folder = await repositoryWith({
    '.gitlab-ci.yml':
      'spec: { inputs: { times: { type: number }, job-name: {} } }\n---\n' +
      '$[[ inputs.job-name ]]:\n  script: make\n  parallel: $[[ inputs.times ]]\n',
  })
  const { stdout } = await lint(folder, '--input', 'times=2', '--input', 'job-name=test')
  expect(stdout).toContain('test: test 1/2, test 2/2')
  const wrong = await lint(folder, '--input', 'times=many')
  expect(wrong.exitCode).toBe(1)
  expect(wrong.stdout).toContain('`times` input: provided value is not a number')
})

test('a problem is reported with its file and line, and the exit status is 1', async () => {
  const folder = await repositoryWith({
    '.gitlab-ci.yml': CI_FILE,
    'ci/test.yml': TEST_FILE.replace('script: make test', 'script: { make: test }'),
  })
  const { exitCode, stdout } = await lint(folder)
  expect(exitCode).toBe(1)
  expect(stdout).toBe(
    '/ci/test.yml:3:3: error: jobs:test:script config should be a string or a nested array of strings up to 10 levels deep\n' +
      '  3 |   script: { make: test }\n' +
      '    |   ^\n' +
      '.gitlab-ci.yml is not valid: 1 error\n',
  )
})

test('`-` reads standard input, and its problems have its name', async () => {
  const folder = await repositoryWith({})
  const { exitCode, stdout } = await lintProcess(folder, ['-'], 'a:\n  script: x\n  when: soon\n')
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/^standard input:3:3: error: jobs:a when .*\n {2}3 \| {3}when: soon\n/)
})

test('--merged prints only the configuration, which parses to the same value', async () => {
  const folder = await repositoryWith({ '.gitlab-ci.yml': CI_FILE, 'ci/test.yml': TEST_FILE })
  const { stdout, stderr } = await lint(folder, '--merged')
  expect(stderr).toContain('.gitlab-ci.yml is valid')
  expect(stdout).toContain('build:\n  tags:\n    - linux\n  extends: .base\n')
  expect(stdout).not.toContain('include')
  expect((await lintProcess(folder, ['-'], stdout)).stdout).toContain('gives 2 jobs')
})

test('--json prints all details as JSON', async () => {
  const folder = await repositoryWith({
    '.gitlab-ci.yml': `${CI_FILE}  when: soon\n`,
    'ci/test.yml': TEST_FILE,
  })
  const wrong = await lint(folder, '--json')
  expect(wrong.exitCode).toBe(1)
  expect(JSON.parse(wrong.stdout)).toEqual({
    valid: false,
    errors: [
      {
        message: 'jobs:build when should be one of: on_success, on_failure, always, manual, delayed',
        path: ['build', 'when'],
        file: '.gitlab-ci.yml',
        line: 9,
        column: 3,
      },
    ],
    warnings: [],
    jobs: [],
    includes: [{ type: 'local', location: '/ci/test.yml' }],
  })
})

test('a workflow that creates no pipeline is not an error', async () => {
  const folder = await repositoryWith({
    '.gitlab-ci.yml': 'workflow: { rules: [{ if: $NEVER }] }\na: { script: x }\n',
  })
  const { exitCode, stdout } = await lint(folder)
  expect(exitCode).toBe(0)
  expect(stdout).toContain('a push to main gives no pipeline: Pipeline filtered out by workflow rules.')
})

test('files of other projects need a server, and the problem says how to name one', async () => {
  const folder = await repositoryWith({
    '.gitlab-ci.yml': 'include: { project: other/project, file: x.yml }\na: { script: x }\n',
  })
  const { exitCode, stdout } = await lint(folder)
  expect(exitCode).toBe(1)
  expect(stdout).toContain('add a git remote `origin`, or name the server with --server')
})

test('variables come from a file too, and those of the command line win', async () => {
  const folder = await repositoryWith({
    '.gitlab-ci.yml':
      'a: { script: x, rules: [{ if: $A == "one two" }] }\nb: { script: x, rules: [{ if: $B == "2" }] }\n',
    'ci.env': '# comment\n\nA="one two"\nexport B=1\n',
  })
  const file = join(folder, 'ci.env')
  expect((await lint(folder, '--var-file', file, '--json')).stdout).toContain('"name": "a"')
  expect((await lint(folder, '--var-file', file, '--var', 'B=2')).stdout).toContain('test: a, b')
})

test('a suggestion follows the error that it is for', async () => {
  const folder = await repositoryWith({ '.gitlab-ci.yml': 'a:\n  script: x\n  artefacts: {}\n' })
  expect((await lint(folder)).stdout).toBe(
    [
      '.gitlab-ci.yml:3:3: error: jobs:a config contains unknown keys: artefacts',
      '  3 |   artefacts: {}',
      '    |   ^',
      '.gitlab-ci.yml:3:3: warning: Did you mean `artifacts` instead of `artefacts`?',
      '.gitlab-ci.yml is not valid: 1 error',
      '',
    ].join('\n'),
  )
})

test('no path and no link reads files outside the directory', async () => {
  const secret = join(await tempDir(), 'secret.yml')
  await writeFile(secret, 'b: { script: y }\n')
  const folder = await repositoryWith({
    '.gitlab-ci.yml': 'include: { local: link.yml }\na: { script: x }\n',
  })
  await symlink(secret, join(folder, 'link.yml'))
  expect((await lint(folder)).stdout).toContain('Local file `link.yml` does not exist!')
  expect(await lint(folder, secret)).toMatchObject({
    exitCode: 1,
    stderr: `switchyard: ${secret} is not in ${folder}: change to its folder first\n`,
  })
})

test('a missing file and a variable without a value are reported in one sentence', async () => {
  const folder = await repositoryWith({})
  expect(await lint(folder)).toMatchObject({
    exitCode: 1,
    stderr: 'switchyard: .gitlab-ci.yml does not exist: name the CI file, or change to its folder\n',
  })
  const { exitCode, stderr } = await lintProcess(folder, ['--var', 'KEY'])
  expect(exitCode).toBe(1)
  expect(stderr).toContain('A variable must have the form KEY=VALUE.')
})
