import type { Project, User } from '../../access/caller.js'
import { authorizedApplicationOperations } from '../../accounts/applications/authorized-operations.js'
import { applicationOperations } from '../../accounts/applications/operations.js'
import { ownApplicationOperations } from '../../accounts/applications/own-operations.js'
import { userApplicationOperations } from '../../accounts/applications/user-operations.js'
import { auditEventOperations } from '../../accounts/audit-events/operations.js'
import { customAttributeOperations } from '../../accounts/custom-attributes/operations.js'
import { createGroupDirectory } from '../../accounts/groups/group-directory.js'
import { namespaceOperations } from '../../accounts/groups/namespace-operations.js'
import { groupOperations } from '../../accounts/groups/operations.js'
import { memberOperations } from '../../accounts/members/operations.js'
import { notificationSettingOperations } from '../../accounts/notification-settings/operations.js'
import { accountOperations } from '../../accounts/users/account-operations.js'
import type { Operation } from '../../http/operation.js'
import { accountDeps } from '../account-deps.js'
import { attributeOwners } from '../attribute-owners.js'
import type { OperationListDeps } from '../operation-list-deps.js'
import { groupDeps } from '../project-deps.js'
import { mayInProject } from '../services/may-in-project.js'
import type { Services } from '../services/services.js'

/** Users, namespaces and groups, members, applications, audit events and custom attributes. */
export function listAccountsOperations(services: Services, deps: OperationListDeps): Operation[] {
  const { database, secrets } = services
  const { externalUrl, findProject, findUser } = deps
  const mayDo = mayInProject(database)
  const forPeople = { database, secrets, externalUrl, findUser }
  return [
    ...accountOperations({ ...forPeople, ...accountDeps(services) }),
    ...applicationOperations({ database }),
    ...ownApplicationOperations({ database }),
    ...authorizedApplicationOperations({ database }),
    ...userApplicationOperations({ database }),
    ...auditEventOperations({ database }),
    ...notificationSettingOperations({ database }),
    ...namespaceOperations(forPeople),
    ...groupOperations(groupDeps(services, deps)),
    ...customAttributeOperations({
      database,
      ...attributeOwners({ findUser, findProject, groups: createGroupDirectory(database) }),
    }),
    ...memberOperations({ ...forPeople, projectWithReadableMembers }),
  ]

  async function projectWithReadableMembers(user: User, id: string): Promise<Project | undefined> {
    const project = await findProject(id)
    return project && (await mayDo('read_members', user, project)) ? project : undefined
  }
}
