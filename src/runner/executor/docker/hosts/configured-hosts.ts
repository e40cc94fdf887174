import type { DockerHost, HostSource } from './host-source.js'

/** The hosts of the settings. New settings give a new source, so it never changes. */
export function configuredHosts(hosts: readonly DockerHost[]): HostSource {
  return {
    hosts,
    onChange: () => () => {},
    jobStarted: () => {},
    jobEnded: () => {},
    find: (name) => hosts.find((host) => host.name === name),
  }
}
