/** The program name of a runner; rows of earlier schema versions have only a version. */
export function programName({
  name,
  version,
}: {
  name: string | null
  version: string | null
}): string | null {
  return name ?? (version === null ? null : 'gitlab-runner')
}
