import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import { may } from '../../access/access.js'
import type { Project } from '../../access/caller.js'
import { clientGone } from '../../http/client-gone.js'
import { forbidden, notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import type { Reading } from '../repositories/browse/reading.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { groupTemplates, type GroupTemplatesDeps } from './group-templates.js'
import { type Filling, listLicenses, readLicense } from './license-templates.js'
import { DESCRIPTION_FOLDERS, type DescriptionKind, listFilesIn, readFileIn } from './repository-templates.js'
import {
  LicenseFilters,
  LicenseKey,
  LicenseTemplate,
  ProjectTemplate,
  Template,
  TemplateKey,
  TemplateName,
  TemplateOfProject,
  TemplatesOfProject,
} from './schema.js'
import type { TemplateKind, Templates } from './templates.js'

type TemplateDeps = Pick<PushDeps, 'repositories'> & Pick<GroupTemplatesDeps, 'database'>

/** Templates for new files, and for descriptions of issues and merge requests (API, G8). */
export function templateOperations(templates: Templates, deps: TemplateDeps): Operation[] {
  return [...ofInstance(templates), ...ofProject(templates, deps)]
}

function ofInstance(templates: Templates): Operation[] {
  return [
    operation('GET /templates/gitignores', {
      summary: 'List templates of .gitignore files',
      access: 'anyone',
      responses: { 200: Type.Array(TemplateName) },
      paginated: true,
      run: ({ paging, reply }) => listed(templates, 'gitignores', paging, clientGone(reply)),
    }),
    operation('GET /templates/gitignores/:key', {
      summary: 'Get a template of a .gitignore file',
      access: 'anyone',
      params: TemplateKey,
      responses: { 200: Template },
      run: ({ params, reply }) => requireTemplate(templates, 'gitignores', params.key, clientGone(reply)),
    }),
    operation('GET /templates/gitlab_ci_ymls', {
      summary: 'List templates of CI files',
      access: 'anyone',
      responses: { 200: Type.Array(TemplateName) },
      paginated: true,
      run: ({ paging, reply }) => listed(templates, 'gitlab_ci_ymls', paging, clientGone(reply)),
    }),
    operation('GET /templates/gitlab_ci_ymls/:key', {
      summary: 'Get a template of a CI file',
      access: 'anyone',
      params: TemplateKey,
      responses: { 200: Template },
      run: ({ params, reply }) => requireTemplate(templates, 'gitlab_ci_ymls', params.key, clientGone(reply)),
    }),
    operation('GET /templates/dockerfiles', {
      summary: 'List templates of Dockerfiles',
      access: 'anyone',
      responses: { 200: Type.Array(TemplateName) },
      paginated: true,
      run: ({ paging, reply }) => listed(templates, 'dockerfiles', paging, clientGone(reply)),
    }),
    operation('GET /templates/dockerfiles/:key', {
      summary: 'Get a template of a Dockerfile',
      access: 'anyone',
      params: TemplateKey,
      responses: { 200: Template },
      run: ({ params, reply }) => requireTemplate(templates, 'dockerfiles', params.key, clientGone(reply)),
    }),
    operation('GET /templates/licenses', {
      summary: 'List licenses',
      access: 'anyone',
      params: LicenseFilters,
      responses: { 200: Type.Array(LicenseTemplate) },
      paginated: true,
      run: async ({ params, paging, reply }) =>
        onPage(await listLicenses(templates, params.popular, clientGone(reply)), paging),
    }),
    operation('GET /templates/licenses/:key', {
      summary: 'Get a license, with its placeholders filled in',
      access: 'anyone',
      params: LicenseKey,
      responses: { 200: LicenseTemplate },
      run: ({ params: { key, ...filling }, reply }) =>
        requireLicense(templates, key, filling, clientGone(reply)),
    }),
  ]
}

function ofProject(instanceTemplates: Templates, { database, repositories }: TemplateDeps): Operation[] {
  return [
    operation('GET /projects/:id/templates/:type', {
      summary: 'List templates of a type for a project',
      access: 'read_project',
      params: TemplatesOfProject,
      responses: { 200: Type.Array(TemplateName) },
      paginated: true,
      run: async (call) => {
        const { type } = call.params
        if (!isDescription(type))
          return listed(await templatesFor(call.project), type, call.paging, clientGone(call.reply))
        checkReadsCode(call)
        const folder = DESCRIPTION_FOLDERS[type]
        const names = await listFilesIn(repositories, call.project, readingOf(call), folder)
        return onPage(named(names), call.paging)
      },
    }),
    operation('GET /projects/:id/templates/:type/:name', {
      summary: 'Get a template for a project',
      access: 'read_project',
      params: TemplateOfProject,
      responses: { 200: ProjectTemplate },
      run: async (call) => {
        const { type, name, ...filling } = call.params
        const signal = clientGone(call.reply)
        if (!isDescription(type)) {
          const templates = await templatesFor(call.project)
          return type === 'licenses'
            ? requireLicense(templates, name, filling, signal)
            : requireTemplate(templates, type, name, signal)
        }
        checkReadsCode(call)
        const folder = DESCRIPTION_FOLDERS[type]
        const content = await readFileIn(repositories, call.project, readingOf(call), folder, name)
        if (content === undefined) throw notFound('Template')
        return { name, content }
      },
    }),
  ]

  async function templatesFor(project: Project): Promise<Templates> {
    return instanceTemplates.after(await groupTemplates({ database, repositories }, project))
  }

  function readingOf({ project, reply }: { project: Project; reply: FastifyReply }): Reading {
    return repositories.reading(project.id, clientGone(reply))
  }
}

function isDescription(type: TemplateKind | DescriptionKind): type is DescriptionKind {
  return type === 'issues' || type === 'merge_requests'
}

/** Throws 403 for callers who do not see the files of the repository. */
function checkReadsCode(call: { project: Project; accessLevel: number; membership: number }): void {
  if (!may('read_code', call)) throw forbidden()
}

async function listed(
  templates: Templates,
  kind: TemplateKind,
  paging: Paging,
  signal: AbortSignal,
): Promise<Page> {
  if (kind === 'licenses') {
    const licenses = await listLicenses(templates, undefined, signal)
    return onPage(
      licenses.map(({ key, name }) => ({ key, name })),
      paging,
    )
  }
  return onPage(named(await templates.keys(kind, signal)), paging)
}

function named(keys: string[]): { key: string; name: string }[] {
  return keys.map((key) => ({ key, name: key }))
}

function onPage(rows: object[], { offset, perPage }: Paging): Page {
  return page(rows.slice(offset, offset + perPage), rows.length)
}

/** Throws 404. */
async function requireTemplate(
  templates: Templates,
  kind: TemplateKind,
  key: string,
  signal: AbortSignal,
): Promise<{ name: string; content: string }> {
  const content = await templates.read(kind, key, signal)
  if (content === undefined) throw notFound('Template')
  return { name: key, content }
}

/** Throws 404. */
async function requireLicense(
  templates: Templates,
  key: string,
  filling: Filling,
  signal: AbortSignal,
): Promise<LicenseTemplate> {
  const license = await readLicense(templates, key, filling, signal)
  if (!license) throw notFound('Template')
  return license
}
