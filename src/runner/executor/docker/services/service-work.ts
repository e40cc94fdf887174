import type { JobLog } from '../../../trace/job-log.js'
import type { ExecutorJob } from '../../executor.js'
import type { FoundImage } from '../images/find-image.js'
import type { NetworkPlan } from '../network/network-plan.js'
import type { DockerExecutorSettings } from '../settings.js'
import type { ServiceHost } from './running-services.js'
import type { ServicesRecord } from './services-record.js'

export interface ServiceParts extends ServiceHost {
  settings: DockerExecutorSettings
  findImage: (image: ServiceImage, log: JobLog, signal: AbortSignal) => Promise<FoundImage>
  /** Id of the image of the job, which has a shell. */
  jobImageId: string
}

export interface ServiceImage {
  name: string
  /** What the job asks for; the settings decide. */
  pullPolicy: string[] | undefined
  platform: string | undefined
}

/** The services of one job while they are being started. */
export interface ServiceWork {
  parts: ServiceParts
  job: ExecutorJob
  log: JobLog
  signal: AbortSignal
  network: NetworkPlan
  namePrefix: string
  /** What is there so far, for whoever has to remove it. */
  made: Pick<ServicesRecord, 'containers' | 'networkId'>
}
