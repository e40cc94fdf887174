import { sql, type SqlBool } from 'kysely'

import type { User } from '../../access/caller.js'
import { maySeeProject } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import type { NewMail } from './mail-content.js'
import type { NoticeRow } from './notice-store.js'
import { possibleWatchers, preferencesIn } from './preferences.js'
import { projectHeaders } from './project-headers.js'
import { hostOf } from './queue-mail.js'
import { mailAddressOf, reachableUsers } from './recipient.js'
import { renderBody } from './render-body.js'

/** Facts of the notice about a new release. */
interface ReleaseNotice {
  id: number
}

/** The mails about a release, to those who watch the project. */
export async function writeReleaseMails(
  { database, externalUrl }: { database: Database; externalUrl: string },
  { facts }: Pick<NoticeRow, 'facts'>,
): Promise<NewMail[]> {
  const release = await database
    .selectFrom('release')
    .selectAll()
    .where('id', '=', (facts as ReleaseNotice).id)
    .executeTakeFirst()
  const project =
    release &&
    (await database.selectFrom('project').selectAll().where('id', '=', release.project_id).executeTakeFirst())
  if (!release || !project) return []
  const ids = (await possibleWatchers(database, project.id)).filter((id) => id !== release.author_id)
  const preferences = await preferencesIn(database, project.id, ids)
  const host = hostOf(externalUrl)
  const mails: NewMail[] = []
  for (const user of await reachableUsers(database, ids)) {
    const preference = preferences.get(user.id)
    const isWanted =
      preference?.level === 'watch' || (preference?.level === 'custom' && preference.events['new_release'])
    if (!isWanted || !(await isReadable(database, project.id, user))) continue
    mails.push({
      userId: user.id,
      to: await mailAddressOf(database, user, preference),
      subject: `${project.name} | New release: ${release.name || release.tag}`,
      ...(await renderBody({
        lead: [`A new release of ${project.full_path} is available.`],
        details: [['Tag', release.tag]],
        markdown: release.description,
        link: {
          label: 'View this release',
          url: `${externalUrl}/${project.full_path}/-/releases/${encodeURIComponent(release.tag)}`,
        },
        footer: ['You receive this mail because you watch the project.'],
      })),
      messageId: `release_${release.id}_${user.id}@${host}`,
      headers: projectHeaders(project, host),
    })
  }
  return mails
}

async function isReadable(database: Database, projectId: number, user: User): Promise<boolean> {
  const row = await database
    .selectFrom('project')
    .select('id')
    .where('id', '=', projectId)
    .where(sql<SqlBool>`${maySeeProject(user)}`)
    .where('releases_access_level', '<>', 'disabled')
    .executeTakeFirst()
  return row !== undefined
}
