import { schedulesOf } from '../../ci/schedules/store.js'
import { findRelease } from '../../hosting/release-store.js'
import { type Step } from '../run.js'
import { SourceRelease, SourceSchedule } from '../source/records.js'
import { listStep, PRESENT } from './list-step.js'
import { withOrigin } from './origin.js'
import { partNamed, targetOf } from './owners.js'

export const releaseStep: Step = listStep({
  kind: 'releases',
  path: 'releases?order_by=created_at&sort=asc',
  schema: SourceRelease,
  keyOf: ({ tag_name }) => tag_name,
  nameOf: ({ tag_name }) => tag_name,
  decide: async ({ deps, project }, { tag_name }) => {
    const isThere = project && (await findRelease(deps.database, project.id, tag_name))
    return isThere ? PRESENT : undefined
  },
  write: async (run, { tag_name, name, description, released_at, author, milestones, assets }) => {
    const people = await run.people.authors(run.importer, [author])
    const links = (assets?.links ?? []).map(({ name, url, link_type }) => ({
      name,
      url,
      ...(LINK_TYPES.includes(link_type ?? '') && { link_type }),
    }))
    await partNamed(run, 'releases').write(targetOf(run, { people }), {
      tag_name,
      name: name ?? tag_name,
      description: withOrigin(run, description, author, people),
      ...(released_at && { released_at }),
      milestones: (milestones ?? []).map(({ title }) => title),
      assets: { links },
      author: author?.username,
    })
  },
})

const LINK_TYPES = ['other', 'runbook', 'image', 'package']

/** Schedules are inactive until somebody activates them, so that both servers do not run them. */
export const scheduleStep: Step = listStep({
  kind: 'schedules',
  path: 'pipeline_schedules',
  schema: SourceSchedule,
  keyOf: ({ id }) => id,
  nameOf: ({ description, cron }) => `${description} (${cron})`,
  decide: async ({ deps, project }, { description, cron }) => {
    if (!project) return undefined
    const schedule = await schedulesOf(deps.database, project.id)
      .select('pipeline_schedule.id')
      .where('description', '=', description)
      .where('cron', '=', cron)
      .executeTakeFirst()
    return schedule ? PRESENT : undefined
  },
  write: async (run, { description, ref, cron, cron_timezone }) =>
    partNamed(run, 'pipeline_schedules').write(targetOf(run), {
      description,
      ref,
      cron,
      ...(cron_timezone && { cron_timezone }),
    }),
})
