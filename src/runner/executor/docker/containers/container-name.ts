import { randomBytes } from 'node:crypto'

const LONGEST_PREFIX = 63

/** Also the hostname of the job's container (runner protocol, 7.2). */
export function containerNamePrefix(
  shortToken: string,
  projectId: number,
  concurrentProjectId: number,
): string {
  return `runner-${shortToken}-project-${projectId}-concurrent-${concurrentProjectId}`
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, LONGEST_PREFIX)
}

export function buildContainerName(prefix: string): string {
  return `${prefix}-${randomBytes(8).toString('hex')}-build`
}

export function workspaceVolumeName(prefix: string): string {
  return `${prefix}-${randomBytes(8).toString('hex')}-workspace`
}
