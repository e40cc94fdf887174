import { serviceName } from '../docker/services/plan-services.js'
import type { ExecutorJob } from '../executor.js'
import type { PodRecord } from './pod-record.js'
import { serviceContainerName } from './pod/pod-services.js'

/** The containers of the services of a job, with the names by which the job and people know them. */
export function serviceContainers({ services = [] }: ExecutorJob): PodRecord['services'] {
  return services.map(({ name, aliases }, index) => ({
    container: serviceContainerName(index),
    aliases: [...serviceName(name).aliases, ...aliases],
  }))
}
