import type { ExecutorJob } from '../../executor.js'
import { labelsOfKind } from '../labels.js'
import type { DockerExecutorSettings } from '../settings.js'
import type { ServiceName } from './service-name.js'

/** On the container of a service (runner protocol, 7.10). */
export function serviceLabels(
  job: ExecutorJob,
  settings: DockerExecutorSettings,
  { service, version }: ServiceName,
): Record<string, string> {
  return labelsOfKind(job, settings, { type: 'service', service, 'service.version': version })
}
