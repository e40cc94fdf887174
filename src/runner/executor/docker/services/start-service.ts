import { ExecutorError } from '../../errors.js'
import { engineFailure, engineWords, statusOf } from '../engine.js'
import type { CreatedService } from './create-service.js'
import { type ContainerFacts, containerFacts } from './readiness/container-facts.js'

export interface StartedService extends CreatedService {
  facts: ContainerFacts
}

/** Throws an `ExecutorError`: a service that cannot even begin is no use to its job. */
export async function startService(service: CreatedService): Promise<StartedService> {
  const { container, planned } = service
  try {
    await container.start()
    const facts = containerFacts(await container.inspect(), planned.request.environment)
    return { ...service, facts }
  } catch (error) {
    throw startFailure(error, planned.request.name)
  }
}

function startFailure(error: unknown, image: string): ExecutorError {
  const words = engineWords(error)
  if (statusOf(error) === undefined || !isCommandMissing(words)) {
    return engineFailure(error, `starting the service "${image}"`)
  }
  return new ExecutorError(
    `The service "${image}" cannot be started (${words}). Check its "entrypoint" and "command".`,
    'runner_configuration_error',
    { cause: error },
  )
}

function isCommandMissing(words: string): boolean {
  return /executable file not found|exec: "|no such file or directory|permission denied/i.test(words)
}
