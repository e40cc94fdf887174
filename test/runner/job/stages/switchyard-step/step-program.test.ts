import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { readMarkName } from '../../../../../src/runner/job/stages/line-marks.js'
import { scriptSteps } from '../../../../../src/runner/job/stages/script-steps.js'
import { scriptText } from '../../../../../src/runner/job/stages/script-text.js'
import { isFunctionDefinition } from '../../../../../src/runner/job/stages/switchyard-step/function-definition.js'
import {
  SAVE_SCRIPT,
  SAVE_SCRIPT_FILE,
} from '../../../../../src/runner/job/stages/switchyard-step/saved-environment.js'
import { stepFiles } from '../../../../../src/runner/job/stages/switchyard-step/step-files.js'
import { readCreatedFiles } from '../../../../../src/runner/workspace/created-files.js'
import { MARKS_DIRECTORY } from '../../../../../src/runner/workspace/layout.js'
import { sampled } from '../../../../support/nightly.js'
import { tempDir } from '../../../../support/temp-dir.js'

const SHELLS = ['dash', 'bash', 'busybox'].filter((shell) => spawnSync('which', [shell]).status === 0)

interface Held {
  temporaryDir: string
  /** What the job printed. */
  output: string
  status: number | null
  /** Lets the checks of the script succeed. */
  fix(): void
  /** Runs a command in a shell that has the variables of the container only. */
  enter(command: string): { output: string; status: number | null }
}

/** Runs a script as a job that may be held, and writes the files of `switchyard-step`. */
async function hold(shell: string, commands: string[], afterCommands: string[] = []): Promise<Held> {
  const root = await tempDir()
  const fixed = join(root, 'fixed')
  const projectDir = join(root, 'project')
  const temporaryDir = join(root, 'project.tmp')
  const left = join(temporaryDir, MARKS_DIRECTORY)
  for (const directory of [projectDir, left]) mkdirSync(directory, { recursive: true })
  writeFileSync(join(temporaryDir, SAVE_SCRIPT_FILE), SAVE_SCRIPT)
  const variables = [
    { key: 'GIVEN', value: "it's given" },
    { key: 'TO_UNSET', value: 'set' },
    { key: 'CI_FIXED', value: fixed },
  ]
  // A program that is called `ash` is the shell of BusyBox.
  const ownShell = join(root, shell === 'busybox' ? 'ash' : shell)
  symlinkSync(`/bin/${shell}`, ownShell)
  const environment = {
    PATH: process.env['PATH'] ?? '',
    ...Object.fromEntries(variables.map(({ key, value }) => [key, value])),
  }
  const run = (section: string, lines: string[]) => {
    const prefix = join(left, section)
    const saves = { saveScript: join(temporaryDir, SAVE_SCRIPT_FILE), prefix }
    const text = scriptText({
      variables,
      commands: lines,
      projectDir,
      environmentFile: join(temporaryDir, 'gitlab_runner_env'),
      trace: false,
      marks: prefix,
      saves,
    })
    writeFileSync(join(temporaryDir, 'stage-script'), text)
    return spawnSync('sh', ['-c', 'exec "$@" 2>&1', 'sh', ownShell, join(temporaryDir, 'stage-script')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: projectDir,
      env: environment,
      timeout: 8000,
    })
  }
  const { stdout, status } = run('step_script', commands)
  const after = afterCommands.length > 0 ? run('after_script', afterCommands) : undefined
  const created = await readCreatedFiles(left, AbortSignal.timeout(5000))
  const stepsOf = (section: string, lines: string[], exitCode: number | null) => {
    const marks = created.flatMap(({ name, createdAt }) => {
      const mark = readMarkName(name, section)
      return mark ? [{ ...mark, at: createdAt }] : []
    })
    return scriptSteps(
      { section, commands: lines, exitCode, beganAt: undefined, endedAt: Date.now() },
      marks,
      lines,
    )
  }
  const files = stepFiles(
    [
      { section: 'step_script', title: 'script', commands },
      { section: 'after_script', title: 'after_script', commands: afterCommands },
    ],
    [
      ...stepsOf('step_script', commands, status),
      ...stepsOf('after_script', afterCommands, after?.status ?? null),
    ],
    temporaryDir,
  )
  for (const { name, content, mode } of files) {
    const path = join(temporaryDir, name)
    rmSync(path, { force: true })
    // The first shell that is found, and that of the program.
    const shells = content.replace('for switchyard_shell in ', `for switchyard_shell in ${ownShell} `)
    writeFileSync(path, shells.replace('#!/bin/sh', `#!${ownShell}`))
    chmodSync(path, mode)
  }
  return {
    temporaryDir,
    output: stdout,
    status,
    fix: () => writeFileSync(fixed, ''),
    enter: (command) => {
      const entered = spawnSync(ownShell, ['-c', command], {
        encoding: 'utf8',
        // A shell of bash reads ~/.bashrc if its input is a socket.
        stdio: ['ignore', 'pipe', 'pipe'],
        cwd: projectDir,
        env: { ...environment, PATH: `${environment.PATH}:${temporaryDir}`, NOISE: 'of the new shell' },
        timeout: 8000,
      })
      return { output: entered.stdout + entered.stderr, status: entered.status }
    },
  }
}

