import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import { may } from '../../access/access.js'
import type { Project } from '../../access/caller.js'
import { clientGone } from '../../http/client-gone.js'
import { forbidden, notFound } from '../../http/errors.js'
import { type Operation, operation, type Page, page, type Paging } from '../../http/operation.js'
import type { Reading } from '../repositories/browse/reading.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { type Filling, listLicenses, readLicense } from './license-templates.js'
import {
  type DescriptionKind,
  listDescriptionTemplates,
  readDescriptionTemplate,
} from './repository-templates.js'
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
import { readTemplateFile, templateKeys, type TemplateKind } from './template-files.js'

/** Templates for new files, and for descriptions of issues and merge requests (API, G8). */
export function templateOperations(pushes: PushDeps): Operation[] {
  return [...ofInstance(), ...ofProject(pushes)]
}

function ofInstance(): Operation[] {
  return [
    operation('GET /templates/gitignores', {
      summary: 'List templates of .gitignore files',
      access: 'anyone',
      answers: { 200: Type.Array(TemplateName) },
      paginated: true,
      run: ({ paging }) => listed('gitignores', paging),
    }),
    operation('GET /templates/gitignores/:key', {
      summary: 'Get a template of a .gitignore file',
      access: 'anyone',
      params: TemplateKey,
      answers: { 200: Template },
      run: ({ params }) => theTemplate('gitignores', params.key),
    }),
    operation('GET /templates/gitlab_ci_ymls', {
      summary: 'List templates of CI files',
      access: 'anyone',
      answers: { 200: Type.Array(TemplateName) },
      paginated: true,
      run: ({ paging }) => listed('gitlab_ci_ymls', paging),
    }),
    operation('GET /templates/gitlab_ci_ymls/:key', {
      summary: 'Get a template of a CI file',
      access: 'anyone',
      params: TemplateKey,
      answers: { 200: Template },
      run: ({ params }) => theTemplate('gitlab_ci_ymls', params.key),
    }),
    operation('GET /templates/dockerfiles', {
      summary: 'List templates of Dockerfiles',
      access: 'anyone',
      answers: { 200: Type.Array(TemplateName) },
      paginated: true,
      run: ({ paging }) => listed('dockerfiles', paging),
    }),
    operation('GET /templates/dockerfiles/:key', {
      summary: 'Get a template of a Dockerfile',
      access: 'anyone',
      params: TemplateKey,
      answers: { 200: Template },
      run: ({ params }) => theTemplate('dockerfiles', params.key),
    }),
    operation('GET /templates/licenses', {
      summary: 'List licenses',
      access: 'anyone',
      params: LicenseFilters,
      answers: { 200: Type.Array(LicenseTemplate) },
      paginated: true,
      run: async ({ params, paging }) => onPage(await listLicenses(params.popular), paging),
    }),
    operation('GET /templates/licenses/:key', {
      summary: 'Get a license, with its placeholders filled in',
      access: 'anyone',
      params: LicenseKey,
      answers: { 200: LicenseTemplate },
      run: ({ params: { key, ...filling } }) => theLicense(key, filling),
    }),
  ]
}

function ofProject({ repositories }: PushDeps): Operation[] {
  return [
    operation('GET /projects/:id/templates/:type', {
      summary: 'List templates of a type for a project',
      access: 'read_project',
      params: TemplatesOfProject,
      answers: { 200: Type.Array(TemplateName) },
      paginated: true,
      run: async (call) => {
        const { type } = call.params
        if (!isDescription(type)) return listed(type, call.paging)
        checkReadsCode(call)
        const reading = readingOf(call)
        const names = await listDescriptionTemplates(repositories, call.project, reading, type)
        return onPage(named(names), call.paging)
      },
    }),
    operation('GET /projects/:id/templates/:type/:name', {
      summary: 'Get a template for a project',
      access: 'read_project',
      params: TemplateOfProject,
      answers: { 200: ProjectTemplate },
      run: async (call) => {
        const { type, name, ...filling } = call.params
        if (type === 'licenses') return theLicense(name, filling)
        if (!isDescription(type)) return theTemplate(type, name)
        checkReadsCode(call)
        const of = { kind: type, name }
        const content = await readDescriptionTemplate(repositories, call.project, readingOf(call), of)
        if (content === undefined) throw notFound('Template')
        return { name, content }
      },
    }),
  ]

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

async function listed(kind: TemplateKind, paging: Paging): Promise<Page> {
  if (kind === 'licenses') {
    const licenses = await listLicenses(undefined)
    return onPage(
      licenses.map(({ key, name }) => ({ key, name })),
      paging,
    )
  }
  return onPage(named(await templateKeys(kind)), paging)
}

function named(keys: string[]): { key: string; name: string }[] {
  return keys.map((key) => ({ key, name: key }))
}

function onPage(rows: object[], { offset, perPage }: Paging): Page {
  return page(rows.slice(offset, offset + perPage), rows.length)
}

/** Throws 404. */
async function theTemplate(kind: TemplateKind, key: string): Promise<{ name: string; content: string }> {
  const content = await readTemplateFile(kind, key)
  if (content === undefined) throw notFound('Template')
  return { name: key, content }
}

/** Throws 404. */
async function theLicense(key: string, filling: Filling): Promise<LicenseTemplate> {
  const license = await readLicense(key, filling)
  if (!license) throw notFound('Template')
  return license
}
