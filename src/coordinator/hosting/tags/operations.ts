import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import type { Project } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { pageOfNames } from '../../http/paging/token-paging.js'
import { changerOf } from '../repositories/change/change-refs.js'
import { readingFor } from '../repositories/reading-for.js'
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
  reply: FastifyReply
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
      run: async (call) => {
        const { order_by, sort = 'desc' } = call.params
        const names = await tagNames(readingFor(deps.pushes, call), call.params)
        return pageOfNames(names, call, order_by === 'name' ? sort : 'other', {
          describe: (some) => records(deps, call, some),
          externalUrl: deps.externalUrl,
        })
      },
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
      run: (call) => signatureOfTag(deps, call.project, readingFor(deps.pushes, call), call.params.tag_name),
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
        const seen = { reading: readingFor(deps.pushes, call), headers: call.request.headers }
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

function records(deps: TagDeps, call: TagCall, names: string[]): Promise<Tag[]> {
  return describeTags(deps, call.project, readingFor(deps.pushes, call), names)
}

/** Throws 404 for a tag deleted in the meantime. */
async function record(deps: TagDeps, call: TagCall, name: string): Promise<Tag> {
  const [found] = await records(deps, call, [name])
  if (!found) throw notFound('Tag')
  return found
}
