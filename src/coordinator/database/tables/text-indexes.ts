/** Index of the texts of another table by their parts of three characters. Only on SQLite. */
export interface TextIndexTable {
  /** ID of the row. */
  rowid: number
  /** What a search names and a write sets; it cannot be read. */
  text: string
}

/** Rows whose text has changed since it was indexed. Only on SQLite. */
export interface TextDueTable {
  id: number
}
