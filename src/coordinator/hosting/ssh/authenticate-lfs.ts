import type { ServerChannel } from 'ssh2'

import type { SecretBox } from '../../crypto/secret-box.js'
import type { GitCaller } from '../../http/authentication/git-credentials.js'
import { admitCaller, type GitAccess } from '../repositories/http/git-access.js'
import { GitRefusedError } from '../repositories/http/git-refused-error.js'
import { newLfsToken, TOKEN_SECONDS } from './lfs-token.js'
import type { LfsCommand } from './ssh-command.js'

export interface LfsAuthentication {
  access: GitAccess
  secrets: SecretBox
  /** Without a trailing slash. */
  externalUrl: string
}

/**
 * Prints where the Git LFS server of a project is, with credentials for it (`git-lfs-authenticate`). Returns the exit
 * status; a refusal is shown to the user.
 */
export async function authenticateLfs(
  { access, secrets, externalUrl }: LfsAuthentication,
  { fullPath, operation }: LfsCommand,
  { caller, fingerprint, channel }: { caller: GitCaller; fingerprint: string; channel: ServerChannel },
): Promise<number> {
  const uploads = operation === 'upload'
  try {
    const service = uploads ? 'git-receive-pack' : 'git-upload-pack'
    const { project } = await admitCaller(access, service, caller, fullPath)
    const token = newLfsToken(secrets, { fingerprint, uploads })
    const response = {
      href: `${externalUrl}/${project.full_path}.git/info/lfs`,
      header: { Authorization: `Basic ${Buffer.from(`git:${token}`).toString('base64')}` },
      expires_in: TOKEN_SECONDS,
    }
    channel.write(`${JSON.stringify(response)}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof GitRefusedError)) throw error
    channel.stderr.write(`${error.status === 401 ? 'The project could not be found.' : error.message}\n`)
    return 1
  }
}
