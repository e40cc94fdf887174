import { allowsKey } from '../accounts/users/keys/key-strength.js'
import { recordKeyUse } from '../accounts/users/keys/record-key-use.js'
import type { PushDeps } from '../hosting/repositories/push/handle-push.js'
import type { SshServerDeps } from '../hosting/ssh/ssh-server-deps.js'
import type { RunningSshServer } from '../hosting/ssh/ssh-server.js'
import { useSshPort } from '../http/presenters/ssh-url.js'
import type { AppParts } from './app-parts.js'
import { cannotListen } from './listen.js'
import type { Services } from './services/services.js'

/** Starts the SSH server if the settings say where it listens. Its code is loaded only then. */
export async function serveSsh(
  services: Services,
  pushes: PushDeps,
  parts: AppParts,
  overrides: Pick<SshServerDeps, 'timeouts' | 'limits'> = {},
): Promise<RunningSshServer | undefined> {
  const { sharedDir, sshListen, sshExternalPort } = services.settings
  if (!sshListen) return undefined
  const { startSshServer } = await import('../hosting/ssh/ssh-server.js')
  const deps: SshServerDeps = {
    ...pushes,
    dataDir: sharedDir,
    largeFiles: { secrets: services.secrets, externalUrl: services.engine.server.externalUrl },
    access: parts.access,
    guardOf: parts.guardOf,
    otherRepository: parts.otherRepository,
    isAllowed: () => services.instanceSettings.allowsGitOver('ssh'),
    greet: (projectId) => parts.pushedProjects.greeting(projectId),
    onFetched: (projectId) => services.fetchCounts.record(projectId),
    onUsed: (userId) => services.tokenUses.record(undefined, userId),
    onKeyUsed: (keyId) => void recordKeyUse(services, keyId),
    allowsKey: (blob) => allowsKey(services.database, blob),
    ...overrides,
  }
  try {
    const server = await startSshServer(deps, sshListen)
    useSshPort(services.engine.server.externalUrl, sshExternalPort ?? server.port)
    return server
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && error.syscall === 'listen')
      throw cannotListen(sshListen, error, 'ssh.listen')
    throw error
  }
}
