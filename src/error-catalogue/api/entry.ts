/** What the API returns for one kind of error. */
export interface ApiErrorEntry {
  status: number
  /** The text of the response, in which `<name>` stands for what the code that throws fills in. */
  message: string
  /** What the user can do, for `docs/reference/errors.md`. */
  remedy: string
  /** The key of the body that contains the message, if it is not `message`. */
  key?: 'error'
  /** The body contains a list with the message as its only element. */
  isList?: true
}

export type ApiErrorEntries = Record<string, ApiErrorEntry>
