import { Type } from 'typebox'

import { RunnerCredentials } from '../../../protocol/runner-registration.js'
import type { User } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { NoBody, type Operation, operation } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { described } from '../../http/parameters/described.js'
import { runnerToChange, runnerToRead } from './access.js'
import {
  describeManagers,
  describeRunner,
  describeRunners,
  describeRunnersInDetail,
} from './describe-runners.js'
import { checkScope } from './filter-runners.js'
import { resetAuthenticationToken } from './register-runner.js'
import {
  resetGroupRegistrationToken,
  resetInstanceRegistrationToken,
  resetProjectRegistrationToken,
} from './registration-tokens.js'
import {
  allRunners,
  countRunners,
  listRunners,
  type RunnerParts,
  runnersMaintainedBy,
  runnersOfGroup,
  runnersOfProject,
} from './runner-lists.js'
import {
  changeRunner,
  createRunnerFor,
  deleteRunner,
  disableRunner,
  enableRunner,
  type RunnerOwners,
} from './runners.js'
import {
  ListedRunner,
  NewToken,
  RunnerCounts,
  RunnerDetails,
  RunnerListParams,
  RunnerManager,
  RunnerSettings,
  RunnerSummary,
  RunnerTypeName,
} from './schema.js'
import type { GroupOfRunners } from './store.js'

export interface RunnerOperationsDeps extends Omit<RunnerOwners, 'ownedGroup'> {
  /** Like `ownedGroup` of `RunnerOwners`, with the settings for its runners. */
  ownedGroup: (idOrPath: string, user: User) => Promise<GroupOfRunners>
  database: Database
  secrets: SecretBox
  externalUrl: string
}

const RunnerId = Type.Object({ id: described(Type.Integer(), 'ID of the runner.') })
const Listed = Type.Array(ListedRunner)
const BY_ID = { of: 'Ci::Runner', orders: ['id desc'] } as const

/** Settings whose changes the audit events record. */
const RECORDED = [
  ...(['description', 'active', 'run_untagged', 'locked', 'access_level', 'maximum_timeout'] as const),
  ...(['tag_list', 'maintenance_note', 'weight'] as const),
]

/** Operations on runners for users (API, I6). */
export function runnerOperations(deps: RunnerOperationsDeps): Operation[] {
  return [
    ...listings(deps),
    ...counts(deps),
    ...singleRunner(deps),
    ...projectRunners(deps),
    ...creation(deps),
  ]
}

function listings({ database, externalUrl }: RunnerOperationsDeps): Operation[] {
  return [
    operation('GET /runners', {
      summary: 'List runners that the caller can manage',
      access: 'user',
      params: RunnerListParams,
      responses: { 200: Listed },
      paginated: true,
      keyset: BY_ID,
      run: async ({ user, params, paging }) => {
        checkScope(params.scope, false)
        const runners = user.is_admin ? allRunners(database) : await runnersMaintainedBy(database, user)
        return runnersPage(runners, params, paging)
      },
    }),
    operation('GET /runners/all', {
      summary: 'List all runners',
      access: 'administrator',
      params: RunnerListParams,
      responses: { 200: Listed },
      paginated: true,
      keyset: BY_ID,
      run: async ({ params, paging }) => {
        checkScope(params.scope, true)
        return runnersPage(allRunners(database), params, paging)
      },
    }),
    operation('GET /projects/:id/runners', {
      summary: 'List runners of a project',
      access: 'admin_runners',
      params: RunnerListParams,
      responses: { 200: Listed },
      paginated: true,
      keyset: BY_ID,
      run: async ({ project, params, paging }) => {
        checkScope(params.scope, true)
        return runnersPage(runnersOfProject(database, project), params, paging)
      },
    }),
    operation('GET /groups/:id/runners', {
      summary: 'List runners of a group',
      access: 'admin_group_runners',
      params: RunnerListParams,
      responses: { 200: Listed },
      paginated: true,
      keyset: BY_ID,
      run: async ({ group, params, paging }) => {
        checkScope(params.scope, true)
        return runnersPage(runnersOfGroup(database, group), params, paging)
      },
    }),
  ]

  async function runnersPage(runners: RunnerParts, filters: RunnerListParams, paging: Paging): Promise<Page> {
    const { rows, total } = await listRunners(database, runners, filters, paging)
    const describe = filters.with_details ? describeRunnersInDetail : describeRunners
    return page(await describe(database, externalUrl, rows), total)
  }
}

function counts({ database }: RunnerOperationsDeps): Operation[] {
  return [
    operation('GET /runners/counts', {
      summary: 'Count all runners by status',
      access: 'administrator',
      responses: { 200: RunnerCounts },
      run: () => countRunners(database, allRunners(database), Date.now()),
    }),
    operation('GET /projects/:id/runners/counts', {
      summary: 'Count the runners of a project by status',
      access: 'admin_runners',
      responses: { 200: RunnerCounts },
      run: ({ project }) => countRunners(database, runnersOfProject(database, project), Date.now()),
    }),
    operation('GET /groups/:id/runners/counts', {
      summary: 'Count the runners of a group by status',
      access: 'admin_group_runners',
      responses: { 200: RunnerCounts },
      run: ({ group }) => countRunners(database, runnersOfGroup(database, group), Date.now()),
    }),
  ]
}

