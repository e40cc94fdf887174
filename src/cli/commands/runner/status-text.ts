import { formatDuration } from '../../../lib/duration.js'
import type { HoldMessage, JobMessage, StatusMessage } from '../../../runner/control/messages.js'
import type { HostView } from '../../../runner/executor/executor.js'
import type { RegistrationView } from '../../../runner/registrations/registration-view.js'
import { formatTable } from './table.js'

/** The output of `status`. */
export function statusText(status: StatusMessage): string {
  const { version, pid, uptimeSeconds, state, running, concurrent, entries } = status
  const summary =
    `Switchyard runner ${version}, process ${pid}, up ${formatDuration(uptimeSeconds)}: ` +
    `${state}, ${running} of ${concurrent} jobs\n`
  if (entries.length === 0) return `${summary}The settings contain no registration\n`
  const rows = entries.map((entry) => [
    entry.name,
    entry.token,
    stateText(entry),
    `${entry.running}/${entry.limit ?? '-'}`,
    entry.url,
  ])
  return `${summary}\n${formatTable(['NAME', 'TOKEN', 'STATE', 'JOBS/LIMIT', 'URL'], rows)}`
}

function stateText({ state, restSeconds }: RegistrationView): string {
  return state === 'unhealthy' ? `unhealthy, next request in ${formatDuration(restSeconds)}` : state
}

/** The output of `jobs`. */
export function jobsText(jobs: readonly JobMessage[]): string {
  if (jobs.length === 0) return 'No job runs\n'
  const rows = jobs.map((job) => [
    String(job.id),
    job.project,
    job.name,
    job.stage || job.state,
    formatDuration(job.durationSeconds),
    job.runner,
    job.url ?? '',
  ])
  return formatTable(['JOB', 'PROJECT', 'NAME', 'STAGE', 'FOR', 'RUNNER', 'URL'], rows)
}

/** The output of `holds`. */
export function holdsText(holds: readonly HoldMessage[]): string {
  if (holds.length === 0) return 'No job is held\n'
  const rows = holds.map(({ job, project, name, since, until, place, runner, url }) => [
    String(job),
    project,
    name,
    since,
    until,
    place,
    runner,
    url ?? '',
  ])
  return formatTable(['JOB', 'PROJECT', 'NAME', 'SINCE', 'UNTIL', 'WHERE', 'RUNNER', 'URL'], rows)
}

/** The output of `list --hosts`. */
export function hostsText(hosts: readonly ({ runner: string } & HostView)[]): string {
  if (hosts.length === 0) return 'No registration has several hosts (executor "docker-hosts")\n'
  const rows = hosts.map(({ runner, name, state, running, concurrent, weight, address, lastError }) => [
    runner,
    name,
    state,
    `${running}/${concurrent}`,
    String(weight),
    address,
    lastError ? `${new Date(lastError.at).toISOString()} ${lastError.message}` : '-',
  ])
  return formatTable(['RUNNER', 'HOST', 'STATE', 'JOBS', 'WEIGHT', 'ADDRESS', 'LAST ERROR'], rows)
}
