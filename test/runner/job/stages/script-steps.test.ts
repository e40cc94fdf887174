import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { MAX_SCRIPT_STEPS } from '../../../../src/protocol/script-step.js'
import { isWhole, readMarkName } from '../../../../src/runner/job/stages/line-marks.js'
import { scriptSteps } from '../../../../src/runner/job/stages/script-steps.js'
import { scriptText } from '../../../../src/runner/job/stages/script-text.js'
import {
  SAVE_SCRIPT,
  SAVE_SCRIPT_FILE,
} from '../../../../src/runner/job/stages/switchyard-step/saved-environment.js'
import { readCreatedFiles } from '../../../../src/runner/workspace/created-files.js'
import { sampled } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'

const SHELLS = [['dash'], ['bash'], ['busybox', 'sh']].filter(([shell = '']) => isThere(shell))

function isThere(shell: string): boolean {
  return spawnSync('which', [shell]).status === 0
}

const BASH_ONLY = ['bash']

interface Form {
  commands: string[]
  /** Exit codes of the lines by their marks; null for a line without one. Not checked if absent. */
  codes?: (number | null)[]
  shells?: string[]
  /** The directory of the marks cannot be written. */
  isUnwritable?: boolean
}

const FORMS: Record<string, Form> = {
  'lines that succeed': { commands: ['echo one', 'echo two'], codes: [0, 0] },
  'a line that fails': { commands: ['echo one', '(exit 7)', 'echo three'], codes: [0, 7, null] },
  'exit in the middle': { commands: ['echo one', 'exit 3', 'echo three'], codes: [0, 3, null] },
  'exit 0 in the middle': { commands: ['exit 0', 'false'], codes: [0, null] },
  'set +e': { commands: ['set +e', '(exit 4)', 'echo "$?"', 'false'], codes: [0, 4, 0, 1] },
  'set -e in a list': {
    commands: ['false || echo caught', 'false && echo never', 'echo end'],
    codes: [0, 1, 0],
  },
  pipefail: { commands: ['(exit 5) | cat', 'echo end'] },
  'several lines of text': { commands: ['echo one\necho two\n(exit 2)\necho three'], codes: [2] },
  'an empty line': { commands: ['echo one', '', 'echo two'], codes: [0, null, 0] },
  cd: {
    commands: ['mkdir sub', 'cd sub', 'basename "$PWD"', 'cd nowhere', 'echo end'],
  },
  'a trap of EXIT': { commands: ["trap 'echo bye; exit 9' EXIT", 'echo one', 'false'], codes: [0, 0, 9] },
  'a trap of TERM': { commands: ["trap 'echo term; exit 5' TERM", 'kill -TERM $$', 'sleep 5'] },
  'a trap of ERR': {
    commands: ["trap 'echo err at $LINENO' ERR", 'set +e', 'false', 'echo end'],
    shells: BASH_ONLY,
  },
  'a trap of DEBUG': {
    commands: ['trap \'echo "next: $BASH_COMMAND"\' DEBUG', 'echo one', 'true && true', 'echo end'],
    shells: BASH_ONLY,
  },
  'a function over several lines': { commands: ['f() {', 'echo in f', '}', 'f', 'f | cat'] },
  'an if over several lines': { commands: ['if true; then', 'echo yes', 'else', 'echo no', 'fi'] },
  'a loop over several lines': { commands: ['for x in 1 2 3; do', 'echo "$x"', 'done', 'echo end'] },
  'a subshell over several lines': { commands: ['(', 'cd /', 'echo in', ')', 'basename "$PWD"'] },
  'a line that ends in &&': { commands: ['false &&', 'echo shown', 'echo end'] },
  'a line that ends in |': { commands: ['true |', 'cat', 'echo end'] },
  'a line that ends in a backslash': { commands: ['echo one \\', 'echo two', 'echo three'] },
  'a quote over several lines': { commands: ['echo "one', 'two"', 'echo three'] },
  'a here-document': {
    commands: ["cat <<EOF\n a $((2+2)) it's\nEOF", "cat <<-'END'\n\tb $x\n\tEND\necho c", 'echo d'],
    codes: [0, 0, 0],
  },
  'a here-document over several lines': { commands: ['cat <<EOF', 'text', 'EOF', 'echo end'] },
  'a process in the background': {
    commands: ['sleep 0.2 &', 'p=$!', 'wait "$p"', 'echo "$?"'],
    codes: [0, 0, 0, 0],
  },
  'output to a file': { commands: ['exec 5>&1 >file', 'echo hidden', 'exec >&5', 'cat file'] },
  'output to nowhere': { commands: ['exec >/dev/null 2>&1', 'echo hidden', 'false'], codes: [0, 0, 1] },
  'a closed stderr': { commands: ['exec 2>&-', 'echo one', 'echo two'] },
  'files 8 and 9': {
    commands: ['exec 8>f8 9>f9', 'echo eight >&8; echo nine >&9', 'exec 8>&- 9>&-', 'cat f8 f9'],
  },
  'files 8 and 9 that are closed': {
    commands: ['exec 8>&- 9>&-', '(echo x >&9) 2>/dev/null || echo closed'],
  },
  'set -x': { commands: ['set -x', 'echo one', '(exit 3) || true', 'set +x', 'echo end'] },
  'set -u': { commands: ['set -u', 'echo one', 'echo "$nothing"', 'echo end'] },
  'set -a': { commands: ['set -a', 'x=1', 'env | grep -c switchyard || true'] },
  'set -C': { commands: ['set -C', 'for i in 1 2; do', 'echo "$i"', 'done'] },
  'set -f and IFS': {
    commands: ['set -f; IFS=01279./', 'set +e', '(exit 127)', 'echo "$?"', 'true'],
    codes: [0, 0, 127, 0, 0],
  },
  'the last argument': { commands: ['echo one two', 'echo "$_"'], shells: BASH_ONLY },
  'line numbers in messages': {
    commands: ['echo one', 'echo "$LINENO"', 'not-a-command', 'echo end'],
    codes: [0, 0, 127, null],
  },
  'a syntax error': { commands: ['echo one', 'if then', 'echo end'] },
  'all variables and functions': { commands: ['x=1', 'set | grep -i -e switchyard -e mark || echo none'] },
  'exec of another program': {
    commands: ['exec sh -c "echo replaced; exit 6"', 'echo never'],
    codes: [6, null],
  },
  'printf of its own': {
    commands: ['printf() { command printf "log: %s\\n" "$2"; }', 'echo one', 'unset -f printf', 'echo two'],
  },
  'a signal': { commands: ['echo one', "sh -c 'kill -KILL $$'", 'echo end'], codes: [0, 137, null] },
  'a removed directory of marks': { commands: ['echo one', 'rm -rf ../script-lines', 'echo two', 'false'] },
  'a directory of marks that is a file': {
    commands: ['rm -rf ../script-lines; : >../script-lines', 'echo two'],
  },
  'a directory of marks that cannot be written': { commands: ['echo one', 'false'], isUnwritable: true },
}

