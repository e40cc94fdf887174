/** Limits of one report, above which it is refused. */
export const lineCoverageLimits = {
  /** Bytes, unpacked. */
  bytes: 64 * 1024 * 1024,
  /** Characters without an element in between, which the parser buffers. */
  charactersAtOnce: 1024 * 1024,
  /** Elements inside one another. */
  depth: 100,
  /** Documents in one report. */
  documents: 1_000,
  /** Files that a report names. */
  files: 100_000,
  /** Folders in which one document looks for its files. */
  sources: 20,
  /** Characters of a path; a file with a longer one is ignored. */
  path: 1024,
  /** Lines of the files that are asked for. */
  lines: 200_000,
}
