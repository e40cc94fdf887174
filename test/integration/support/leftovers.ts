import Docker from 'dockerode'
import { expect } from 'vitest'

const MANAGED = { filters: { label: ['com.gitlab.gitlab-runner.managed=true'] } }
const JOB_URL = 'com.gitlab.gitlab-runner.job.url'

type Labelled = { Labels?: Record<string, string> | null }

/** Fails if a container, network or volume of a job of the coordinator at `url` exists. */
export async function expectNoLeftovers(url: string): Promise<void> {
  const docker = new Docker()
  const isOurs = ({ Labels: labels }: Labelled): boolean => labels?.[JOB_URL]?.startsWith(`${url}/`) ?? false
  const containers = await docker.listContainers({ all: true, ...MANAGED })
  const networks = await docker.listNetworks(MANAGED)
  const { Volumes: volumes } = await docker.listVolumes(MANAGED)
  expect({
    containers: containers.filter(isOurs).map((container) => container.Names),
    networks: networks.filter(isOurs).map((network) => network.Name),
    volumes: volumes.filter(isOurs).map((volume) => volume.Name),
  }).toEqual({ containers: [], networks: [], volumes: [] })
}
