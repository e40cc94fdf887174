import type { Access } from '../../access/permissions.js'
import type { Operation } from '../../http/operation.js'
import { accessRequestOperations } from './access-request-operations.js'
import { type ImportMembersDeps, importMembersOperation } from './import-operation.js'
import { invitationOperations } from './invitation-operations.js'
import { memberRowOperations, usersOfProjectOperations } from './member-operations.js'
import { IN_GROUP, IN_PROJECT, type MemberOperationsDeps, type MemberRoutes } from './owner-routes.js'

export function memberOperations(deps: MemberOperationsDeps & ImportMembersDeps): Operation[] {
  return [
    ...operationsIn(deps, IN_PROJECT),
    ...operationsIn(deps, IN_GROUP),
    ...usersOfProjectOperations(deps),
    importMembersOperation(deps),
  ]
}

function operationsIn<A extends Access>(deps: MemberOperationsDeps, routes: MemberRoutes<A>): Operation[] {
  return [
    ...memberRowOperations(deps, routes),
    ...accessRequestOperations(deps, routes),
    ...invitationOperations(deps, routes),
  ]
}
