/** Name of the file, in the temporary directory of the job, by which scripts save their environment. */
export const SAVE_SCRIPT_FILE = 'save-environment'

/** Environments that are kept of one script. That of a later line replaces an older one. */
const MAX_SAVED = 100

/** The last line of a saved environment. Without it, the disk was full or the job was killed. */
export const COMPLETE = '# complete'

/** The line of a saved environment that names the shell. Functions are only saved by bash. */
export const SAVED_BY_BASH = '# by bash'

export interface SavedEnvironments {
  /** Path of `SAVE_SCRIPT`, in the job. */
  saveScript: string
  /** Path before the names of the files, in the job. */
  prefix: string
}

/**
 * A shell command that saves the environment of the script before the line:
 *
 *     ( command printf … >&9; . '…/save-environment' ) >/dev/null 2>&1 9>|'…/step_script.3.env' || :
 *
 * Nothing of it is visible to the script, because it runs in a subshell, which has no trap of the script. It is one
 * command on one line. Its exit code is 0, also if the file cannot be written.
 */
export function saving({ saveScript, prefix }: SavedEnvironments, line: number): string {
  const file = quote(`${prefix}.${line % MAX_SAVED}.env`)
  return `(command printf '%s\\n' ${quote(firstLine(line))} >&9; . ${quote(saveScript)}) >/dev/null 2>&1 9>|${file} || :`
}

/** The first line of the environment before a line. Another one has another environment in the same file. */
function firstLine(line: number): string {
  return `# line ${line}`
}

/** Shell code that sets `saved` to the name of the file, and `header` to its first line, for the number in `line`. */
export const FIND_SAVED = `saved=$((line % ${MAX_SAVED})).env
header="${firstLine(0).replace(' 0', ' $line')}"`

/**
 * A script that writes to file 9 the commands that restore the environment of the shell that reads it (`.`). The working
 * directory and the options come last: after them, a shell may end with the first error.
 */
export const SAVE_SCRIPT = `if command -v shopt >/dev/null; then
  command printf '%s\\n' '${SAVED_BY_BASH}' >&9
  shopt -p >&9
  declare -p >&9
  declare -f >&9
  declare -Fx >&9
  alias -p >&9
  trap >&9
else
  command set >&9
  command readonly -p >&9
  command export -p >&9
fi
command printf 'umask ' >&9
command umask >&9
command printf 'set --' >&9
switchyard_quote="'"
for switchyard_text do
  command printf " '" >&9
  while :; do
    case $switchyard_text in *"$switchyard_quote"*) ;; *) break ;; esac
    command printf "%s'\\\\\\\\''" "\${switchyard_text%%"$switchyard_quote"*}" >&9
    switchyard_text=\${switchyard_text#*"$switchyard_quote"}
  done
  command printf "%s'" "$switchyard_text" >&9
done
command printf '%s\\n' '
switchyard_before=\${OLDPWD-}
command cd -- "$PWD" || command printf "switchyard-step: The directory %s cannot be entered\\n" "$PWD" >&8
OLDPWD=$switchyard_before
unset switchyard_before' >&9
command set +o >&9
command printf '%s\\n' '${COMPLETE}' >&9
`

/** Quotes a text as one word for any shell. NUL bytes are removed, because no shell can hold them. */
function quote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", "'\\''")}'`
}
