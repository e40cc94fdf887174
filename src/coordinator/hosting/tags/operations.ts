import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import type { Project } from '../../access/caller.js'
import { clientGone } from '../../http/client-gone.js'
import { notFound } from '../../http/errors.js'
import { type ApiResponse, NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { namesAfter, tokenPage } from '../../http/paging/token-paging.js'
import { changerOf } from '../repositories/change/change-refs.js'
import { Signature } from '../signatures/schema.js'
import { changeReleaseNotes, createTag, deleteTag, releaseTag, requireTag } from './change-tags.js'
import { describeTags, type TagDeps, tagNames } from './describe-tags.js'
import { ListTags, NewTag, ReleaseNotes, Tag, TagName, TagRelease } from './schema.js'
import { signatureOfTag } from './signature.js'

/** Tags of a project (API, E6). */
export function tagOperations(deps: TagDeps): Operation[] {
  return [...reading(deps), ...changing(deps), ...releasing(deps)]
}

interface TagCall {
  project: Project
  reply: Parameters<typeof clientGone>[0]
}

function reading(deps: TagDeps): Operation[] {
  return [
    operation('GET /projects/:id/repository/tags', {
      summary: 'List project repository tags',
      access: 'read_code',
      jobToken: true,
      params: ListTags,
      responses: { 200: Type.Array(Tag) },
      paginated: true,
      run: (call) => listTags(deps, call),
    }),
    operation('GET /projects/:id/repository/tags/:tag_name', {
      summary: 'Get a tag',
      access: 'read_code',
      params: TagName,
      responses: { 200: Tag },
      run: async (call) => {
        await requireTag(deps.pushes, call.project, call.params.tag_name)
        return record(deps, call, call.params.tag_name)
      },
    }),
    operation('GET /projects/:id/repository/tags/:tag_name/signature', {
      summary: 'Get the signature of a tag',
      access: 'read_code',
      params: TagName,
      responses: { 200: Signature },
      run: (call) => signatureOfTag(deps, call.project, readingFor(deps, call), call.params.tag_name),
    }),
  ]
}

function changing(deps: TagDeps): Operation[] {
  return [
    operation('POST /projects/:id/repository/tags', {
      summary: 'Create a tag; annotated if a message is given',
      access: 'push_code',
      params: NewTag,
      responses: { 201: Tag },
      run: async (call) => {
        await createTag(deps, changerOf(call), call.params)
        return record(deps, call, call.params.tag_name)
      },
    }),
    operation('DELETE /projects/:id/repository/tags/:tag_name', {
      summary: 'Delete a tag and its release',
      access: 'push_code',
      params: TagName,
      responses: { 204: NoBody },
      run: async (call) => {
        const seen = { reading: readingFor(deps, call), headers: call.request.headers }
        await deleteTag(deps.pushes, changerOf(call), seen, call.params.tag_name)
        return respond(204)
      },
    }),
  ]
}

function releasing(deps: TagDeps): Operation[] {
  return [
    operation('POST /projects/:id/repository/tags/:tag_name/release', {
      summary: 'Create a release of a tag (deprecated form of POST /projects/:id/releases)',
      access: 'push_code',
      params: ReleaseNotes,
      responses: { 201: TagRelease },
      run: async (call) => {
        await releaseTag(deps, changerOf(call), call.params)
        return call.params
      },
    }),
    operation('PUT /projects/:id/repository/tags/:tag_name/release', {
      summary: 'Update the release notes of a tag (deprecated form of PUT /projects/:id/releases/:tag_name)',
      access: 'push_code',
      params: ReleaseNotes,
      responses: { 200: TagRelease },
      run: async (call) => {
        await changeReleaseNotes(deps.pushes, changerOf(call), call.params)
        return call.params
      },
    }),
  ]
}

async function listTags(
  deps: TagDeps,
  call: TagCall & { params: ListTags; paging: Paging; request: FastifyRequest },
): Promise<Page | ApiResponse> {
  const { params, paging, request } = call
  const names = await tagNames(readingFor(deps, call), params)
  if (params.pagination !== 'keyset') {
    const { offset, perPage } = paging
    return page(await records(deps, call, names.slice(offset, offset + perPage)), names.length)
  }
  const order = params.order_by === 'name' ? (params.sort ?? 'desc') : 'other'
  const { names: some, next } = namesAfter(names, params.page_token, paging, order)
  return tokenPage(await records(deps, call, some), next, { request, externalUrl: deps.externalUrl })
}

function readingFor({ pushes }: TagDeps, { project, reply }: TagCall) {
  return pushes.repositories.reading(project.id, clientGone(reply))
}

function records(deps: TagDeps, call: TagCall, names: string[]): Promise<Tag[]> {
  return describeTags(deps, call.project, readingFor(deps, call), names)
}

/** Throws 404 for a tag deleted in the meantime. */
async function record(deps: TagDeps, call: TagCall, name: string): Promise<Tag> {
  const [found] = await records(deps, call, [name])
  if (!found) throw notFound('Tag')
  return found
}
