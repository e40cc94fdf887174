import { absent, type Calls, HIDDEN, type Place, type ResourceRow } from './row.js'

/** Triggers, schedules, releases and their links (API, I2, J). */
export function ciRows(place: Place): ResourceRow[] {
  return [triggers(place), schedules(place), releases(place), releaseLinks(place)]
}

function triggers({ project }: Place): ResourceRow {
  return {
    resource: 'triggers',
    of: 'project',
    manager: 'triggers',
    key: 'id',
    hidden: HIDDEN.project,
    bodies: ['a', 'b', 'c'].map((description) => ({ description })),
    change: { description: 'changed' },
    wrong: { body: { description: '' }, status: 400, message: 'description is empty' },
    absent: absent('Trigger'),
    gitbeaker: ({ PipelineTriggerTokens }): Calls => ({
      create: ({ description }) => PipelineTriggerTokens.create(project, String(description)),
      all: (options) => PipelineTriggerTokens.all(project, options),
      show: (id) => PipelineTriggerTokens.show(project, Number(id)),
      edit: (id) => PipelineTriggerTokens.edit(project, Number(id), { description: 'changed' }),
      remove: (id) => PipelineTriggerTokens.remove(project, Number(id)),
    }),
  }
}

function schedules({ project }: Place): ResourceRow {
  return {
    resource: 'schedules',
    of: 'project',
    manager: 'pipelineschedules',
    key: 'id',
    hidden: HIDDEN.project,
    bodies: ['a', 'b', 'c'].map((description) => ({ description, ref: 'main', cron: '0 1 * * 5' })),
    change: { cron: '0 2 * * *', active: false },
    wrong: {
      body: { description: 'x', ref: 'main', cron: 'often' },
      status: 400,
      message: { cron: ['syntax is invalid'] },
    },
    absent: absent('Pipeline Schedule'),
    gitbeaker: ({ PipelineSchedules }): Calls => ({
      create: ({ description, cron }) =>
        PipelineSchedules.create(project, String(description), 'main', String(cron)),
      all: (options) => PipelineSchedules.all(project, options),
      show: (id) => PipelineSchedules.show(project, Number(id)),
      edit: (id) => PipelineSchedules.edit(project, Number(id), { cron: '0 2 * * *', active: false }),
      remove: (id) => PipelineSchedules.remove(project, Number(id)),
    }),
  }
}

function releases({ project }: Place): ResourceRow {
  return {
    resource: 'releases',
    of: 'project',
    manager: 'releases',
    key: 'tag_name',
    hidden: HIDDEN.project,
    bodies: ['v1.0', 'v1.1', 'v2/x'].map((tag_name) => ({ tag_name, ref: 'main', description: 'New' })),
    change: { name: 'changed', description: 'Other' },
    wrong: {
      body: { tag_name: 'v0', description: 'x' },
      status: 409,
      message: 'Release already exists',
    },
    absent: { status: 404, message: '404 Not Found' },
    gitbeaker: ({ ProjectReleases }): Calls => ({
      create: ({ tag_name }) =>
        ProjectReleases.create(project, { tag_name: String(tag_name), ref: 'main', description: 'New' }),
      all: (options) => ProjectReleases.all(project, options),
      show: (tag) => ProjectReleases.show(project, String(tag)),
      edit: (tag) => ProjectReleases.edit(project, String(tag), { name: 'changed', description: 'Other' }),
      remove: (tag) => ProjectReleases.remove(project, String(tag)),
    }),
  }
}

function releaseLinks({ project }: Place): ResourceRow {
  return {
    resource: 'release links',
    of: 'release',
    manager: 'links',
    key: 'id',
    hidden: HIDDEN.project,
    bodies: ['a', 'b', 'c'].map((name) => ({ name, url: `https://example.com/${name}` })),
    change: { name: 'changed', url: 'https://example.com/changed' },
    wrong: {
      body: { name: 'x', url: 'https://example.com/a' },
      status: 400,
      message: { url: ['has already been taken'] },
    },
    absent: absent(),
    gitbeaker: ({ ReleaseLinks }): Calls => ({
      create: ({ name, url }) => ReleaseLinks.create(project, 'v0', String(name), String(url)),
      all: (options) => ReleaseLinks.all(project, 'v0', options),
      show: (id) => ReleaseLinks.show(project, 'v0', Number(id)),
      edit: (id) =>
        ReleaseLinks.edit(project, 'v0', Number(id), { name: 'changed', url: 'https://example.com/changed' }),
      remove: (id) => ReleaseLinks.remove(project, 'v0', Number(id)),
    }),
  }
}
