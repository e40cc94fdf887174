import type { ContainerCreateOptions } from 'dockerode'

import type { ContainerPlace, ExecutorJob } from '../../executor.js'
import { readExecutorOptions } from '../../executor-options.js'
import { buildAliases, networkingOptions } from '../network/connection.js'
import type { BuildConnection } from '../network/connection-record.js'
import type { DockerExecutorSettings } from '../settings.js'
import { shellCommand } from '../shell-command.js'
import { jobUser } from '../users/job-user.js'
import { buildContainerName, containerNamePrefix } from './container-name.js'
import { hostConfig, isInForeignNetwork } from './host-config.js'
import { jobLabels } from './labels.js'
import { withoutAbsent } from './without-absent.js'

export interface ContainerPlan {
  job: ExecutorJob
  place: ContainerPlace
  settings: DockerExecutorSettings
  /** Id of an image that the engine has. */
  imageId: string
  /** Whether the engine can run an init process as number 1. */
  withInit: boolean
  /** Name of the volume for mounts without a directory of the host. */
  workspaceVolume?: string | undefined
  /** How the container reaches its services; as the settings say when absent. */
  connection?: BuildConnection | undefined
}

/** What the engine is asked to create for a job (runner protocol, 7.2 and 7.3). Throws for what is not allowed. */
export function containerOptions(plan: ContainerPlan): ContainerCreateOptions {
  const { job, place, settings, connection } = plan
  const prefix = containerNamePrefix(settings.runnerShortToken, job.projectId, job.concurrentProjectId)
  const name = buildContainerName(prefix)
  const environment = { ...place.environment, ...connection?.environment }
  return {
    name,
    ...(isInForeignNetwork(plan) ? {} : { Hostname: settings.hostname ?? prefix }),
    Image: plan.imageId,
    Cmd: shellCommand(place.scriptPath),
    Env: Object.entries(environment).map(([key, value]) => `${key}=${value}`),
    WorkingDir: place.workingDirectory,
    Labels: jobLabels(job, settings),
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    HostConfig: hostConfig(plan),
    ...networkingOptions(connection?.networkMode ?? null, buildAliases(connection, name)),
    ...withoutAbsent({
      platform: readExecutorOptions(job.image?.executor_opts, 'image').platform,
      MacAddress: settings.macAddress,
      User: jobUser(job, settings),
    }),
    ...entrypointOf(plan),
  }
}

/** Whether the job asks for an entrypoint that the settings forbid. */
export function isEntrypointRefused(plan: Pick<ContainerPlan, 'job' | 'settings'>): boolean {
  return Boolean(plan.job.image?.entrypoint?.length && plan.settings.disableEntrypointOverwrite)
}

function entrypointOf(plan: ContainerPlan): Pick<ContainerCreateOptions, 'Entrypoint'> {
  const entrypoint = plan.job.image?.entrypoint
  return entrypoint?.length && !isEntrypointRefused(plan) ? { Entrypoint: entrypoint } : {}
}
