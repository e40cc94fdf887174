/** Something that the user must do before the command can continue. */
export class SetupError extends Error {
  /** @override */
  name = 'SetupError'
}

/**
 * Prints one line of progress on standard error. Standard output is reserved for the command that follows.
 * @param {string} text
 */
export function say(text) {
  process.stderr.write(`switchyard: ${text}\n`)
}
