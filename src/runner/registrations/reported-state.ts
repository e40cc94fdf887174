import { MAX_REPORTED_HOSTS, MAX_REPORTED_MESSAGE } from '../../protocol/reported-host-limits.js'
import type { ReportedHost } from '../../protocol/runner-info.js'
import type { ReportedState } from '../client/runner-info.js'
import type { Executor, HostView } from '../executor/executor.js'

/** What the coordinator shows of an executor. `limit`: maximum number of concurrent jobs by the settings. */
export function reportedState(executor: Pick<Executor, 'capacity' | 'hosts'>, limit: number): ReportedState {
  const hosts = executor.hosts?.()
  if (!hosts) return { concurrency: limit }
  return {
    concurrency: Math.min(limit, executor.capacity?.jobs ?? limit),
    hosts: hosts.slice(0, MAX_REPORTED_HOSTS).map(reportedHost),
  }
}

function reportedHost({ name, state, running, concurrent, weight, lastError }: HostView): ReportedHost {
  return {
    name,
    state,
    running,
    concurrent,
    weight,
    error: lastError ? lastError.message.slice(0, MAX_REPORTED_MESSAGE) : null,
    error_at: lastError ? new Date(lastError.at).toISOString() : null,
  }
}
