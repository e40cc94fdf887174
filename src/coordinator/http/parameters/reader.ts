/** The result of a reader for a parameter that counts as not set. */
export const ABSENT = Symbol('absent')

/** Reads `raw` into the type of a schema, or adds a problem that names the parameter as the client wrote it. */
export type Reader = (raw: unknown, name: string, problems: string[]) => unknown
