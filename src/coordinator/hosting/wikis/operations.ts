import { Type } from 'typebox'

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
import { createPage, deletePage, editPage, pageChangedAt, requireWikiPage } from './wikis.js'

/** Wikis of projects (API, G8). */
export function wikiOperations(deps: WikiDeps): Operation[] {
  return [
    operation('GET /projects/:id/wikis', {
      summary: 'List the wiki pages of a project',
      access: 'read_wiki',
      params: ListPages,
      responses: { 200: Type.Array(ListedPage) },
      run: ({ project, params, reply }) => listedPages(deps, project.id, params, clientGone(reply)),
    }),
    operation('GET /projects/:id/wikis/:slug', {
      summary: 'Get a wiki page of a project',
      access: 'read_wiki',
      params: ShowPage,
      responses: { 200: WikiPage },
      run: ({ project, params, reply }) => shownPage(deps, project.id, params, clientGone(reply)),
    }),
    operation('POST /projects/:id/wikis', {
      summary: 'Create a wiki page in a project',
      access: 'write_wiki',
      params: CreatePage,
      maxBodyBytes: MAX_BODY_BYTES,
      responses: { 201: WikiPage },
      run: async ({ project, user, params, reply }) => {
        const writer = { owner: project, user: signedIn(user), signal: clientGone(reply) }
        return writtenPage(deps, writer, await createPage(deps, writer, params))
      },
    }),
    operation('POST /projects/:id/wikis/attachments', {
      summary: 'Attach a file to the wiki of a project',
      access: 'write_wiki',
      params: AttachFile,
      responses: { 201: Attachment },
      run: async ({ project, user, params, reply }) =>
        attachFile(deps, { owner: project, user: signedIn(user), signal: clientGone(reply) }, params.file),
    }),
    operation('PUT /projects/:id/wikis/:slug', {
      summary: 'Change a wiki page of a project',
      access: 'write_wiki',
      params: EditPage,
      maxBodyBytes: MAX_BODY_BYTES,
      atLeastOne: [['title', 'content', 'format']],
      responses: { 200: WikiPage },
      run: async ({ project, user, params: { slug, ...changes }, reply }) => {
        const writer = { owner: project, user: signedIn(user), signal: clientGone(reply) }
        return writtenPage(deps, writer, await editPage(deps, writer, slug, changes))
      },
    }),
    operation('DELETE /projects/:id/wikis/:slug', {
      summary: 'Delete a wiki page of a project',
      access: 'delete_wiki_pages',
      params: OnePage,
      responses: { 204: NoBody },
      modifiedAt: async ({ project, params, reply }) => {
        const signal = clientGone(reply)
        return pageChangedAt(
          deps,
          project.id,
          await requireWikiPage(deps, project.id, params, signal),
          signal,
        )
      },
      run: async ({ project, user, params, reply }) => {
        await deletePage(
          deps,
          { owner: project, user: signedIn(user), signal: clientGone(reply) },
          params.slug,
        )
        return respond(204)
      },
    }),
  ]
}
