import { Type } from 'typebox'

import { projectAbilities } from '../../access/abilities.js'
import type { Project, User } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation, type Route } from '../../http/operation.js'
import { ProjectAbilities } from '../../http/presenters/abilities-schema.js'
import { signedIn, viewerOf } from '../../http/viewer.js'
import { checkAvatar, readAvatar } from '../avatars/avatar-parameter.js'
import { type ActionDeps, projectActionOperations } from './action-operations.js'
import { changeAvatar, type ProjectAvatarDeps } from './avatar.js'
import { createProject, type CreateProjectDeps } from './create/create-project.js'
import type { DeletionDeps } from './deletion/delete-or-mark.js'
import { deletionOperations } from './deletion/deletion-operations.js'
import { exportOperations } from './export/export-operations.js'
import type { ExportDeps } from './export/exports.js'
import { type ForkDeps, forkOperations } from './fork/operations.js'
import { type GroupProjectDeps, groupProjectOperations } from './group-operations.js'
import { importOperations } from './import/import-operations.js'
import type { StartImportDeps } from './import/start-import.js'
import { jobTokenScopeOperations } from './job-token-scope/scope-operations.js'
import { ProjectRecords } from './record/records.js'
import { AnyProject, FetchStatistics, FullProject, Languages } from './record/schema.js'
import { editProject } from './settings/edit-project.js'
import {
  CreateProject,
  CreateProjectForUser,
  EditProject,
  GetProject,
  ListProjects,
  ListProjectsOfUser,
} from './settings/parameters.js'
import { fetchStatistics } from './statistics/fetch-statistics.js'
import { languagesOfProject } from './statistics/languages-of-project.js'
import { type StatisticsRepositories } from './statistics/repository-statistics.js'
import { refreshStatistics } from './statistics/update-project-statistics.js'
import { uploadFileOperations, type UploadOperationDeps } from './uploads/upload-operations.js'

export interface ProjectDeps
  extends
    ActionDeps,
    ForkDeps,
    DeletionDeps,
    UploadOperationDeps,
    ProjectAvatarDeps,
    GroupProjectDeps,
    ExportDeps,
    StartImportDeps {
  repositories: CreateProjectDeps['repositories'] & StatisticsRepositories
  /** Finds a user by ID or username. */
  findUser: (idOrName: string) => Promise<User | undefined>
}

export function projectOperations(deps: ProjectDeps): Operation[] {
  const records = new ProjectRecords(deps)
  return [
    ...listOperations(deps, records),
    ...singleOperations(deps, records),
    ...deletionOperations(deps, records),
    ...projectActionOperations(deps, records),
    ...forkOperations(deps, records),
    ...uploadFileOperations(deps),
    ...exportOperations(deps, records),
    ...importOperations(deps, records),
    ...groupProjectOperations(deps, records),
    ...jobTokenScopeOperations(records),
  ]
}

function listOperations(deps: ProjectDeps, records: ProjectRecords): Operation[] {
  return [
    operation('GET /projects', {
      summary: 'List projects',
      access: 'anyone',
      params: ListProjects,
      responses: { 200: Type.Array(AnyProject) },
      paginated: true,
      keyset: { of: 'Project', orders: ['id', 'name', 'created_at'] },
      run: async ({ params, caller, paging }) => records.list(params, viewerOf(caller), paging),
    }),
    listOfUser('GET /users/:user_id/projects', 'List personal projects of a user', 'personalOf'),
    listOfUser('GET /users/:user_id/starred_projects', 'List projects starred by a user', 'starredBy'),
    listOfUser(
      'GET /users/:user_id/contributed_projects',
      'List projects to which a user contributed',
      'contributedBy',
    ),
    operation('GET /projects/:id/forks', {
      summary: 'List forks of a project',
      access: 'read_project',
      params: ListProjects,
      responses: { 200: Type.Array(AnyProject) },
      paginated: true,
      run: async ({ project, params, user, paging }) =>
        records.list({ ...params, forksOf: project.id }, user, paging),
    }),
  ]

  function listOfUser(
    route: Route,
    summary: string,
    relation: 'personalOf' | 'starredBy' | 'contributedBy',
  ): Operation {
    return operation(route, {
      summary,
      access: 'anyone',
      params: ListProjectsOfUser,
      responses: { 200: Type.Array(AnyProject) },
      paginated: true,
      run: async ({ params, caller, paging }) => {
        const { id } = await existingUser(deps, params.user_id)
        return records.list({ ...params, [relation]: id }, viewerOf(caller), paging)
      },
    })
  }
}

