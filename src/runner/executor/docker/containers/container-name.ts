import { randomBytes } from 'node:crypto'

const MAX_PREFIX_LENGTH = 63

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
    .slice(0, MAX_PREFIX_LENGTH)
}

export function buildContainerName(prefix: string): string {
  return `${prefix}-${randomBytes(8).toString('hex')}-build`
}

export function workspaceVolumeName(prefix: string): string {
  return `${prefix}-${randomBytes(8).toString('hex')}-workspace`
}
