import { Type } from 'typebox'

import { notFound } from '../../http/errors.js'
import {
  answer,
  type Operation,
  operation,
  page,
  type Paging,
  type Project,
  type User,
} from '../../http/operation.js'
import { createProject, type CreateProjectDeps } from './create-project.js'
import { editProject } from './edit-project.js'
import { listProjects, type ProjectFilter } from './list-projects.js'
import { presentFullProject, presentSimpleProject } from './present.js'
import { loadFacts } from './present-facts.js'
import {
  Accepted,
  AnyProject,
  CreateProject,
  CreateProjectForUser,
  EditProject,
  FullProject,
  ListProjects,
  ListProjectsOfUser,
} from './schema.js'
import { deleteProject } from './store.js'

export interface ProjectDeps extends CreateProjectDeps {
  externalUrl: string
  /** Takes an id or a username. */
  findUser: (idOrName: string) => Promise<User | undefined>
  /** Called when the project's rows are gone: removes repository, traces and artifacts. */
  onProjectDeleted: (projectId: number) => Promise<void>
}

export function projectOperations(deps: ProjectDeps): Operation[] {
  const { database, externalUrl, secrets } = deps
  return [
    operation('GET /projects', {
      summary: 'List the projects that the caller may see',
      access: 'anyone',
      params: ListProjects,
      answers: { 200: Type.Array(AnyProject) },
      paginated: true,
      run: async ({ params, caller, paging }) => {
        return list(params, caller.kind === 'anonymous' ? undefined : caller.user, paging)
      },
    }),
    operation('GET /users/:user_id/projects', {
      summary: "List a user's personal projects",
      access: 'anyone',
      params: ListProjectsOfUser,
      answers: { 200: Type.Array(AnyProject) },
      paginated: true,
      run: async ({ params, caller, paging }) => {
        const user = await existingUser(params.user_id)
        const viewer = caller.kind === 'anonymous' ? undefined : caller.user
        return list({ ...params, personalOf: user.id }, viewer, paging)
      },
    }),
    operation('POST /projects', {
      summary: 'Create a project',
      access: 'user',
      params: CreateProject,
      atLeastOne: [['name', 'path']],
      answers: { 201: FullProject },
      run: async ({ params, user }) => full(await createProject(deps, params, user), user),
    }),
    operation('POST /projects/user/:user_id', {
      summary: 'Create a project for a user',
      access: 'administrator',
      params: CreateProjectForUser,
      atLeastOne: [['name', 'path']],
      answers: { 201: FullProject },
      run: async ({ params, user }) => {
        const owner = await existingUser(String(params.user_id))
        return full(await createProject(deps, params, user, owner), user)
      },
    }),
    operation('GET /projects/:id', {
      summary: 'Get a project',
      access: 'read_project',
      answers: { 200: AnyProject },
      run: async ({ project, user }) => (user ? full(project, user) : simple(project)),
    }),
    operation('PUT /projects/:id', {
      summary: 'Change a project',
      access: 'admin_project',
      params: EditProject,
      answers: { 200: FullProject },
      run: async ({ project, params, user, accessLevel }) =>
        full(await editProject(deps, project, params, accessLevel), user),
    }),
    operation('DELETE /projects/:id', {
      summary: 'Delete a project and everything in it',
      access: 'remove_project',
      answers: { 202: Accepted },
      run: async ({ project }) => {
        if (!(await deleteProject(database, project.id))) throw notFound('Project')
        await deps.onProjectDeleted(project.id)
        return answer(202, { message: '202 Accepted' })
      },
    }),
  ]

  async function list(filter: ProjectFilter, viewer: User | undefined, paging: Paging) {
    const { rows, total } = await listProjects(database, filter, viewer, paging)
    const facts = await loadFacts(database, rows, viewer)
    const records = rows.map((project) =>
      viewer && !filter.simple
        ? presentFullProject({ project, facts: facts(project), viewer, baseUrl: externalUrl, secrets })
        : presentSimpleProject(project, facts(project), externalUrl),
    )
    return page(records, total)
  }

  async function full(project: Project, viewer: User | undefined): Promise<FullProject> {
    const facts = await loadFacts(database, [project], viewer)
    return presentFullProject({ project, facts: facts(project), viewer, baseUrl: externalUrl, secrets })
  }

  async function simple(project: Project) {
    const facts = await loadFacts(database, [project], undefined)
    return presentSimpleProject(project, facts(project), externalUrl)
  }

  async function existingUser(idOrName: string): Promise<User> {
    const user = await deps.findUser(idOrName)
    if (!user) throw notFound('User')
    return user
  }
}
