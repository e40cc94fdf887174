import type { JobPayload, JobService, JobVariable } from '../../protocol/job-payload.js'
import type { RunnerEntry } from '../config/settings.js'
import type { ExecutorJob, ServiceRequest } from '../executor/executor.js'
import { readExecutorOptions } from '../executor/executor-options.js'
import type { JobLog } from '../trace/job-log.js'
import { expandText } from '../variables/expand.js'
import type { JobVariables } from '../variables/job-variables.js'
import { booleanSetting } from '../variables/variable-settings.js'

type ConfiguredService = NonNullable<RunnerEntry['docker']['services']>[number]

export interface ServiceSources {
  payload: Pick<JobPayload, 'services'>
  entry: Pick<RunnerEntry, 'docker' | 'debugTraceDisabled'>
  variables: Pick<JobVariables, 'list' | 'values'>
  log: Pick<JobLog, 'warning'>
}

/** The services of a job, those of the settings first, and what else it says of them (runner protocol, 7.8). */
export function jobServices(
  sources: ServiceSources,
): Pick<ExecutorJob, 'services' | 'showServiceLogs' | 'networkPerBuild'> {
  const { payload, entry, variables, log } = sources
  const setting = (name: string) => booleanSetting(variables.values, name, false, (text) => log.warning(text))
  const services = [
    ...(entry.docker.services ?? []).map((service) => configuredRequest(service, variables)),
    ...(payload.services ?? []).map((service) => jobRequest(service, variables)),
  ]
  return {
    services: services.filter(({ name }) => name !== ''),
    showServiceLogs: setting('CI_DEBUG_SERVICES') && !entry.debugTraceDisabled,
    networkPerBuild: setting('FF_NETWORK_PER_BUILD'),
  }
}

function configuredRequest(
  service: ConfiguredService,
  variables: ServiceSources['variables'],
): ServiceRequest {
  return {
    ...named(service, variables),
    environment: environmentOf(service.environment, variables),
    pullPolicy: undefined,
    user: undefined,
    platform: undefined,
    isConfigured: true,
  }
}

function jobRequest(service: JobService, variables: ServiceSources['variables']): ServiceRequest {
  const { user, platform } = readExecutorOptions(service.executor_opts, 'service')
  return {
    ...named(service, variables),
    environment: environmentOf(service.variables ?? [], variables),
    pullPolicy: service.pull_policy ?? undefined,
    user: expanded(user, variables),
    platform: expanded(platform, variables),
    isConfigured: false,
  }
}

function named(
  service: Pick<JobService, 'name' | 'alias' | 'entrypoint' | 'command'>,
  variables: ServiceSources['variables'],
) {
  const aliases = expandText(service.alias ?? '', variables.values)
  return {
    name: expandText(service.name, variables.values),
    aliases: aliases.split(/[\s,]+/).filter((alias) => alias !== ''),
    entrypoint: service.entrypoint ?? undefined,
    command: service.command ?? undefined,
  }
}

/** What may be seen of the job, and over it what is meant for the service alone, expanded with all of the job. */
function environmentOf(
  own: readonly JobVariable[],
  { list, values }: ServiceSources['variables'],
): Record<string, string> {
  const seen = list.filter((variable) => variable.public)
  const meant = own.map((variable) =>
    variable.raw ? variable : { ...variable, value: expandText(variable.value, values) },
  )
  return Object.fromEntries([...seen, ...meant].map(({ key, value }) => [key, value]))
}

function expanded(text: string | undefined, { values }: ServiceSources['variables']): string | undefined {
  return text === undefined ? undefined : expandText(text, values)
}
