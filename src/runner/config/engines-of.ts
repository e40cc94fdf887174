import type { EngineSettings } from '../executor/docker/settings.js'
import type { RunnerRegistration } from './settings.js'

/** The engines that the settings of a registration name. */
export function enginesOf({
  docker,
  dockerHosts,
}: Pick<RunnerRegistration, 'docker' | 'dockerHosts'>): EngineSettings[] {
  return dockerHosts?.map(({ engine }) => engine) ?? [docker]
}
