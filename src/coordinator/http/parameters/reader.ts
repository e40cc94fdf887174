/** The result of a reader for a parameter that counts as not set. */
export const ABSENT = Symbol('absent')

/** Converts `raw` to the type of a schema, or adds a problem with the parameter name that the client used. */
export type Reader = (raw: unknown, name: string, problems: string[]) => unknown
