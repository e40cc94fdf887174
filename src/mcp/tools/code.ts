import { Type } from 'typebox'

import { isRecord } from '../../lib/is-record.js'
import { Project, type Tool, tool } from '../tool.js'
import { elements, pick } from './pick.js'

/** Tools about code and its review. */
export const codeTools: Tool[] = [
  tool({
    name: 'read_file',
    title: 'Read a file',
    description: 'The text of a file of the repository at a branch, tag or commit.',
    routes: ['GET /projects/:id/repository/files/:file_path/raw'],
    input: {
      project: Project,
      path: Type.String({ minLength: 1, description: 'Path in the repository.' }),
      ref: Type.Optional(
        Type.String({ description: 'Branch, tag or commit; the default branch if absent.' }),
      ),
    },
    run: (api, { project: id, path: file_path, ref }) =>
      api.text('GET /projects/:id/repository/files/:file_path/raw', { id, file_path, ref }),
  }),
  tool({
    name: 'list_files',
    title: 'List a folder',
    description: 'Files and folders of a folder of the repository.',
    routes: ['GET /projects/:id/repository/tree'],
    input: {
      project: Project,
      path: Type.Optional(
        Type.String({ description: 'Path of the folder; that of the repository if absent.' }),
      ),
      ref: Type.Optional(
        Type.String({ description: 'Branch, tag or commit; the default branch if absent.' }),
      ),
    },
    run: async (api, { project: id, path, ref }) => {
      const entries = await api.call('GET /projects/:id/repository/tree', { id, path, ref, per_page: 100 })
      return elements(entries).map((entry) => pick(entry, ['type', 'path']))
    },
  }),
  tool({
    name: 'diff',
    title: 'Compare two commits',
    description: 'The commits and the changes between two branches, tags or commits.',
    routes: ['GET /projects/:id/repository/compare'],
    input: {
      project: Project,
      from: Type.String({ minLength: 1, description: 'Branch, tag or commit.' }),
      to: Type.String({ minLength: 1, description: 'Branch, tag or commit.' }),
    },
    run: async (api, { project: id, from, to }) => {
      const compared = await api.call('GET /projects/:id/repository/compare', { id, from, to })
      const { commits, diffs } = isRecord(compared) ? compared : {}
      return {
        commits: elements(commits).map((one) => pick(one, ['id', 'title', 'author_name'])),
        diffs: elements(diffs).map((one) => pick(one, ['old_path', 'new_path', 'diff'])),
      }
    },
  }),
  tool({
    name: 'find_merge_request',
    title: 'Find merge requests',
    description: 'The merge requests of a project, such as those of a branch.',
    routes: ['GET /projects/:id/merge_requests'],
    input: {
      project: Project,
      source_branch: Type.Optional(Type.String({ description: 'Only those of this branch.' })),
      state: Type.Optional(Type.String({ description: 'Only those in this state: opened, closed, merged.' })),
    },
    run: async (api, { project: id, ...filter }) => {
      const found = await api.call('GET /projects/:id/merge_requests', { id, per_page: 20, ...filter })
      return elements(found).map((one) =>
        pick(one, ['iid', 'title', 'state', 'source_branch', 'target_branch', 'sha', 'web_url']),
      )
    },
  }),
  tool({
    name: 'comment',
    title: 'Comment on a merge request',
    description:
      'Adds a comment to a merge request. It is published under the name of the user of the token.',
    changes: true,
    routes: ['POST /projects/:id/merge_requests/:merge_request_iid/notes'],
    input: {
      project: Project,
      merge_request: Type.Integer({ minimum: 1, description: 'Number of the merge request, without "!".' }),
      text: Type.String({ minLength: 1, description: 'Text, in Markdown.' }),
    },
    run: async (api, { project: id, merge_request: merge_request_iid, text: body }) =>
      pick(
        await api.call('POST /projects/:id/merge_requests/:merge_request_iid/notes', {
          id,
          merge_request_iid,
          body,
        }),
        ['id', 'created_at'],
      ),
  }),
]
