import type { Database } from '../../database/connect.js'
import type { NewMail } from './mail-content.js'
import type { NoticeRow } from './notice-store.js'
import { preferencesIn } from './preferences.js'
import { projectHeaders } from './project-headers.js'
import { hostOf } from './queue-mail.js'
import { mailAddressOf, reachableUsers } from './recipient.js'
import { renderBody } from './render-body.js'

/** Facts of the notice about a project that has moved. */
interface MovedProjectNotice {
  /** Full path before. */
  from: string
  actorId: number
}

/** The mails about a new path, to the members of the project itself. */
export async function writeMovedProjectMails(
  { database, externalUrl }: { database: Database; externalUrl: string },
  { project_id, facts }: Pick<NoticeRow, 'facts' | 'project_id'>,
): Promise<NewMail[]> {
  const { from, actorId } = facts as MovedProjectNotice
  const project = await database
    .selectFrom('project')
    .selectAll()
    .where('id', '=', project_id)
    .executeTakeFirst()
  if (!project) return []
  const members = await database
    .selectFrom('member')
    .select('user_id')
    .where('project_id', '=', project_id)
    .where('user_id', '<>', actorId)
    .execute()
  const ids = members.map(({ user_id }) => user_id)
  const preferences = await preferencesIn(database, project_id, ids)
  const users = (await reachableUsers(database, ids)).filter(
    ({ id }) => preferences.get(id)?.level !== 'disabled',
  )
  const url = `${externalUrl}/${project.full_path}`
  const content = await renderBody({
    lead: [`The project ${from} has moved to ${project.full_path}.`, `git remote set-url origin ${url}.git`],
    link: { label: 'View the project', url },
    footer: ['You receive this mail because you are a member of the project.'],
  })
  return Promise.all(
    users.map(async (user) => ({
      userId: user.id,
      to: await mailAddressOf(database, user, preferences.get(user.id)),
      subject: `${project.name} | The project has moved`,
      ...content,
      headers: projectHeaders(project, hostOf(externalUrl)),
    })),
  )
}
