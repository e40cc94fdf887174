import { Type } from 'typebox'

import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { topicAvatarUrl } from '../../http/presenters/avatar-url.js'
import { viewerOf } from '../../http/viewer.js'
import { type CountedTopic, listTopics } from '../topic-store.js'
import { EditTopic, ListTopics, MergeTopics, NewTopic, Topic, TopicId } from './schema.js'
import { createTopic, deleteTopic, editTopic, mergeTopics, requireTopic, type TopicDeps } from './topics.js'

/** Topics of projects (API, C7). */
export function topicOperations(deps: TopicDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /topics', {
      summary: 'List topics',
      access: 'anyone',
      params: ListTopics,
      responses: { 200: Type.Array(Topic) },
      paginated: true,
      run: async ({ caller, params: { search, without_projects: withoutProjects }, paging }) => {
        const filter = { search, withoutProjects }
        const { rows, total } = await listTopics(database, viewerOf(caller), filter, paging)
        return page(rows.map(present), total)
      },
    }),
    operation('GET /topics/:id', {
      summary: 'Get a topic',
      access: 'anyone',
      params: TopicId,
      responses: { 200: Topic },
      run: async ({ caller, params }) => present(await requireTopic(database, viewerOf(caller), params.id)),
    }),
    operation('POST /topics', {
      summary: 'Create a topic',
      access: 'administrator',
      params: NewTopic,
      responses: { 201: Topic },
      run: async ({ params, user }) => present(await createTopic(deps, params, user)),
    }),
    operation('POST /topics/merge', {
      summary: 'Merge two topics',
      access: 'administrator',
      params: MergeTopics,
      responses: { 201: Topic },
      run: async ({ params, user }) => present(await mergeTopics(deps, params, user)),
    }),
    operation('PUT /topics/:id', {
      summary: 'Update a topic',
      access: 'administrator',
      params: EditTopic,
      changes: {
        attributes: ['name', 'title', 'description'],
        before: ({ params, user }) => requireTopic(database, user, params.id),
      },
      responses: { 200: Topic },
      run: async ({ params, user }) => present(await editTopic(deps, params, user)),
    }),
    operation('DELETE /topics/:id', {
      summary: 'Delete a topic',
      access: 'administrator',
      params: TopicId,
      responses: { 204: NoBody },
      modifiedAt: async ({ params, user }) => (await requireTopic(database, user, params.id)).updated_at,
      run: async ({ params, user }) => {
        await deleteTopic(deps, params.id, user)
        return respond(204)
      },
    }),
  ]

  function present(topic: CountedTopic): Topic {
    const { id, name, title, description, total_projects_count } = topic
    return {
      id,
      name,
      title,
      description,
      total_projects_count,
      avatar_url: topicAvatarUrl(topic, deps.externalUrl),
    }
  }
}
