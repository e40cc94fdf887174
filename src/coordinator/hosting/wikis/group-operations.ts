import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import type { Group, User } from '../../access/caller.js'
import { clientGone } from '../../http/client-gone.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { attachFile } from './attach-file.js'
import { listedPages, MAX_BODY_BYTES, shownPage, writtenPage } from './page-responses.js'
import {
  AttachFile,
  Attachment,
  CreatePage,
  EditPage,
  ListedPage,
  ListPages,
  OnePage,
  ShowPage,
  WikiPage,
} from './schema.js'
import type { WikiDeps } from './wiki-deps.js'
import { createPage, deletePage, editPage, pageChangedAt, requireWikiPage, type WikiWriter } from './wikis.js'

/** Wikis of groups (API, G8). */
export function groupWikiOperations(deps: WikiDeps): Operation[] {
  return [
    operation('GET /groups/:id/wikis', {
      summary: 'List the wiki pages of a group',
      access: 'read_group_wiki',
      params: ListPages,
      responses: { 200: Type.Array(ListedPage) },
      run: ({ group, params, reply }) => listedPages(deps, group.id, params, clientGone(reply)),
    }),
    operation('GET /groups/:id/wikis/:slug', {
      summary: 'Get a wiki page of a group',
      access: 'read_group_wiki',
      params: ShowPage,
      responses: { 200: WikiPage },
      run: ({ group, params, reply }) => shownPage(deps, group.id, params, clientGone(reply)),
    }),
    operation('POST /groups/:id/wikis', {
      summary: 'Create a wiki page in a group',
      access: 'write_group_wiki',
      params: CreatePage,
      maxBodyBytes: MAX_BODY_BYTES,
      responses: { 201: WikiPage },
      run: async ({ params, ...call }) => {
        const writer = writerOf(call)
        return writtenPage(deps, writer, await createPage(deps, writer, params))
      },
    }),
    operation('POST /groups/:id/wikis/attachments', {
      summary: 'Attach a file to the wiki of a group',
      access: 'write_group_wiki',
      params: AttachFile,
      responses: { 201: Attachment },
      run: async ({ params, ...call }) => attachFile(deps, writerOf(call), params.file),
    }),
    operation('PUT /groups/:id/wikis/:slug', {
      summary: 'Change a wiki page of a group',
      access: 'write_group_wiki',
      params: EditPage,
      maxBodyBytes: MAX_BODY_BYTES,
      atLeastOne: [['title', 'content', 'format']],
      responses: { 200: WikiPage },
      run: async ({ params: { slug, ...changes }, ...call }) => {
        const writer = writerOf(call)
        return writtenPage(deps, writer, await editPage(deps, writer, slug, changes))
      },
    }),
    operation('DELETE /groups/:id/wikis/:slug', {
      summary: 'Delete a wiki page of a group',
      access: 'delete_group_wiki_pages',
      params: OnePage,
      responses: { 204: NoBody },
      modifiedAt: async ({ group, params, reply }) => {
        const signal = clientGone(reply)
        return pageChangedAt(deps, group.id, await requireWikiPage(deps, group.id, params, signal), signal)
      },
      run: async ({ params, ...call }) => {
        await deletePage(deps, writerOf(call), params.slug)
        return respond(204)
      },
    }),
  ]
}

function writerOf({
  group,
  user,
  reply,
}: {
  group: Group
  user: User | undefined
  reply: FastifyReply
}): WikiWriter {
  return { owner: group, user: signedIn(user), signal: clientGone(reply) }
}
