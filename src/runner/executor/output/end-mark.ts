/** The mark in the output before the exit code of the script. */
export const END_MARK = 'end'

/**
 * Runs a script, a word of the shell, and prints a mark with its exit code after its output (`MarkScanner`). The exit code
 * of the container alone does not show that the script has run: it is that of the entrypoint of the image.
 */
export function runAndMark(script: string, token: string): string {
  return `trap : HUP INT QUIT ALRM TERM USR1 USR2
exec 2>/dev/null
# In a shell of its own, because this one reports a killed command on its own stderr.
(exec "$switchyard_shell" ${script} 2>&1)
switchyard_status=$?
${printEnd(token, '"$switchyard_status"')}
exit "$switchyard_status"`
}

/** Prints the mark. `status`: a word of the shell. */
export function printEnd(token: string, status: string): string {
  return `printf '\\0%s ${END_MARK} %s\\n' ${token} ${status}`
}
