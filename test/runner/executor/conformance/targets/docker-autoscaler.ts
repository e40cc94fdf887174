import Docker from 'dockerode'

import { machineCommands } from '../../autoscaler/support/machine-commands.js'
import { makeImage } from '../images.js'
import type { Target } from '../target.js'

/** Machines on demand, by commands. All of them have the engine of the machine, so that jobs have networks. */
export const DOCKER_AUTOSCALER: Target = {
  name: 'docker-autoscaler',
  missing: undefined,
  start: async () => {
    const { settings } = await machineCommands('unix:///var/run/docker.sock')
    const autoscaler = {
      plugin: 'command',
      plugin_config: { ...settings.commands, environment: settings.environment },
      max_instances: 1,
      update_interval: '1s',
      update_interval_when_expecting: '100ms',
      delete_instances_on_shutdown: true,
    }
    return {
      runner: { executor: 'docker-autoscaler', autoscaler },
      docker: {},
      engines: [new Docker()],
      provide: makeImage,
    }
  },
}
