import { Authenticator } from '../http/authentication/authenticator.js'
import { deployKeyPart } from '../resources/deploy-keys/transfer.js'
import { environmentPart } from '../resources/environments/transfer.js'
import { hookPart } from '../resources/hooks/transfer.js'
import { badgePart } from '../resources/link-badges/transfer.js'
import { memberPart } from '../resources/members/transfer.js'
import { schedulePart } from '../resources/pipeline-schedules/transfer.js'
import { createProjectFinder } from '../resources/projects/find-project.js'
import { protectedBranchPart, protectedTagPart } from '../resources/protected-branches/transfer.js'
import { protectedEnvironmentPart } from '../resources/protected-environments/transfer.js'
import { releasePart } from '../resources/releases/transfer.js'
import type { TransferPart } from '../transfer-part.js'
import { mayInProject } from './may-in-project.js'
import type { Parts } from './parts.js'
import { pushDeps } from './push-deps.js'

type TransferSources = Pick<
  Parts,
  'database' | 'secrets' | 'repositories' | 'logger' | 'engine' | 'measures' | 'outbound'
>

/** What archives of projects hold beside repository and settings, in the order in which it is made again. */
export function transferParts(sources: TransferSources): TransferPart[] {
  const { database, secrets, engine, outbound } = sources
  const authenticator = new Authenticator(database)
  const findProject = createProjectFinder(database)
  const mayDo = mayInProject(database)
  return [
    memberPart({ database, findUser: (idOrName) => authenticator.findUser(idOrName) }),
    environmentPart(engine),
    deployKeyPart({
      database,
      mayAdminister: async (user, projectId) => {
        const project = await findProject(String(projectId))
        return project !== undefined && mayDo('admin_deploy_keys', user, project)
      },
    }),
    badgePart(database),
    schedulePart(engine),
    releasePart({ engine, pushes: pushDeps(sources) }),
    // After what not even owners could make where nobody may push.
    protectedBranchPart(database),
    protectedTagPart(database),
    protectedEnvironmentPart(database),
    // The last: nobody is told of what comes from an archive.
    hookPart({ database, secrets, outbound }),
  ]
}
