import {
  type LinksIn,
  renderMarkdown,
  renderMarkdownWithLinks,
} from '../../../lib/markdown/render-markdown.js'
import type { Project, User } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import type { TextRenderer } from '../render-text.js'
import { type LinkDeps, linksIn, newLinkBudget, readerInProject } from './links.js'
import { RenderedMarkdown, RenderMarkdown } from './schema.js'

/** Markdown as HTML (API, G8). */
export function markdownOperations(deps: LinkDeps): Operation[] {
  const rendererFor = textRenderer(deps)
  return [
    operation('POST /markdown', {
      summary: 'Render a Markdown text as HTML',
      access: 'user',
      params: RenderMarkdown,
      responses: { 201: RenderedMarkdown },
      changesNothing: true,
      run: async ({ user, params }) => {
        const { text, gfm = false, project } = params
        const context = project === undefined ? undefined : await visibleProject(deps, user, project)
        if (!gfm) return { html: await renderMarkdown(text) }
        return { html: await rendererFor({ context, user })(text) }
      },
    }),
  ]
}

/** What finds the links in the texts that a reader receives in one response. */
export function linkFinder(deps: LinkDeps): (reader: Parameters<TextRenderer>[0]) => LinksIn {
  return (reader) => {
    const budget = newLinkBudget()
    return (shown) => linksIn(deps, reader, shown, budget)
  }
}

/** What renders the texts of issues, merge requests and comments. */
export function textRenderer(deps: LinkDeps): TextRenderer {
  const linksFor = linkFinder(deps)
  return (reader) => {
    const links = linksFor(reader)
    return (text) => renderMarkdownWithLinks(text, links)
  }
}

async function visibleProject(deps: LinkDeps, user: User, path: string): Promise<Project> {
  const caller = await readerInProject(deps, user, path)
  if (!caller) throw notFound('Project')
  return caller.project
}
