import { type EventOptions, localFacts } from '../local-event.js'
import type { WorkingDirectory } from '../working-directory.js'
import type { Outside, OutsideFlags } from './open-outside.js'
import { serverVariables } from './server-variables.js'

/** What the server of the project adds to an event: its address and, on request, the variables of the project. */
export async function settingsFromServer(
  directory: WorkingDirectory,
  { server }: Outside,
  options: OutsideFlags & Pick<EventOptions, 'ref' | 'source' | 'variables'>,
): Promise<Pick<EventOptions, 'serverUrl' | 'settings'>> {
  if (!options.serverVariables) return { serverUrl: server?.server }
  if (!server || options.offline) {
    const why = server ? 'with --offline' : 'because the server is not known: name it with --server'
    console.error(`switchyard: the variables of the server are left out, ${why}`)
    return { serverUrl: server?.server }
  }
  const { isProtected } = await localFacts(directory, { ...options, configPath: '' })
  const { variables, notes } = await serverVariables(server, directory.projectPath, isProtected)
  for (const note of notes) console.error(`switchyard: ${note}`)
  return { serverUrl: server.server, settings: variables }
}
