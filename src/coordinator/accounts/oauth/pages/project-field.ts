import { MCP_SCOPE, SCOPES_WITHIN_PROJECTS } from '../../../http/authentication/scopes.js'
import { type Markup, markup } from '../../../http/html-page.js'

/** A field for the projects to which the user limits a request for the tools; nothing for other requests. */
export function projectField(scopes: readonly string[], typed: string | undefined): Markup {
  if (!scopes.includes(MCP_SCOPE)) return markup``
  const lost = scopes.filter((scope) => !SCOPES_WITHIN_PROJECTS.includes(scope))
  const note =
    lost.length === 0
      ? ''
      : ` With projects named here, the application does not get these scopes: ${lost.join(', ')}.`
  return markup`<label>Projects
<textarea name="projects" rows="3" spellcheck="false" autocapitalize="none" aria-describedby="about-projects"
  placeholder="group/project">${typed ?? ''}</textarea></label>
<small id="about-projects">Paths of the projects that the application may access, one in each line. Without any, it may access all
projects that you can access.${note}</small>`
}
