import type { JobVariable } from '../../../protocol/job-payload.js'
import { isWhole, marked } from './line-marks.js'
import { type SavedEnvironments, saving } from './switchyard-step/saved-environment.js'

export interface ScriptRequest {
  /** Exported in this order. */
  variables: readonly JobVariable[]
  commands: readonly string[]
  projectDir: string
  /** File to which a job writes `KEY=value` lines for its later stages (`GITLAB_ENV`). */
  environmentFile: string
  /** A line to print before the first command. */
  notice?: string
  /** Path before the names of the files that show which lines have begun (`marked`). Absent if none are wanted. */
  marks?: string
  /** Where the environment before each line is saved. Absent if it is not. Only with `marks`. */
  saves?: SavedEnvironments
  trace: boolean
}

/**
 * The script of one stage, for any POSIX shell (runner protocol, 7.3). It exports the variables, enters the project
 * directory, and prints each command before running it. The exit status is that of the command that failed, or else
 * of the last one.
 */
export function scriptText(request: ScriptRequest): string {
  const lines = [
    ...PREAMBLE,
    ...exports(request.variables),
    `export GITLAB_ENV=${quote(request.environmentFile)}`,
    ...IMPORT_ENVIRONMENT_FILE,
    `cd ${quote(request.projectDir)}`,
    ...(request.notice === undefined ? [] : [echo(request.notice)]),
    ...(request.trace ? ['set -o xtrace'] : []),
    ...commandLines(request),
  ]
  return lines.join('\n') + '\n'
}

/** The trap is needed because process 1 of a container ignores SIGTERM by default. */
const PREAMBLE = [
  '#!/bin/sh',
  "trap 'exit 1' TERM",
  'if (set -o pipefail) 2>/dev/null; then set -o pipefail; fi',
  'set -o errexit',
  'set +o noclobber',
  'exec </dev/null',
]

/**
 * A line whose name is not a valid variable name would end the shell, so it is skipped. The shell would wait for the other
 * end of a pipe, so only a regular file is read.
 */
const IMPORT_ENVIRONMENT_FILE = [
  'if [ -f "$GITLAB_ENV" ] && [ -r "$GITLAB_ENV" ]; then',
  '  while IFS= read -r switchyard_line || [ -n "$switchyard_line" ]; do',
  '    case "$switchyard_line" in *=*) ;; *) continue ;; esac',
  '    case "${switchyard_line%%=*}" in',
  "      ''|[0-9]*|*[!A-Za-z0-9_]*) ;;",
  '      *) export "$switchyard_line" ;;',
  '    esac',
  '  done <"$GITLAB_ENV"',
  '  unset switchyard_line',
  'fi',
]

function exports(variables: readonly JobVariable[]): string[] {
  // A shell cannot export a variable with any other name. The environment of the container contains it
  // nevertheless.
  const named = variables.filter(({ key }) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(key))
  return named.map(({ key, value }) => `export ${key}=${quote(value)}`)
}

/** Each command, and before it the command that prints it. That has one line, so that messages name the same lines of the file. */
function commandLines({
  commands,
  marks,
  saves,
}: Pick<ScriptRequest, 'commands' | 'marks' | 'saves'>): string[] {
  const starts = startsOf(commands)
  return commands.flatMap((command, index) => {
    if (command.trim() === '') return ["printf '\\n'"]
    const print = printing(command)
    const line = index + 1
    if (marks === undefined || starts[index] !== line) return [print, command]
    const mark = marked(print, quote(`${marks}.${line}.`))
    return [saves ? `{ ${mark}; ${saving(saves, line)}; }` : mark, command]
  })
}

/** For each line, the line with which its command begins: its own, unless the shell has not read a whole command before. */
export function startsOf(commands: readonly string[]): number[] {
  let start: number | undefined
  return commands.map((command, index) => {
    const own = start ?? index + 1
    if (command.trim() !== '') start = start === undefined && isWhole(command) ? undefined : own
    return own
  })
}

/** The command that prints a command as the log shows it. */
export function printing(command: string): string {
  return echo(shownText(command.trim()))
}

function shownText(command: string): string {
  const [first = '', ...more] = command.split('\n')
  return more.length === 0 ? `$ ${first}` : `$ ${first} # collapsed multi-line command`
}

/** Prints the text in bold green. */
function echo(text: string): string {
  return `printf '%s\\n' ${quote(`\x1b[32;1m${text}\x1b[0;m`)}`
}

/** Quotes a text as one word for any shell. NUL bytes are removed, because no shell can hold them. */
export function quote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", "'\\''")}'`
}
