/**
 * Base class of all errors that this package throws deliberately. `code` is for programs, `message` is one sentence
 * that suggests an action, and `cause` is the underlying error.
 */
export abstract class SwitchyardError extends Error {
  abstract override readonly name: string
  abstract readonly code: string
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The messages of an error and its causes, without duplicates: many messages already include their cause. */
export function messageWithCauses(error: Error): string {
  const cause = error.cause instanceof Error ? messageWithCauses(error.cause) : ''
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`
}
