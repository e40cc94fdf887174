import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { scriptText } from '../../../../src/runner/job/stages/script-text.js'
import { tempDir } from '../../../support/temp-dir.js'

const SHELLS = [['sh'], ['bash'], ['busybox', 'ash']].filter(([shell = '']) => isThere(shell))

function isThere(shell: string): boolean {
  return spawnSync('which', [shell]).status === 0
}

interface Setting {
  commands: string[]
  variables?: { key: string; value: string }[]
  environmentFile?: string
  environmentPipe?: boolean
}

async function run(shell: string[], setting: Setting) {
  const directory = await tempDir()
  const projectDir = join(directory, "it's a project")
  mkdirSync(projectDir)
  const environmentFile = join(directory, 'env')
  if (setting.environmentFile !== undefined) writeFileSync(environmentFile, setting.environmentFile)
  if (setting.environmentPipe) execFileSync('mkfifo', [environmentFile])
  const file = join(directory, 'script.sh')
  const { commands, variables = [] } = setting
  writeFileSync(file, scriptText({ commands, variables, projectDir, environmentFile, trace: false }))
  const [command = '', ...args] = shell
  const { status, stdout } = spawnSync(command, [...args, file], { encoding: 'utf8', timeout: 4000 })
  return { status, output: stdout.replaceAll('\x1b[32;1m', '<').replaceAll('\x1b[0;m', '>') }
}

describe.each(SHELLS)('%s %s', (...shell) => {
  const inShell = (setting: Setting) => run(shell, setting)

  test('echoes each command before its output', async () => {
    expect(await inShell({ commands: ['echo one', "echo 'it''s' \"$((1+1))\""] })).toEqual({
      status: 0,
      output: "<$ echo one>\none\n<$ echo 'it''s' \"$((1+1))\">\nits 2\n",
    })
  })

  test('shows the first line of a multi-line command and runs all of it', async () => {
    const command = 'cat <<EOF\n a $((2+2))\nEOF\necho end\n'
    expect((await inShell({ commands: [command] })).output).toBe(
      '<$ cat <<EOF # collapsed multi-line command>\n a 4\nend\n',
    )
  })

  test('stops at the first failing command with its exit code', async () => {
    expect(await inShell({ commands: ['echo a', '(exit 7)', 'echo b'] })).toEqual({
      status: 7,
      output: '<$ echo a>\na\n<$ (exit 7)>\n',
    })
  })

  test('ends with the status of the last command, also when a command list fails before', async () => {
    expect((await inShell({ commands: ['false && true', 'echo go on'] })).status).toBe(0)
    expect((await inShell({ commands: ['echo go on', 'false && true'] })).status).toBe(1)
  })

  test('runs in the project directory, without input', async () => {
    expect((await inShell({ commands: ['basename "$PWD"; cat'] })).output).toContain("it's a project\n")
  })

  test('runs all commands in one shell', async () => {
    expect((await inShell({ commands: ['x=1; cd /', 'echo "$x $PWD"'] })).output).toContain('1 /\n')
  })

  test.each([
    ['quotes', `it's "quoted" \\n \`date\` $(date) $HOME`],
    ['lines', 'one\ntwo\n'],
    ['other alphabets', 'Grüße, 世界'],
    ['an asterisk', '*'],
    ['nothing', ''],
  ])('exports values with %s unchanged', async (_name, value) => {
    const { output } = await inShell({
      variables: [{ key: 'VALUE', value }],
      commands: ['printf "[%s]" "$VALUE"'],
    })
    expect(output).toContain(`>\n[${value}]`)
  })

  test('uses the later of two variables and skips invalid names', async () => {
    const variables = ['first', 'second'].map((value) => ({ key: 'A', value }))
    const { output, status } = await inShell({
      variables: [...variables, { key: 'not-a-name', value: 'x' }],
      commands: ['echo "A=$A"'],
    })
    expect({ status, output }).toMatchObject({
      status: 0,
      output: expect.stringContaining('A=second\n') as string,
    })
  })

  test('does not wait for a pipe in the place of the file of GITLAB_ENV', async () => {
    const commands = ['echo next']
    expect(await inShell({ commands, environmentPipe: true })).toEqual({
      status: 0,
      output: '<$ echo next>\nnext\n',
    })
  })

  test('reads what an earlier stage wrote to GITLAB_ENV', async () => {
    const { output, status } = await inShell({
      environmentFile: 'GOOD=a=b c\nno assignment\nbad-name=1\n1X=2\nLAST=$(date)',
      commands: ['echo "$GOOD|$LAST"'],
    })
    expect({ status, output }).toMatchObject({
      status: 0,
      output: expect.stringContaining('a=b c|$(date)\n') as string,
    })
  })
})

test('a failing command of a shell pipeline fails the job if the shell supports it', async () => {
  expect((await run(['bash'], { commands: ['false | cat', 'echo b'] })).status).toBe(1)
})

test('the scripts are tested in more than one shell', () => {
  expect(execFileSync('sh', ['-c', 'echo ok'], { encoding: 'utf8' })).toBe('ok\n')
  expect(SHELLS.length).toBeGreaterThan(1)
})
