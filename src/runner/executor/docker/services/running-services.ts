import type Docker from 'dockerode'

import type { Logger } from '../../../../lib/logger.js'
import type { JobLog } from '../../../trace/job-log.js'
import { removeContainer } from '../containers/remove-container.js'
import type { BuildConnection, ServicesRecord } from '../environment-record.js'
import { removeNetwork } from '../network/build-network.js'
import { type ShownLogs, showServiceLogs } from './service-output.js'

/** The services of one job and the network it shares with them. */
export interface Services {
  /** For the container of the job. */
  readonly connection: BuildConnection
  /** For the journal: `adoptServices` makes the same of it in another process. */
  readonly record: ServicesRecord
  /**
   * Removes everything, and whatever else is in the network. Stops writing to the log of the job at once, before it
   * answers. May be called more than once; does not throw, what cannot be removed is reported.
   */
  cleanUp(): Promise<void>
}

export interface ServiceHost {
  docker: Docker
  logger: Logger
  /** Whether volumes without a name outlive their container (`volume_keep`). */
  keepVolumes?: boolean
}

/** Takes over services that run already. Their output is shown from now on if it was shown before. */
export function adoptServices(host: ServiceHost, record: ServicesRecord, log: JobLog): Services {
  return runningServices(host, record, record.isShown ? showAll(host, record, log, new Date()) : [])
}

/** `since`: what was printed earlier is left out. */
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