const TABLE = SHELLS.flatMap((shell) =>
  Object.entries(FORMS)
    .filter(([, { shells }]) => !shells || shells.includes(shell[0] ?? ''))
    .map(([name, form]) => ({ shell, name, form })),
)

test('the table has forms for every shell', () => {
  expect(Object.keys(FORMS).length).toBeGreaterThanOrEqual(40)
})

describe.each(SHELLS)('%s', (...shell) => {
  const rows = TABLE.filter((row) => row.shell.join(' ') === shell.join(' '))
  const tried = shell === SHELLS[0] ? rows : sampled(rows, 10)

  test.each(tried)(
    'a script with $name prints the same bytes with marks and saved environments, and they tell how its lines ended',
    async ({ form }) => {
      // The same paths in all runs: they are in messages.
      const root = await tempDir()
      const plain = await run(root, shell, form, 'plain')
      const withMarks = await run(root, shell, form, 'marked')
      const saved = await run(root, shell, form, 'saved')
      for (const { output, status } of [withMarks, saved]) {
        expect(output).toBe(plain.output)
        expect(status).toBe(plain.status)
      }
      expect(saved.steps.map(({ exit_code }) => exit_code)).toEqual(
        withMarks.steps.map(({ exit_code }) => exit_code),
      )
      if (!form.codes) return
      expect(
        withMarks.steps.map(({ exit_code }) => exit_code).slice(0, form.codes.indexOf(null) + 1 || undefined),
      ).toEqual(form.codes.slice(0, form.codes.indexOf(null) + 1 || undefined))
    },
  )
})

