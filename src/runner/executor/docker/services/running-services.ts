import type Docker from 'dockerode'

import type { Logger } from '../../../../lib/logger.js'
import type { JobLog } from '../../../trace/job-log.js'
import { removeContainer } from '../containers/remove-container-and-volumes.js'
import type { BuildConnection, ServicesRecord } from '../environment-record.js'
import { removeNetwork } from '../network/build-network.js'
import { type ShownLogs, showServiceLogs } from './service-output.js'

/** The services of one job and the network that it shares with them. */
export interface Services {
  /** For the container of the job. */
  readonly connection: BuildConnection
  /** For the journal. `adoptServices` recreates this object from it in another process. */
  readonly record: ServicesRecord
  /**
   * Stops writing to the log of the job immediately, then removes the services and everything else in the network.
   * May be called more than once. Does not throw: failures are logged.
   */
  cleanUp(): Promise<void>
}

export interface ServiceHost {
  docker: Docker
  logger: Logger
  /** Whether anonymous volumes outlive their container (`volume_keep`). */
  keepVolumes?: boolean
}

/** Adopts running services. Their output is shown from now on if it was shown before. */
export function adoptServices(host: ServiceHost, record: ServicesRecord, log: JobLog): Services {
  return runningServices(host, record, record.isShown ? showAll(host, record, log, new Date()) : [])
}

/** `since`: earlier output is omitted. */
export function showAll(
  { docker, logger }: ServiceHost,
  { containers }: Pick<ServicesRecord, 'containers'>,
  log: JobLog,
  since?: Date,
): ShownLogs[] {
  return containers.map(({ id, aliases }) =>
    showServiceLogs(docker.getContainer(id), aliases, log.output, logger, since),
  )
}

export function runningServices(host: ServiceHost, record: ServicesRecord, shown: ShownLogs[]): Services {
  return {
    connection: record.connection,
    record,
    cleanUp: () => {
      shown.forEach((logs) => logs.stop())
      return removeServices(host, record)
    },
  }
}

export async function removeServices(
  { docker, logger, keepVolumes = false }: ServiceHost,
  { containers, networkId }: Pick<ServicesRecord, 'containers' | 'networkId'>,
): Promise<void> {
  await Promise.all(
    containers.map(({ id }) => removeContainer(docker.getContainer(id), logger, { keepVolumes })),
  )
  if (networkId !== null) await removeNetwork(docker, networkId, logger)
}
