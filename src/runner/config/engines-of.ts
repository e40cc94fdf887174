import type { EngineSettings } from '../executor/docker/settings.js'
import type { RunnerRegistration } from './settings.js'

/** The engines that the settings of a registration name. None for an executor without engines. */
export function enginesOf({
  docker,
  dockerHosts,
}: Pick<RunnerRegistration, 'docker' | 'dockerHosts'>): EngineSettings[] {
  if (dockerHosts) return dockerHosts.map(({ engine }) => engine)
  return docker ? [docker] : []
}
