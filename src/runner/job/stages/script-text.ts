import type { JobVariable } from '../../../protocol/job-payload.js'

export interface ScriptRequest {
  /** Exported in this order. */
  variables: readonly JobVariable[]
  commands: readonly string[]
  projectDir: string
  /** Where a job leaves `KEY=value` lines for its later stages (`GITLAB_ENV`). */
  environmentFile: string
  /** A line to print before the first command. */
  notice?: string
  trace: boolean
}

/**
 * The script of one stage, for any POSIX shell (runner protocol, 7.3): variables, the project directory, then each
 * command behind its own echo. The exit status is that of the command that stopped it, or of the last one.
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

/** Process 1 of a container ignores TERM unless it says otherwise, hence the trap. */
const PREAMBLE = [
  '#!/bin/sh',
  "trap 'exit 1' TERM",
  'if (set -o pipefail) 2>/dev/null; then set -o pipefail; fi',
  'set -o errexit',
  'set +o noclobber',
  'exec </dev/null',
]

/** A line whose name is no variable name would end the shell, so it is passed over. */
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
  // Any other name cannot be exported by a shell; the container's environment has it all the same.
  const named = variables.filter(({ key }) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(key))
  return named.map(({ key, value }) => `export ${key}=${quote(value)}`)
}

function commandLines(command: string): string[] {
  const shown = command.trim()
  if (shown === '') return ["printf '\\n'"]
  const [first = '', ...more] = shown.split('\n')
  return [echo(more.length === 0 ? `$ ${first}` : `$ ${first} # collapsed multi-line command`), command]
}

/** Bold green. */
function echo(text: string): string {
  return `printf '%s\\n' ${quote(`\x1b[32;1m${text}\x1b[0;m`)}`
}

/** As one word that every shell reads back unchanged. A NUL byte, which no shell can hold, is left out. */
export function quote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", "'\\''")}'`
}
