import type { ScriptStep } from '../../../../protocol/script-step.js'
import { MARKS_DIRECTORY } from '../../../workspace/layout.js'
import { markPrefix } from '../line-marks.js'
import { textOfCommand } from '../script-steps.js'
import { printing, quote, startsOf } from '../script-text.js'
import { beginsFunction, isFunctionDefinition } from './function-definition.js'
import { SAVE_SCRIPT_FILE, type SavedEnvironments, saving } from './saved-environment.js'
import { stepProgram } from './step-program.js'

/** A script of a job. */
export interface JobScript {
  /** Name of its section in the log. */
  section: string
  /** Its name for people. */
  title: string
  commands: readonly string[]
}

/** A file in the temporary directory of the job. */
interface StepFile {
  name: string
  content: string
  mode: number
}

/** Name of the program. Begins the names of the other files. */
const PROGRAM = 'switchyard-step'

/**
 * The program `switchyard-step` and the texts of the scripts, for the shell of a held job.
 *
 * `steps`: how the lines ended, as far as that is known. `temporaryDir`: the directory of these files, as the job sees it.
 */
export function stepFiles(
  scripts: readonly JobScript[],
  steps: readonly ScriptStep[],
  temporaryDir: string,
): StepFile[] {
  const written = scripts
    .filter(({ commands }) => commands.length > 0)
    .map((script) => writeScript(script, steps, temporaryDir))
  const data = written.map(({ data }) => data).join('\n') || '  :'
  return [
    ...written.map(({ name, text }) => ({ name: `${PROGRAM}.${name}`, content: text, mode: 0o644 })),
    { name: PROGRAM, content: stepProgram(data), mode: 0o755 },
  ]
}

function writeScript(
  { section, title, commands }: JobScript,
  steps: readonly ScriptStep[],
  temporaryDir: string,
): { name: string; text: string; data: string } {
  const name = markPrefix(section)
  const prefix = `${temporaryDir}/${MARKS_DIRECTORY}/${name}`
  const saves = { saveScript: `${temporaryDir}/${SAVE_SCRIPT_FILE}`, prefix }
  const starts = startsOf(commands)
  const parts = commands.map((command, index) => {
    if (command.trim() === '') return ["printf '\\n'"]
    const print = starts[index] === index + 1 ? before(command, index + 1, saves) : printing(command)
    return [print, ...command.split('\n')]
  })
  const ends = runningSums(parts.map(({ length }) => length))
  const ended = steps.filter((step) => step.section === section)
  const lines = commands.map((command, index) => {
    const line = index + 1
    const definition = starts[index] === line ? definitionFrom(commands, index) : undefined
    const values = [
      line,
      starts[index] ?? line,
      definition === undefined ? 'command' : 'function',
      (ends[index - 1] ?? 0) + 1,
      ends[definition ?? index] ?? 0,
      ...outcome(ended.find((step) => step.line === line)),
      quote(textOfCommand(command)),
    ]
    return `  line ${values.join(' ')}`
  })
  const script = `  script ${quote(name)} ${quote(title)} ${quote(String(failedLine(ended) ?? ''))}`
  return { name, text: `${parts.flat().join('\n')}\n`, data: [script, ...lines].join('\n') }
}

/** The line that began last, if it did not succeed. */
function failedLine(steps: readonly ScriptStep[]): number | undefined {
  const last = steps
    .filter(({ started_at }) => started_at !== null)
    .toSorted((one, other) => Number(one.started_at) - Number(other.started_at) || one.line - other.line)
    .at(-1)
  return last?.exit_code === 0 ? undefined : last?.line
}

/** Lines over which the definition of a function is looked for. */
const MAX_DEFINITION = 50

/** Index of the line with which the definition of a function ends that begins at `from`. Undefined if there is none. */
function definitionFrom(commands: readonly string[], from: number): number | undefined {
  for (let to = from; to < Math.min(commands.length, from + MAX_DEFINITION); to++) {
    const text = commands.slice(from, to + 1).join('\n')
    if (isFunctionDefinition(text)) return to
    if (!beginsFunction(text)) return undefined
  }
  return undefined
}

function runningSums(numbers: readonly number[]): number[] {
  let sum = 0
  return numbers.map((number) => (sum += number))
}

/** Records that a line begins, prints it, and saves the environment before it again. */
function before(command: string, line: number, saves: SavedEnvironments): string {
  const record = `command printf '%s %s %s\\n' ${line} "$?" "$(date +%s)" >>${quote(`${saves.prefix}.again`)}`
  return `{ { ${record}; } 2>/dev/null || :; ${printing(command)}; ${saving(saves, line)}; }`
}

/** CODE and TIME. */
function outcome(step: ScriptStep | undefined): [string, string] {
  if (!step || step.started_at === null) return ['none', "''"]
  return [
    String(step.exit_code ?? 'ended'),
    step.duration === null ? "''" : `'${step.duration.toFixed(1)} s'`,
  ]
}
