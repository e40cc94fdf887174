const MESSAGE_CHARACTERS = 300

/** What tools write before the message: pytest, Go, and those that name an exception. */
const MESSAGES = [
  /^E {2,}(?<message>\S.*)/,
  /^\s+\w+_test\.go:\d+: (?<message>.+)/,
  /^\s*(?<message>(?:[\w.]*(?:Error|Exception|Failure)\b|Failed asserting|expected|Expected).*)/,
]

/** The line in the output of a failed test that describes the error, else its first line; null without text. */
export function testMessage(output: string): string | null {
  const lines = output.split('\n', 200)
  for (const expression of MESSAGES) {
    const found = lines.flatMap((line) => expression.exec(line)?.groups?.['message'] ?? []).at(0)
    if (found !== undefined) return found.trim().slice(0, MESSAGE_CHARACTERS)
  }
  return (
    lines
      .map((line) => line.trim())
      .find((line) => line !== '')
      ?.slice(0, MESSAGE_CHARACTERS) ?? null
  )
}
