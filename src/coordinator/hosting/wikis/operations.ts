import { Type } from 'typebox'

import type { Access } from '../../access/permissions.js'
import { clientGone } from '../../http/client-gone.js'
import { type Call, NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { DiffEntry } from '../repositories/browse/diff-record.js'
import { attachFile, wikiFile } from './attach-file.js'
import { IN_GROUP, IN_PROJECT, type WikiOwner, type WikiRoutes } from './owner-routes.js'
import {
  listedPages,
  MAX_BODY_BYTES,
  type PageResponseDeps,
  previewedPage,
  shownPage,
  writtenPage,
} from './page-responses.js'
import { pageDiff, pageVersions } from './page-versions.js'
import {
  AttachFile,
  Attachment,
  CreatePage,
  EditPage,
  ListedPage,
  ListPages,
  OneFile,
  OnePage,
  PageDiff,
  PagePreview,
  PreviewPage,
  ShowPage,
  WikiFile,
  WikiPage,
  WikiVersion,
} from './schema.js'
import type { WikiDeps } from './wiki-deps.js'
import { createPage, deletePage, editPage, pageChangedAt, requireWikiPage, type WikiWriter } from './wikis.js'

export interface WikiOperationsDeps extends Pick<PageResponseDeps, 'externalUrl' | 'linksFor'> {
  ofProjects: WikiDeps
  ofGroups: WikiDeps
}

/** Wikis of projects and groups (API, G8). */
export function wikiOperations({ ofProjects, ofGroups, ...deps }: WikiOperationsDeps): Operation[] {
  return [
    ...operationsIn({ ...deps, ...ofProjects }, IN_PROJECT),
    ...operationsIn({ ...deps, ...ofGroups }, IN_GROUP),
  ]
}

function operationsIn<A extends Access>(deps: PageResponseDeps, owner: WikiRoutes<A>): Operation[] {
  const { routes, of, read, write, at } = owner
  const writerOf = (call: Call<A, unknown>): WikiWriter & { owner: WikiOwner } => ({
    owner: at(call).owner,
    user: signedIn(at(call).user),
    signal: clientGone(call.reply),
  })
  return [
    operation(routes.list, {
      summary: `List the wiki pages of ${of}`,
      access: read,
      params: ListPages,
      responses: { 200: Type.Array(ListedPage) },
      run: (call) => listedPages(deps, at(call).owner.id, call.params, clientGone(call.reply)),
    }),
    operation(routes.get, {
      summary: `Get a wiki page of ${of}`,
      access: read,
      params: ShowPage,
      responses: { 200: WikiPage },
      run: (call) => shownPage(deps, at(call), call.params, clientGone(call.reply)),
    }),
    operation(routes.versions, {
      summary: `List the versions of a wiki page of ${of}`,
      access: read,
      params: OnePage,
      responses: { 200: Type.Array(WikiVersion) },
      paginated: true,
      run: (call) =>
        pageVersions(deps, at(call).owner.id, call.params.slug, call.paging, clientGone(call.reply)),
    }),
    operation(routes.diff, {
      summary: `Compare two versions of a wiki page of ${of}`,
      access: read,
      params: PageDiff,
      responses: { 200: Type.Array(DiffEntry) },
      run: (call) => pageDiff(deps, at(call).owner.id, call.params, clientGone(call.reply)),
    }),
    operation(routes.file, {
      summary: `Get the content of a file in the wiki of ${of}`,
      access: read,
      params: OneFile,
      responses: { 200: WikiFile },
      run: (call) => wikiFile(deps, at(call).owner.id, call.params.file_path, clientGone(call.reply)),
    }),
    operation(routes.create, {
      summary: `Create a wiki page in ${of}`,
      access: write,
      params: CreatePage,
      maxBodyBytes: MAX_BODY_BYTES,
      responses: { 201: WikiPage },
      run: async (call) => {
        const writer = writerOf(call)
        return writtenPage(deps, writer, await createPage(deps, writer, call.params))
      },
    }),
    operation(routes.preview, {
      summary: `Render the text of a wiki page of ${of} as HTML`,
      access: write,
      params: PreviewPage,
      responses: { 200: PagePreview },
      changesNothing: true,
      run: (call) => previewedPage(deps, at(call), call.params),
    }),
    operation(routes.attach, {
      summary: `Attach a file to the wiki of ${of}`,
      access: write,
      params: AttachFile,
      responses: { 201: Attachment },
      run: async (call) => attachFile(deps, writerOf(call), call.params.file),
    }),
    operation(routes.edit, {
      summary: `Change a wiki page of ${of}`,
      access: write,
      params: EditPage,
      maxBodyBytes: MAX_BODY_BYTES,
      atLeastOne: [['title', 'content', 'format']],
      responses: { 200: WikiPage },
      run: async (call) => {
        const { slug, ...changes } = call.params
        const writer = writerOf(call)
        return writtenPage(deps, writer, await editPage(deps, writer, slug, changes))
      },
    }),
    operation(routes.delete, {
      summary: `Delete a wiki page of ${of}`,
      access: owner.delete,
      params: OnePage,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const signal = clientGone(call.reply)
        const { id } = at(call).owner
        return pageChangedAt(deps, id, await requireWikiPage(deps, id, call.params, signal), signal)
      },
      run: async (call) => {
        await deletePage(deps, writerOf(call), call.params.slug)
        return respond(204)
      },
    }),
  ]
}
