import type { ContainerInspectInfo } from 'dockerode'

const MOST_PORTS = 20

/** What is known of a service once it was started. */
export interface ContainerFacts {
  /** Undefined while it runs. */
  exitCode: number | undefined
  /** As the engine reports it; undefined without a health check. */
  health: string | undefined
  /** In the network that it shares with the build; undefined when it has none of its own. */
  address: string | undefined
  /** TCP ports that it may answer at (runner protocol, 7.8). */
  ports: number[]
}

/** `environment` is that of the service: `HEALTHCHECK_TCP_PORT` in it stands for all ports of the image. */
export function containerFacts(
  { State: state, NetworkSettings: network, Config: config }: ContainerInspectInfo,
  environment: Record<string, string>,
): ContainerFacts {
  const addresses = Object.values(network.Networks).map((endpoint) => endpoint.IPAddress)
  return {
    exitCode: state.Running ? undefined : state.ExitCode,
    health: state.Health?.Status,
    address: addresses.find((address) => address !== ''),
    ports: tcpPorts(namesOf(config.ExposedPorts), environment['HEALTHCHECK_TCP_PORT']),
  }
}

/** The engine leaves out what is empty, whatever the client's types say. */
function namesOf(ports: object | undefined): string[] {
  return Object.keys(ports ?? {})
}

function tcpPorts(exposed: string[], override: string | undefined): number[] {
  if (override !== undefined && /^\d{1,5}$/.test(override)) return [Number(override)]
  const ports = exposed.filter((port) => !port.includes('/') || port.endsWith('/tcp'))
  return ports
    .map((port) => Number.parseInt(port, 10))
    .sort((one, other) => one - other)
    .slice(0, MOST_PORTS)
}
