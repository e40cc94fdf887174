/** What the person at the terminal must do before the command can go on. */
export class SetupError extends Error {
  /** @override */
  name = 'SetupError'
}

/**
 * One line about what is being done. On standard error: standard output belongs to the command that follows.
 * @param {string} text
 */
export function say(text) {
  process.stderr.write(`switchyard: ${text}\n`)
}
