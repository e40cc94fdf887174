import type { JobVariable } from '../../../protocol/job-payload.js'

export interface ScriptRequest {
  /** Exported in this order. */
  variables: readonly JobVariable[]
  commands: readonly string[]
  projectDir: string
  /** File to which a job writes `KEY=value` lines for its later stages (`GITLAB_ENV`). */
  environmentFile: string
  /** A line to print before the first command. */
  notice?: string
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
    ...request.commands.flatMap(commandLines),
  ]
  return lines.join('\n') + '\n'
}

/** Process 1 of a container ignores SIGTERM by default, hence the trap. */
const PREAMBLE = [
  '#!/bin/sh',
  "trap 'exit 1' TERM",
  'if (set -o pipefail) 2>/dev/null; then set -o pipefail; fi',
  'set -o errexit',
  'set +o noclobber',
  'exec </dev/null',
]

/** A line whose name is not a valid variable name would end the shell, so it is skipped. */
const IMPORT_ENVIRONMENT_FILE = [
  'if [ -r "$GITLAB_ENV" ]; then',
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

function commandLines(command: string): string[] {
  const shown = command.trim()
  if (shown === '') return ["printf '\\n'"]
  const [first = '', ...more] = shown.split('\n')
  return [echo(more.length === 0 ? `$ ${first}` : `$ ${first} # collapsed multi-line command`), command]
}

/** Prints the text in bold green. */
function echo(text: string): string {
  return `printf '%s\\n' ${quote(`\x1b[32;1m${text}\x1b[0;m`)}`
}

/** Quotes a text as one word for any shell. NUL bytes are removed, because no shell can hold them. */
export function quote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", "'\\''")}'`
}
