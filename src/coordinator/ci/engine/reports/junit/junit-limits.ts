/** Limits of one report, above which it is refused. Long texts are truncated instead. */
export const junitLimits = {
  /** Bytes, unpacked. */
  bytes: 64 * 1024 * 1024,
  /** Characters without an element in between, which the parser buffers. */
  charactersAtOnce: 16 * 1024 * 1024,
  /** Elements inside one another. */
  depth: 100,
  cases: 200_000,
  files: 5_000,
  /** Maximum stored characters of the output, and of a name. */
  text: 64 * 1024,
  name: 1024,
}
