import { Type } from 'typebox'

import { OWNER } from '../../access/access-levels.js'
import { inPages } from '../../database/in-pages.js'
import { type TransferPart, transferPart, type TransferTarget } from '../../http/archive-part.js'
import { optional } from '../../http/parameters/described.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { milestonesForProject, milestonesOfReleases } from '../milestone-store.js'
import { linksOfReleases, updateRelease } from '../release-store.js'
import { createRelease } from './create-release.js'
import type { ReleaseDeps } from './releases.js'
import { NewRelease } from './schema.js'

const { tag_name, name, description, released_at, assets, milestones } = NewRelease.properties
const Transferred = Type.Object({
  tag_name,
  name,
  description,
  released_at,
  assets,
  milestones,
  author: optional(Type.String(), 'Username of the creator.'),
})

/**
 * Import and export of releases with their links. Authors are kept only if an administrator imports the
 * archive.
 */
export function releasePart(deps: ReleaseDeps): TransferPart {
  const { database } = deps.engine
  return transferPart({
    name: 'releases',
    schema: Transferred,
    read: async function* ({ id }) {
      for await (const release of releasesOf(deps, id)) {
        const { tag, name, description, released_at, author } = release
        const links = (await linksOfReleases(database, [release.id])).reverse()
        const milestones = (await milestonesOfReleases(database, [release.id])).get(release.id) ?? []
        yield {
          tag_name: tag,
          name,
          released_at: isoTime(released_at),
          description: description ?? undefined,
          author: author ?? undefined,
          milestones: milestones.map(({ title }) => title),
          assets: {
            links: links.map(({ name, url, filepath, link_type }) => ({
              name,
              url,
              filepath: filepath ?? undefined,
              link_type,
            })),
          },
        }
      }
    },
    identityOf: ({ tag_name }) => tag_name,
    write: async (target, { author, milestones: titles = [], ...release }) => {
      const { project, importer } = target
      const { signal } = new AbortController() // never aborts: no client waits for this background task
      const releaser = { user: importer, accessLevel: OWNER, signal, isImport: true }
      // Milestones of groups are not in the archive.
      const milestones = await milestonesForProject(database, project.id, { titles })
      const known = { ...release, milestone_ids: milestones.map(({ id }) => id) }
      const { id } = await createRelease(deps, project, releaser, known)
      const author_id = await authorOf(deps, target, author)
      if (author_id !== undefined) await updateRelease(database, id, { author_id })
    },
  })
}

function releasesOf({ engine }: ReleaseDeps, projectId: number) {
  return inPages(
    engine.database
      .selectFrom('release')
      .leftJoin('user', 'user.id', 'release.author_id')
      .selectAll('release')
      .select('user.username as author')
      .where('release.project_id', '=', projectId),
    'release',
  )
}

/** ID of the user with this name. Only imports by an administrator may name other authors. */
async function authorOf(
  { engine }: ReleaseDeps,
  { importer, people }: TransferTarget,
  username: string | undefined,
): Promise<number | undefined> {
  if (people) return people.get(username ?? '')
  if (!importer.is_admin || username === undefined) return undefined
  const user = await engine.database
    .selectFrom('user')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirst()
  return user?.id
}
