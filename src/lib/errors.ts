/**
 * Base of every error that this package throws on purpose: `code` is for programs, `message` is one sentence that a
 * person can act on, `cause` is what went wrong below.
 */
export abstract class SwitchyardError extends Error {
  abstract override readonly name: string
  abstract readonly code: string
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The message of an error and those of its causes, each once: many messages tell their cause already. */
export function messageWithCauses(error: Error): string {
  const cause = error.cause instanceof Error ? messageWithCauses(error.cause) : ''
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`
}