interface Form {
  /** Their check fails until it is fixed. */
  commands: string[]
  /** The line from which it runs again without being asked. Not checked if absent. */
  from?: number
  /** What the lines print that run again. */
  prints: string
  shells?: string[]
}

const CHECK = 'test -e "$CI_FIXED"'

const FORMS: Record<string, Form> = {
  'line 3 of 7': {
    commands: ['a=1', 'b=2', CHECK, 'echo "$a"', 'echo "$b"', 'echo six', 'echo seven'],
    from: 3,
    prints: '1\n2\nsix\nseven\n',
  },
  'a pipeline': {
    commands: ['a=1', `${CHECK} && echo "in $a" | cat || (exit 3)`, 'echo end'],
    from: 2,
    prints: 'in 1\nend\n',
  },
  'a block of several lines': {
    commands: ['a=1', `b=2\nif true; then\n  ${CHECK}\nfi\necho "$a$b"`, 'echo end'],
    from: 2,
    prints: '12\nend\n',
  },
  'a function of an earlier line': {
    commands: [`f() { ${CHECK}; echo "in f $1"; }`, 'a=1', 'f "$a"', 'f end'],
    from: 3,
    prints: 'in f 1\nin f end\n',
  },
  'a function over several entries': {
    commands: ['f() {', CHECK, '}', 'f', 'echo end'],
    prints: 'end\n',
  },
  'a loop over several entries': {
    commands: ['a=1', 'for x in 1 2; do', CHECK, 'done', 'echo "end $a"'],
    from: 2,
    prints: 'end 1\n',
  },
  'another directory': {
    commands: [
      'mkdir -p "sub dir/it\'s"',
      'cd "sub dir/it\'s"',
      CHECK,
      'basename "$PWD"; cd - >/dev/null; basename "$PWD"',
    ],
    from: 3,
    prints: "it's\nproject\n",
  },
  'variables of all kinds': {
    commands: [
      'plain="a  b"; export SENT="it\'s \\"sent\\" \\$x"; lines="one\n two\n"; unset TO_UNSET; empty=',
      'readonly fixed=f; TO_UNSET2=${TO_UNSET-gone}',
      CHECK,
      'echo "$plain|$lines|$fixed|$TO_UNSET2|${TO_UNSET-gone}|${empty-unset}|${NOISE-none}|$GIVEN"',
      'sh -c \'echo "$SENT|${plain-not sent}"\'',
    ],
    from: 3,
    prints: 'a  b|one\n two\n|f|gone|gone||none|it\'s given\nit\'s "sent" $x|not sent\n',
  },
  'the arguments': {
    commands: ["set -- 'a b' \"it's\" '' \"'\"", CHECK, 'printf "<%s>" "$#" "$@"; echo'],
    from: 2,
    prints: "<4><a b><it's><><'>\n",
  },
  'set +e': {
    commands: ['set +e', CHECK, 'false', 'echo "after $?"', `${CHECK} || exit 4`],
    from: 5,
    prints: '',
  },
  'set -u': {
    commands: [
      'set -u',
      `${CHECK} || echo "$nothing"`,
      'echo "${nothing-none}"',
      'set +u',
      'echo "$nothing."',
    ],
    from: 2,
    prints: 'none\n.\n',
  },
  'set -f, IFS and umask': {
    commands: ['set -f; IFS=,; umask 027', CHECK, 'x="a,b *"; set -- $x; echo "$1|$2"; umask'],
    from: 2,
    prints: 'a|b *\n0027\n',
  },
  'set -C': {
    commands: ['set -C; : >new', CHECK, '(echo x >new) 2>/dev/null || echo kept'],
    from: 2,
    prints: 'kept\n',
  },
  'arrays, shopt, functions and a trap of bash': {
    commands: [
      'shopt -s extglob; declare -A map=([a]="1 2" [b]="it\'s"); list=(x "y z"); declare -i n=5',
      'g() { echo "g ${list[1]}"; }; export -f g; trap \'echo bye\' EXIT; alias e=echo; shopt -s expand_aliases',
      CHECK,
      'echo "${map[a]}|${map[b]}|${#list[@]}"; n+=2; echo "$n"; g; bash -c g || true; e alias',
      'case aab in +(a)b) echo extglob ;; esac',
    ],
    from: 3,
    prints: "1 2|it's|2\n7\ng y z\ng \nalias\nextglob\nbye\n",
    shells: ['bash'],
  },
  'exit in the middle': { commands: ['a=1', `${CHECK} || exit 7`, 'echo "$a"'], from: 2, prints: '1\n' },
}

function linesBetween(output: string): string {
  return output
    .split('\n')
    .filter(
      (line) =>
        !line.startsWith('\u001b[32;1m$ ') && !line.startsWith('Running "') && !line.startsWith('Line '),
    )
    .join('\n')
    .replace(/Exit code \d+\n$/, '')
}

