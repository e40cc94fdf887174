import { Type } from 'typebox'

import { clientGone } from '../../http/client-gone.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { attachFile } from './attach-file.js'
import { headOfWiki, type WikiDeps } from './head-of-wiki.js'
import { listPages } from './pages.js'
import { presentBrief, presentPage, presentPages } from './present.js'
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
import { createPage, deletePage, editPage, pageChangedAt, requireWikiPage } from './wikis.js'

/** In bytes. JSON escapes double the length of some pages. */
const MAX_BODY_BYTES = 12 * 1024 * 1024

/** Wikis of projects (API, G8). */
export function wikiOperations(deps: WikiDeps): Operation[] {
  const { wikiRepositories } = deps
  return [
    operation('GET /projects/:id/wikis', {
      summary: 'List the wiki pages of a project',
      access: 'read_wiki',
      params: ListPages,
      responses: { 200: Type.Array(ListedPage) },
      run: async ({ project, params, reply }) => {
        const head = await headOfWiki(deps.wikiRepositories, project.id)
        if (head === undefined) return []
        const reading = wikiRepositories.reading(project.id, clientGone(reply))
        const pages = await listPages(reading, head)
        return params.with_content ? presentPages(reading, pages) : pages.map(presentBrief)
      },
    }),
    operation('GET /projects/:id/wikis/:slug', {
      summary: 'Get a wiki page of a project',
      access: 'read_wiki',
      params: ShowPage,
      responses: { 200: WikiPage },
      run: async ({ project, params, reply }) => {
        const signal = clientGone(reply)
        const page = await requireWikiPage(deps, project.id, params, signal)
        return presentPage(wikiRepositories.reading(project.id, signal), page, params.render_html)
      },
    }),
    operation('POST /projects/:id/wikis', {
      summary: 'Create a wiki page in a project',
      access: 'write_wiki',
      params: CreatePage,
      maxBodyBytes: MAX_BODY_BYTES,
      responses: { 201: WikiPage },
      run: async ({ project, user, params, reply }) => {
        const writer = { project, user: signedIn(user), signal: clientGone(reply) }
        return written(writer, await createPage(deps, writer, params))
      },
    }),
    operation('POST /projects/:id/wikis/attachments', {
      summary: 'Attach a file to the wiki of a project',
      access: 'write_wiki',
      params: AttachFile,
      responses: { 201: Attachment },
      run: async ({ project, user, params, reply }) =>
        attachFile(deps, { project, user: signedIn(user), signal: clientGone(reply) }, params.file),
    }),
    operation('PUT /projects/:id/wikis/:slug', {
      summary: 'Change a wiki page of a project',
      access: 'write_wiki',
      params: EditPage,
      maxBodyBytes: MAX_BODY_BYTES,
      atLeastOne: [['title', 'content', 'format']],
      responses: { 200: WikiPage },
      run: async ({ project, user, params: { slug, ...changes }, reply }) => {
        const writer = { project, user: signedIn(user), signal: clientGone(reply) }
        return written(writer, await editPage(deps, writer, slug, changes))
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
        await deletePage(deps, { project, user: signedIn(user), signal: clientGone(reply) }, params.slug)
        return respond(204)
      },
    }),
  ]

  async function written(
    { project, signal }: { project: { id: number }; signal: AbortSignal },
    slug: string,
  ): Promise<object> {
    const page = await requireWikiPage(deps, project.id, { slug }, signal)
    return presentPage(wikiRepositories.reading(project.id, signal), page)
  }
}
