import Docker from 'dockerode'

/** The label of everything that a runner creates at the engine. */
const MANAGED_LABEL = 'com.gitlab.gitlab-runner.managed=true'

/**
 * Containers, networks and volumes at the engine that carry `labels` (`key` or `key=value`, all of them), each as
 * `kind name`, sorted. A test gives a label that only its own runner sets when others use the engine too, and
 * expects the response to be the same before and after.
 */
export async function dockerLeftovers(labels: string[] = [MANAGED_LABEL]): Promise<string[]> {
  return await engineLeftovers(new Docker(), labels)
}

/** As `dockerLeftovers`, at any engine. */
export async function engineLeftovers(docker: Docker, labels: string[]): Promise<string[]> {
  const filters = JSON.stringify({ label: labels })
  const [containers, networks, { Volumes }] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listNetworks({ filters }),
    docker.listVolumes({ filters }),
  ])
  return [
    ...containers.map(({ Names, Id }) => `container ${Names.join(', ') || Id}`),
    ...networks.map(({ Name }) => `network ${Name}`),
    ...Volumes.map(({ Name }) => `volume ${Name}`),
  ].sort()
}
