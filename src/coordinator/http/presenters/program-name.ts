/** The name of the program of a runner; earlier versions of the schema kept no name beside the version. */
export function programName({
  name,
  version,
}: {
  name: string | null
  version: string | null
}): string | null {
  return name ?? (version === null ? null : 'gitlab-runner')
}
