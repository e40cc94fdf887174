import { MAX_SCRIPT_STEPS, MAX_STEP_TEXT, type ScriptStep } from '../../../protocol/script-step.js'
import type { LineMark } from './line-marks.js'

/** A script that has ended, or was ended. */
export interface RunScript {
  section: string
  commands: readonly string[]
  /** Null if it was ended from outside. */
  exitCode: number | null
  /** When it began and ended, in milliseconds since 1970. The begin is unknown if an earlier process started it. */
  beganAt: number | undefined
  endedAt: number
}

/** Milliseconds between the begin of a script and its first mark. A longer time means that the clocks differ. */
const CLOCK_TOLERANCE = 10_000

/**
 * The lines of a script by the marks that it has left. The exit code of a line is in the mark of the one that began after
 * it, and that of the last one is the exit code of the script. A line that ran several times, in a loop over lines, counts
 * from its first start. Of a long script, the last lines up to the one that ended it are returned.
 *
 * `texts`: the masked texts of the commands.
 */
export function scriptSteps(
  script: RunScript,
  marks: readonly LineMark[],
  texts: readonly string[],
): ScriptStep[] {
  const { section, commands, exitCode } = script
  const begun = firstStarts(marks)
  const endedAt = endByMarks(script, begun[0])
  const last = begun.at(-1)?.line ?? 0
  const from = Math.max(0, Math.min(commands.length, Math.max(last, MAX_SCRIPT_STEPS)) - MAX_SCRIPT_STEPS)
  return commands.slice(from, from + MAX_SCRIPT_STEPS).map((_command, index) => {
    const line = from + index + 1
    const place = begun.findIndex((mark) => mark.line === line)
    const mark = begun[place]
    const next = begun[place + 1]
    return {
      section,
      line,
      of: commands.length,
      text: (texts[line - 1] ?? '').slice(0, MAX_STEP_TEXT),
      started_at: mark ? Math.round(mark.at) : null,
      duration: mark ? Math.max(0, Math.round((next?.at ?? endedAt) - mark.at)) / 1000 : null,
      exit_code: mark ? (next ? next.statusBefore : exitCode) : null,
    }
  })
}

/** When the script ended, by the clock of the machine that wrote the marks. */
function endByMarks({ beganAt, endedAt }: RunScript, first: LineMark | undefined): number {
  if (beganAt === undefined || !first) return endedAt
  const difference = first.at - beganAt
  return Math.abs(difference) > CLOCK_TOLERANCE ? endedAt + difference : endedAt
}

/** One mark for each line, in the order in which the lines began. */
function firstStarts(marks: readonly LineMark[]): LineMark[] {
  const byLine = new Map<number, LineMark>()
  for (const mark of marks) {
    const known = byLine.get(mark.line)
    if (!known || mark.at < known.at) byLine.set(mark.line, mark)
  }
  return [...byLine.values()].toSorted((one, other) => one.at - other.at || one.line - other.line)
}

/** The first line of text of a command, for display. */
export function textOfCommand(command: string): string {
  return command.trim().split('\n', 1)[0] ?? ''
}