async function run(
  root: string,
  shell: string[],
  { commands, isUnwritable }: Form,
  kind: 'plain' | 'marked' | 'saved',
) {
  for (const name of ['project', 'script-lines', 'script.sh'])
    rmSync(join(root, name), { recursive: true, force: true })
  const projectDir = join(root, 'project')
  mkdirSync(projectDir)
  const directory = join(root, 'script-lines')
  if (isUnwritable) writeFileSync(directory, '')
  else mkdirSync(directory)
  const file = join(root, 'script.sh')
  const prefix = join(directory, 'step_script')
  const saveScript = join(root, SAVE_SCRIPT_FILE)
  writeFileSync(saveScript, SAVE_SCRIPT)
  const marks = {
    ...(kind === 'plain' ? {} : { marks: prefix }),
    ...(kind === 'saved' ? { saves: { saveScript, prefix } } : {}),
  }
  const request = { variables: [], projectDir, environmentFile: join(root, 'env'), trace: false }
  writeFileSync(file, scriptText({ ...request, commands, ...marks }))
  const [command = '', ...args] = shell
  const { status, stdout } = spawnSync('sh', ['-c', 'exec "$@" 2>&1', 'sh', command, ...args, file], {
    encoding: 'utf8',
    timeout: 8000,
  })
  const created = await readCreatedFiles(directory, AbortSignal.timeout(5000))
  const found = created.flatMap(({ name, createdAt }) => {
    const mark = readMarkName(name, 'step_script')
    return mark ? [{ ...mark, at: createdAt }] : []
  })
  const script = {
    section: 'step_script',
    commands,
    exitCode: status,
    beganAt: undefined,
    endedAt: Date.now(),
  }
  // The shell names the process that was killed.
  const output = stdout.replaceAll(/\d+ Killed/g, 'Killed')
  return { status, output, steps: scriptSteps(script, found, commands) }
}

describe('the lines of a script', () => {
  const commands = ['a', 'b', 'c']
  const script = { section: 'step_script', commands, exitCode: 1, beganAt: 1000, endedAt: 9000 }
  const mark = (line: number, at: number, statusBefore = 0) => ({ line, at, statusBefore })

  test('end when the next one begins, with the exit code that it found', () => {
    expect(scriptSteps(script, [mark(2, 4000, 3), mark(1, 1500)], commands)).toEqual([
      { section: 'step_script', line: 1, of: 3, text: 'a', started_at: 1500, duration: 2.5, exit_code: 3 },
      { section: 'step_script', line: 2, of: 3, text: 'b', started_at: 4000, duration: 5, exit_code: 1 },
      {
        section: 'step_script',
        line: 3,
        of: 3,
        text: 'c',
        started_at: null,
        duration: null,
        exit_code: null,
      },
    ])
  })

  test('have no exit code if the script was ended from outside', () => {
    const [first] = scriptSteps({ ...script, exitCode: null }, [mark(1, 1500)], commands)
    expect(first).toMatchObject({ exit_code: null, duration: 7.5 })
  })

  test('count from their first start in a loop', () => {
    const steps = scriptSteps(
      script,
      [mark(1, 1500), mark(2, 2000), mark(2, 3000, 1), mark(3, 4000)],
      commands,
    )
    expect(steps.map(({ started_at }) => started_at)).toEqual([1500, 2000, 4000])
  })

  test('are measured by the clock of the machine that ran them', () => {
    const [first] = scriptSteps(script, [mark(1, 101_000)], commands)
    expect(first).toMatchObject({ started_at: 101_000, duration: 8 })
  })

  test('of a long script are those up to the last one that ran', () => {
    const many = Array.from({ length: 1000 }, (_none, index) => `echo ${index}`)
    const steps = scriptSteps({ ...script, commands: many }, [mark(700, 1500)], many)
    expect(steps).toHaveLength(MAX_SCRIPT_STEPS)
    expect(steps.at(-1)).toMatchObject({ line: 700, of: 1000, exit_code: 1 })
  })

  test.each([
    ['step_script.3.0', { line: 3, statusBefore: 0 }],
    ['after_script.3.0', undefined],
    ['step_script.3', undefined],
    ['step_script.x.0', undefined],
    ['step_script.3.0.1', undefined],
  ])('reads the name %s', (name, expected) => {
    expect(readMarkName(name, 'step_script')).toEqual(expected)
  })

  test.each([
    ['echo it', true],
    ["echo 'it", false],
    ['echo "it', false],
    ['echo \\', false],
    ['echo \\\\', true],
    ["echo it # it's", true],
    ['echo "$(echo "a b")"', true],
    ['echo `date', false],
    ['cat <<A <<B\na\nA\nb\nB', true],
    ['cat <<A <<B\na\nA\nb', false],
    ['cat <<-A\n\ta\n\tA', true],
    ["cat <<'A B'\nx\nA B\necho 'y", false],
    ['cat <<<word', true],
  ])('sees whether %j is a whole command', (command, expected) => {
    expect(isWhole(command)).toBe(expected)
  })
})
