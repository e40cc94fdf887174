/** Whether a shell in a terminal was requested, and not a command. `columns`: 0 or undefined without a terminal. */
export function isInteractive({
  command = [],
  columns = 0,
}: {
  command?: readonly string[] | undefined
  columns?: number | undefined
}): boolean {
  return command.length === 0 && columns > 0
}
