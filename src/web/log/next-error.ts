interface NextError {
  /** The line after which to look. */
  after: number
  /** The line that says why the job failed: it need not have the form of an error. */
  failingLine: number | null
  /** Finds the first line that reports an error, from a line on. */
  find: (from: number) => Promise<number | undefined>
}

/** The next line that reports an error, or that says why the job failed; the first one of the log after the last one. */
export async function nextErrorLine({ after, failingLine, find }: NextError): Promise<number | undefined> {
  const from = async (line: number) => {
    const found = await find(line)
    if (failingLine === null || failingLine < line) return found
    return Math.min(failingLine, found ?? failingLine)
  }
  return (await from(after + 1)) ?? (after > 0 ? from(1) : undefined)
}