function singleRunner({ database, externalUrl }: RunnerOperationsDeps): Operation[] {
  return [
    operation('GET /runners/:id', {
      summary: 'Get a runner',
      access: 'user',
      scopes: ['manage_runner'],
      params: RunnerId,
      responses: { 200: RunnerDetails },
      run: async ({ user, params }) =>
        describeRunner(database, externalUrl, await runnerToRead(database, user, params.id)),
    }),
    operation('PUT /runners/:id', {
      summary: 'Update a runner',
      access: 'user',
      scopes: ['manage_runner'],
      params: Type.Object({ ...RunnerId.properties, ...RunnerSettings.properties }),
      exclusive: [['active', 'paused']],
      changes: {
        attributes: RECORDED,
        before: ({ user, params: { id } }) => runnerToChange(database, user, id),
      },
      responses: { 200: RunnerDetails },
      run: async ({ user, params: { id, ...settings } }) => {
        const runner = await runnerToChange(database, user, id)
        return describeRunner(database, externalUrl, await changeRunner(database, runner, settings))
      },
    }),
    operation('DELETE /runners/:id', {
      summary: 'Delete a runner',
      access: 'user',
      scopes: ['manage_runner'],
      params: RunnerId,
      responses: { 204: NoBody },
      modifiedAt: async ({ user, params }) => {
        const { updated_at, created_at } = await runnerToChange(database, user, params.id)
        return updated_at ?? created_at
      },
      run: async ({ user, params }) =>
        deleteRunner(database, user, await runnerToChange(database, user, params.id)),
    }),
    operation('GET /runners/:id/managers', {
      summary: 'List managers of a runner',
      access: 'user',
      scopes: ['manage_runner'],
      params: RunnerId,
      responses: { 200: Type.Array(RunnerManager) },
      run: async ({ user, params }) => {
        const runner = await runnerToChange(database, user, params.id)
        return describeManagers(database, runner)
      },
    }),
    operation('POST /runners/:id/reset_authentication_token', {
      summary: 'Reset the authentication token of a runner',
      access: 'user',
      scopes: ['manage_runner'],
      params: RunnerId,
      needsConfirmation: true,
      responses: { 201: NewToken },
      run: async ({ user, params }) =>
        resetAuthenticationToken(database, await runnerToChange(database, user, params.id)),
    }),
  ]
}

function projectRunners({ database, secrets, externalUrl }: RunnerOperationsDeps): Operation[] {
  return [
    operation('POST /projects/:id/runners', {
      summary: 'Assign a runner to a project',
      access: 'admin_runners',
      params: Type.Object({ runner_id: described(Type.Integer(), 'ID of the runner.') }),
      responses: { 201: RunnerSummary },
      run: async ({ project, user, params }) => {
        // The permission of the operation already excludes anonymous callers.
        const runner = user && (await enableRunner(database, user, project, params.runner_id))
        const [record] = await describeRunners(database, externalUrl, runner ? [runner] : [])
        return record
      },
    }),
    operation('DELETE /projects/:id/runners/:runner_id', {
      summary: 'Unassign a runner from a project',
      access: 'admin_runners',
      params: Type.Object({ runner_id: described(Type.Integer(), 'ID of the runner.') }),
      responses: { 204: NoBody },
      run: ({ project, params }) => disableRunner(database, project, params.runner_id),
    }),
    operation('POST /projects/:id/runners/reset_registration_token', {
      summary: 'Reset the registration token of a project',
      access: 'admin_runners',
      needsConfirmation: true,
      responses: { 201: NewToken },
      run: async ({ project }) => ({
        token: await resetProjectRegistrationToken(database, secrets, project),
      }),
    }),
  ]
}

function creation({ database, secrets, levelOf, ownedGroup }: RunnerOperationsDeps): Operation[] {
  return [
    operation('POST /user/runners', {
      summary: 'Create a runner with an authentication token',
      access: 'user',
      scopes: ['create_runner'],
      params: Type.Object({
        runner_type: described(RunnerTypeName, 'Scope of the runner.'),
        group_id: described(
          Type.Optional(Type.Integer()),
          'ID of the group; required for a group runner, an error otherwise.',
        ),
        project_id: described(
          Type.Optional(Type.Integer()),
          'ID of the project; required for a project runner, an error otherwise.',
        ),
        ...RunnerSettings.properties,
      }),
      exclusive: [['active', 'paused']],
      responses: { 201: RunnerCredentials },
      run: ({ user, params }) => createRunnerFor(database, { levelOf, ownedGroup }, user, params),
    }),
    operation('POST /groups/:id/runners/reset_registration_token', {
      summary: 'Reset the registration token of a group',
      access: 'admin_group_runners',
      needsConfirmation: true,
      responses: { 201: NewToken },
      run: async ({ group }) => ({ token: await resetGroupRegistrationToken(database, secrets, group.id) }),
    }),
    operation('POST /runners/reset_registration_token', {
      summary: 'Reset the registration token of the instance',
      access: 'administrator',
      needsConfirmation: true,
      responses: { 201: NewToken },
      run: async () => ({ token: await resetInstanceRegistrationToken(database, secrets) }),
    }),
  ]
}
