const MEGABYTE = 1024 * 1024

/** Bytes of one artifact: a project can allow less than the instance does, not more. Null = it leaves it at that. */
export function artifactLimit(ofInstance: number, megabytesOfProject: number | null | undefined): number {
  return Math.min(ofInstance, (megabytesOfProject ?? Infinity) * MEGABYTE)
}
