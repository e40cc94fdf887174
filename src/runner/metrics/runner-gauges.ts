import { Gauge, type Registry } from 'prom-client'

import {
  RUNNER_ARCHITECTURE,
  RUNNER_NAME,
  RUNNER_PLATFORM,
  RUNNER_REVISION,
  RUNNER_VERSION,
} from '../client/runner-info.js'
import type { HostView } from '../executor/executor.js'
import type { RegistrationView } from '../registrations/registration-view.js'
import type { RunningJob } from '../registrations/running-jobs.js'
import { executorStage } from './executor-stage.js'

export interface GaugedRunner {
  readonly concurrent: number
  entries(): RegistrationView[]
  jobs(): RunningJob[]
}

/** Metrics that are computed only when they are requested (runner protocol, 9.7). */
export function registerGauges(registry: Registry, runner: GaugedRunner, systemId: string): void {
  registerJobs(registry, runner, systemId)
  registerEntries(registry, runner, systemId)
  registerHosts(registry, runner, systemId)
  registerSlots(registry, runner)
  registerVersion(registry)
  registerProcess(registry)
}

function registerJobs(registry: Registry, runner: GaugedRunner, system_id: string): void {
  new Gauge({
    name: 'gitlab_runner_jobs',
    help: 'Number of running jobs',
    labelNames: ['runner', 'runner_name', 'system_id', 'state', 'stage', 'executor_stage'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const { runner: runner_name, runnerToken, state, stage } of runner.jobs()) {
        this.inc({
          runner: runnerToken,
          runner_name,
          system_id,
          state,
          stage,
          executor_stage: executorStage(stage),
        })
      }
    },
  })
}

function registerEntries(registry: Registry, runner: GaugedRunner, system_id: string): void {
  const perEntry = (name: string, help: string, value: (entry: RegistrationView) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['runner', 'system_id'] as const,
      registers: [registry],
      collect() {
        this.reset()
        for (const entry of runner.entries()) this.set({ runner: entry.token, system_id }, value(entry))
      },
    })
  perEntry(
    'gitlab_runner_limit',
    'Maximum number of concurrent jobs of the registration; 0 = no limit',
    ({ limit }) => limit ?? 0,
  )
  perEntry('gitlab_runner_request_concurrency', 'Number of open job requests', (entry) => entry.openRequests)
  perEntry(
    'gitlab_runner_request_concurrency_hard_limit',
    'Configured maximum number of open job requests',
    (entry) => entry.requestConcurrency,
  )
  perEntry(
    'gitlab_runner_request_concurrency_adaptive_limit',
    'Current maximum number of open job requests',
    (entry) => entry.allowedRequests,
  )
}

/** Of registrations with several hosts. The reference has no such metrics. */
function registerHosts(registry: Registry, runner: GaugedRunner, system_id: string): void {
  const perHost = (name: string, help: string, value: (host: HostView) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['runner', 'system_id', 'host'] as const,
      registers: [registry],
      collect() {
        this.reset()
        for (const { token, hosts = [] } of runner.entries())
          for (const host of hosts) {
            const known = value(host)
            if (known !== undefined) this.set({ runner: token, system_id, host: host.name }, known)
          }
      },
    })
  perHost('switchyard_runner_host_up', 'Whether the host responds', ({ state }) =>
    state === 'online' ? 1 : 0,
  )
  perHost('switchyard_runner_host_jobs', 'Number of running jobs of the host', ({ running }) => running)
  perHost(
    'switchyard_runner_host_concurrent',
    'Maximum number of concurrent jobs of the host',
    ({ concurrent }) => concurrent,
  )
  perHost(
    'switchyard_runner_host_disk_free_bytes',
    'Free space for jobs on another machine, measured at most every ten minutes while jobs run, in bytes',
    ({ freeDiskBytes }) => freeDiskBytes,
  )
  perHost(
    'switchyard_runner_host_last_error_timestamp_seconds',
    'Time of the last problem of the host, in seconds since 1970; 0 = none',
    ({ lastError }) => (lastError ? Math.round(lastError.at / 1000) : 0),
  )
}

function registerSlots(registry: Registry, runner: GaugedRunner): void {
  const registers = [registry]
  new Gauge({
    name: 'gitlab_runner_concurrent',
    help: 'Maximum number of concurrent jobs of all registrations',
    registers,
    collect() {
      this.set(runner.concurrent)
    },
  })
  new Gauge({
    name: 'gitlab_runner_worker_slots_number',
    help: 'Number of job slots',
    registers,
    collect() {
      this.set(runner.concurrent)
    },
  })
}

function registerVersion(registry: Registry): void {
  const gauge = new Gauge({
    name: 'gitlab_runner_version_info',
    help: 'Version of the runner; always 1',
    labelNames: [
      'name',
      'version',
      'revision',
      'branch',
      'go_version',
      'built_at',
      'os',
      'architecture',
    ] as const,
    registers: [registry],
  })
  gauge.set(
    {
      name: RUNNER_NAME,
      version: RUNNER_VERSION,
      revision: RUNNER_REVISION,
      branch: 'main',
      go_version: `node${process.versions.node}`,
      built_at: '',
      os: RUNNER_PLATFORM,
      architecture: RUNNER_ARCHITECTURE,
    },
    1,
  )
}

/**
 * The default metrics of the library check the event loop a hundred times a second, which would cost CPU time in an
 * idle runner.
 */
function registerProcess(registry: Registry): void {
  const registers = [registry]
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process, in bytes',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Gauge({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process, in seconds',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.set((user + system) / 1e6)
    },
  })
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process, in seconds since 1970',
    registers,
    collect() {
      this.set(Math.round(Date.now() / 1000 - process.uptime()))
    },
  })
}
