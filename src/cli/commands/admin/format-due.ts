import type { DueInProject } from '../../../coordinator/ci/pipelines/retention/list-due-of-projects.js'
import type { Removal } from '../../../coordinator/ci/pipelines/retention/removals.js'
import type { Due } from '../../../coordinator/start/services/list-due.js'
import { formatBytes } from '../../../lib/format-bytes.js'

/** Lines of text: what the limits of retention would delete, and what they have deleted. */
export function formatDue({ projects, activityEvents, removed }: Due & { removed: Removal[] }): string {
  const due = projects.flatMap(linesOf)
  if (activityEvents > 0) due.push(`${activityEvents} activity events`)
  return [
    'Due now:',
    ...indented(due),
    'Deleted in the last 30 days:',
    ...indented(removed.map(formatLine)),
  ].join('\n')
}

function indented(lines: string[]): string[] {
  return (lines.length > 0 ? lines : ['nothing']).map((line) => `  ${line}`)
}

/** One line for each limit that is exceeded. */
function linesOf(due: DueInProject): string[] {
  const { path, pipelines, jobs, logBytes, artifacts, artifactBytes } = due
  const lines: string[] = []
  if (pipelines > 0)
    lines.push(
      `${path}: ${pipelines} pipelines, ${jobs} jobs, ${formatBytes(logBytes)} of logs, ${formatArtifacts(artifacts, artifactBytes)}`,
    )
  if (due.oldLogs > 0) lines.push(`${path}: ${formatLogs(due.oldLogs, due.oldLogBytes)} by age`)
  if (due.excessLogs + due.excessArtifacts > 0)
    lines.push(
      `${path}: ${formatLogs(due.excessLogs, due.excessLogBytes)}, ${formatArtifacts(due.excessArtifacts, due.excessArtifactBytes)} by size`,
    )
  return lines
}

function formatLogs(number: number, bytes: number): string {
  return `${number} logs (${formatBytes(bytes)})`
}

function formatArtifacts(number: number, bytes: number): string {
  return `${number} artifacts (${formatBytes(bytes)})`
}

function formatLine({ day, projectId, path, kind, number, bytes }: Removal): string {
  const project = projectId === null ? '' : `${path ?? `project ${projectId} (deleted)`}: `
  const size = bytes > 0 ? ` (${formatBytes(bytes)})` : ''
  return `${day}: ${project}${number} ${kind.replace('_', ' ')}${size}`
}