/** Fields that audit events show with old and new values. */
const NOTED = [
  'name',
  'path',
  'visibility',
  'default_branch',
  'request_access_enabled',
  'public_jobs',
  'shared_runners_enabled',
  'group_runners_enabled',
  'ci_config_path',
  'merge_method',
  'only_allow_merge_if_pipeline_succeeds',
  'only_allow_merge_if_all_discussions_are_resolved',
  'only_allow_merge_if_all_status_checks_passed',
  'ci_job_token_scope_enabled',
  'restrict_user_defined_variables',
  'ci_pipeline_variables_minimum_override_role',
  'hold_failed_jobs_minimum_role',
  'approvals_before_merge',
]

function singleOperations(deps: ProjectDeps, records: ProjectRecords): Operation[] {
  return [
    operation('POST /projects', {
      summary: 'Create a project',
      access: 'user',
      params: CreateProject,
      atLeastOne: [['name', 'path']],
      responses: { 201: FullProject },
      run: async ({ params, user }) => records.full(await createWithAvatar(deps, params, user), user),
    }),
    operation('POST /projects/user/:user_id', {
      summary: 'Create a project for a user',
      access: 'administrator',
      params: CreateProjectForUser,
      atLeastOne: [['name', 'path']],
      responses: { 201: FullProject },
      run: async ({ params, user }) => {
        const owner = await existingUser(deps, String(params.user_id))
        return records.full(await createWithAvatar(deps, params, user, owner), user)
      },
    }),
    operation('GET /projects/:id', {
      summary: 'Get a project',
      access: 'read_project',
      params: GetProject,
      responses: { 200: AnyProject },
      // Statistics and license come from git and are not cached.
      cacheable: ({ statistics, license }) => !statistics && !license,
      run: async ({ project, user, params }) => {
        if (!user) return records.simple(project)
        if (params.statistics || params.license) await refreshStatistics(deps, project)
        return records.full(project, user, params)
      },
    }),
    operation('PUT /projects/:id', {
      summary: 'Update a project',
      access: 'edit_project',
      params: EditProject,
      atLeastOne: [Object.keys(EditProject.properties)],
      changes: { attributes: NOTED },
      responses: { 200: FullProject },
      run: async ({ project, params, user, accessLevel }) => {
        const editor = signedIn(user)
        return records.full(await editProject(deps, project, params, { user: editor, accessLevel }), editor)
      },
    }),
    operation('GET /projects/:id/abilities', {
      summary: 'Get what the caller may do in a project',
      access: 'read_project',
      responses: { 200: ProjectAbilities },
      cacheable: true,
      run: async ({ project, accessLevel, membership }) =>
        projectAbilities({ project, accessLevel, membership }),
    }),
    operation('GET /projects/:id/avatar', {
      summary: 'Get the avatar of a project',
      access: 'read_project',
      responses: { 200: Type.String({ format: 'binary', description: 'Image of the avatar.' }) },
      run: ({ project }) => readAvatar(deps.avatars, project.avatar_key),
    }),
    operation('GET /projects/:id/statistics', {
      summary: 'Get the fetch statistics of a project for the last 30 days',
      access: 'read_fetches',
      responses: { 200: FetchStatistics },
      run: ({ project }) => fetchStatistics(deps.database, project.id),
    }),
    operation('GET /projects/:id/languages', {
      summary: 'List programming languages of a project, with percentages',
      access: 'read_code',
      responses: { 200: Languages },
      run: async ({ project }) => languagesOfProject(deps, project),
    }),
  ]
}

async function createWithAvatar(
  deps: ProjectDeps,
  params: CreateProject,
  creator: User,
  owner?: User,
): Promise<Project> {
  await checkAvatar(deps.avatars, params.avatar)
  const project = await createProject(deps, params, creator, owner)
  return changeAvatar(deps, project, params.avatar)
}

async function existingUser({ findUser }: ProjectDeps, idOrName: string): Promise<User> {
  const user = await findUser(idOrName)
  if (!user) throw notFound('User')
  return user
}