describe.each(SHELLS)('%s', (shell) => {
  const rows = Object.entries(FORMS).filter(([, { shells }]) => !shells || shells.includes(shell))

  test.each(sampled(rows, 4))(
    'runs again from the failed line: %s',
    async (_name, { commands, from, prints }) => {
      const { enter, status, output, fix } = await hold(shell, commands)
      expect(status, output).not.toBe(0)
      const failed = enter('switchyard-step run')
      expect(failed.output).toContain(`Running "script" from line ${from ?? ''}`)
      expect(failed.status).toBe(status)
      fix()
      const passed = enter('switchyard-step run')
      expect(linesBetween(passed.output)).toBe(prints)
      expect(passed.status).toBe(0)
    },
  )
})

describe.each(sampled(SHELLS, 1))('%s, in a job of two scripts', (shell) => {
  const commands = ['echo one', 'true', 'a=1', `${CHECK} || (exit 7)`, 'echo "five $a"']

  test('the lines are listed with their exit codes, and those that ran again with the new ones', async () => {
    const { enter, fix } = await hold(shell, commands, ['echo cleanup'])
    const first = enter('switchyard-step').output
    expect(first.replaceAll(/\d+\.\d s/g, 'N s')).toBe(`script
     1  exit 0       N s  echo one
     2  exit 0       N s  true
     3  exit 0       N s  a=1
>    4  exit 7       N s  ${commands[3] ?? ''}
     5                      echo "five $a"
after_script
     1  exit 0       N s  echo cleanup

switchyard-step                    list the lines of the scripts, with exit codes and times
switchyard-step run                run again from the line that failed, with the environment as it was
switchyard-step run [SCRIPT] LINE  run again from another line
`)
    fix()
    expect(enter('switchyard-step run 3').output).toContain('five 1')
    expect(enter('switchyard-step').output.replaceAll(/ +\d+(?:\.\d)? s/g, ' N s')).toContain(`
     3  exit 0 N s  a=1
     4  exit 0 N s  ${commands[3] ?? ''}
     5  exit 0 N s  echo "five $a"
`)
    expect(enter('switchyard-step run after_script 1').output).toContain('cleanup')
  })

  test('a line that did not run gets the environment before the last one that did, and says so', async () => {
    const { enter } = await hold(shell, commands)
    const { output, status } = enter('switchyard-step run 5')
    expect(output).toContain('Line 5 did not run. It gets the environment before line 4.\n')
    expect(output).toContain('\nfive 1\n')
    expect(status).toBe(0)
  })

  test.each([
    ['run 6', '"script" has the lines 1 to 5'],
    ['run 0', '"script" has the lines 1 to 5'],
    ['run other 1', 'There is no script "other"'],
    ['run script x', '"x" is not the number of a line'],
    [
      'run after_script',
      'It is not known that a line of "after_script" failed. Name the line: switchyard-step run after_script 1',
    ],
  ])('"switchyard-step %s" says what is wrong', async (words, message) => {
    const { enter } = await hold(shell, commands, ['true'])
    const { output, status } = enter(`switchyard-step ${words}`)
    expect(output).toContain(`switchyard-step: ${message}\n`)
    expect(status).toBe(2)
  })

  const LEFT = '"../project.tmp/script-lines"'

  test.each([
    ['removes what it has saved', `rm -f ${LEFT}/*.env`],
    ['cuts off what it has saved', `for f in ${LEFT}/*.env; do head -c 300 "$f" >x; cp x "$f"; done`],
    [
      'puts a directory in the place of what it has saved',
      `cd ${LEFT}; rm -f *.env; mkdir step_script.4.env`,
    ],
    ['puts a pipe in the place of what it has saved', `cd ${LEFT}; rm -f *.env; mkfifo step_script.4.env`],
  ])('a script that %s gets a clear message', async (_name, damage) => {
    const { enter } = await hold(shell, ['true', 'true', 'true', `${damage}; exit 3`])
    const { output, status } = enter('switchyard-step run')
    expect(output).toContain('The environment before line 4 was not saved.')
    expect(status).toBe(2)
  })

  test('what a script leaves in the place of results is not run', async () => {
    const left = `printf '1 0 0\n$(touch made) \`touch made\` x\n2 $(touch made) a[$(touch made)]\n' >${LEFT}/step_script.again`
    const { enter } = await hold(shell, ['true', `${left}; false`])
    expect(enter('switchyard-step').output).toContain('ended')
    expect(enter('ls').output).toBe('')
  })
})

test.each([
  ['f() { echo; }', true],
  ['f () {\n  echo "}"\n}', true],
  ['function f() { case x in x) echo ;; esac; }', true],
  ['f() { if true; then { echo; }; fi; }', true],
  ['f() { echo ${x}; } ', true],
  ['f() { echo; }; f', false],
  ['f() { echo; }\nf', false],
  ['f() { echo; } && f', false],
  ['f() ( echo )', false],
  ['f() { cat <<E\n}\nE\n}', false],
  ["f() { echo '; }", false],
  ['echo f() { }', false],
])('sees whether %j only defines a function', (command, expected) => {
  expect(isFunctionDefinition(command)).toBe(expected)
})
